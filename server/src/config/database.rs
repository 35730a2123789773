//! The URL of a database. It may have a password, so it is never printed.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// `postgres://user:password@host:port/database?sslmode=verify-full`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The URL with its password.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromStr for DatabaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.starts_with("postgres://") || text.starts_with("postgresql://") {
            true => Ok(Self(text.to_owned())),
            false => Err("a database must be given as postgres://user:password@host/database".to_owned()),
        }
    }
}

impl TryFrom<String> for DatabaseUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
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

    #[test]
    fn a_password_is_not_printed() {
        let url: DatabaseUrl = "postgres://me:secret@localhost/filepress".parse().unwrap();
        assert!(!format!("{url:?}").contains("secret"));
        assert!(
            "mysql://me:secret@localhost/"
                .parse::<DatabaseUrl>()
                .is_err_and(|error| !error.contains("secret"))
        );
    }
}
