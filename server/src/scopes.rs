//! What an API key may do. Signed URLs need no key and have no scopes.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// One right of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Reads files, with the signed URLs of their contents.
    FilesRead,
    /// Creates and deletes files.
    FilesWrite,
    /// Reads tasks, with the files that they read and write.
    TasksRead,
    /// Creates and cancels tasks.
    TasksWrite,
    /// Reads and changes the keys and tasks of all users, at the address of the operator's page alone. A key has it only if it names it.
    Admin,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 5] =
        [Self::FilesRead, Self::FilesWrite, Self::TasksRead, Self::TasksWrite, Self::Admin];

    /// The name on the command line, in the database and in challenges.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FilesRead => "files:read",
            Self::FilesWrite => "files:write",
            Self::TasksRead => "tasks:read",
            Self::TasksWrite => "tasks:write",
            Self::Admin => "admin",
        }
    }
}

/// The rights of a key: some scopes, or everything that concerns its own user, later scopes included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scopes(Option<BTreeSet<Scope>>);

impl Scopes {
    /// Everything that concerns the key's own user.
    pub const ALL: Self = Self(None);

    /// Whether these rights include a scope.
    pub fn allow(&self, scope: Scope) -> bool {
        self.0.as_ref().map_or(scope != Scope::Admin, |scopes| scopes.contains(&scope))
    }

    /// The form in the database; `None` for everything.
    pub(crate) fn to_column(&self) -> Option<String> {
        self.0.as_ref().map(|_| self.to_string())
    }

    /// Reads the form in the database. A scope that this version does not know allows nothing here.
    pub(crate) fn from_column(text: Option<&str>) -> Self {
        Self(text.map(|text| text.split(',').filter_map(find).collect()))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(scopes) = &self.0 else { return formatter.write_str("all") };
        let names: Vec<_> = scopes.iter().map(|scope| scope.as_str()).collect();
        formatter.write_str(&names.join(","))
    }
}

impl FromStr for Scopes {
    type Err = String;

    /// Reads `all`, or names that are separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self::ALL);
        }
        let known = || Scope::ALL.map(Scope::as_str).join(", ");
        let scope = |name| {
            find(name).ok_or_else(|| format!("{name:?} is not a scope; expected all, or some of {}", known()))
        };
        Ok(Self(Some(text.split(',').map(scope).collect::<Result<_, _>>()?)))
    }
}

fn find(name: &str) -> Option<Scope> {
    Scope::ALL.into_iter().find(|scope| scope.as_str() == name)
}

#[cfg(test)]
mod tests {
    use super::{Scope, Scopes};

    #[test]
    fn a_list_allows_what_it_names() {
        let scopes: Scopes = "tasks:write,files:read".parse().unwrap();
        assert_eq!(scopes.to_string(), "files:read,tasks:write");
        let allowed = Scope::ALL.map(|scope| scopes.allow(scope));
        assert_eq!(allowed, [true, false, false, true, false]);
        assert_eq!(Scope::ALL.map(|scope| Scopes::ALL.allow(scope)), [true, true, true, true, false]);
        for text in ["", "files", "files:read,", "files:read, tasks:read", "all,files:read", "FILES:READ"] {
            assert!(text.parse::<Scopes>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_database_keeps_them() {
        for text in ["all", "files:read", "files:read,files:write,tasks:read,tasks:write", "admin"] {
            let scopes: Scopes = text.parse().unwrap();
            assert_eq!(Scopes::from_column(scopes.to_column().as_deref()), scopes);
        }
        let later = Scopes::from_column(Some("reports:read,tasks:read"));
        assert_eq!(later.to_string(), "tasks:read", "what a later version wrote");
    }
}
