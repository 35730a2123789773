//! The URL of a database. It may have a password, so it is never printed.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a URL may have after its question mark, as `options` also with a name in brackets.
const PARAMETERS: [&str; 18] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "ssl-ca",
    "ssl-cert",
    "ssl-key",
    "ssl-mode",
    "ssl-root-cert",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
];

/// `postgres://user:password@host:port/database?sslmode=verify-full`.
///
/// Any text can be made one, because the parsers of the command line and of the file print what they refuse; [`Self::problem`] checks it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The URL with its password.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What is wrong with the URL; repeats no part of it.
    pub(super) fn problem(&self) -> Option<String> {
        if !(self.0.starts_with("postgres://") || self.0.starts_with("postgresql://")) {
            let problem = "database: must be given as postgres://user:password@host/database";
            return Some(problem.to_owned());
        }
        let url = self.0.split('#').next().unwrap_or_default();
        let (_, query) = url.split_once('?')?;
        let names = query.split('&').filter_map(|parameter| parameter.split('=').next());
        let is_known = |name: &str| {
            name.is_empty()
                || PARAMETERS.contains(&name)
                || name.starts_with("options[")
                || name.starts_with("options%5B")
        };
        // The driver would ignore it, and log its value.
        (!names.into_iter().all(is_known)).then(|| {
            format!("database: the URL has a parameter that is not one of {}", PARAMETERS.join(", "))
        })
    }
}

impl From<String> for DatabaseUrl {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<DatabaseUrl> for String {
    fn from(url: DatabaseUrl) -> Self {
        url.0
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DatabaseUrl(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::DatabaseUrl;

    fn url(text: &str) -> DatabaseUrl {
        DatabaseUrl::from(text.to_owned())
    }

    #[test]
    fn a_password_is_not_printed() {
        let url = url("postgres://me:secret@localhost/filepress");
        assert!(!format!("{url:?}").contains("secret"));
    }

    #[test]
    fn parameters_that_the_driver_knows_are_taken_and_others_refused() {
        for taken in ["", "?", "?sslmode=verify-full&sslrootcert=/ca.pem", "?options[work_mem]=4MB&host=/run"]
        {
            assert_eq!(url(&format!("postgresql://me:secret@localhost/filepress{taken}")).problem(), None);
        }
        for refused in
            ["postgres://h/d?sslpassword=secret", "postgres://h/d?user=a&secret", "mysql://secret@h/d"]
        {
            assert!(url(refused).problem().is_some_and(|problem| !problem.contains("secret")), "{refused}");
        }
    }
}
