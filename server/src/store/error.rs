//! Errors of the database. A full disk is a kind of its own, because it is temporary and gets 503.

use std::io;

/// Result with [`StoreError`].
pub(super) type Result<T, E = StoreError> = std::result::Result<T, E>;

/// An error of the database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The disk is full; nothing was changed.
    #[error("the disk is full")]
    Full,
    /// PostgreSQL cannot be reached, is starting or stopping, or did not answer in time. What was written is unknown if a
    /// transaction was being committed; else nothing was.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// Anything else.
    #[error("database: {0}")]
    Database(sqlx::Error),
    /// The schema cannot be migrated.
    #[error("cannot migrate the schema of the database: {0}")]
    Schema(#[from] sqlx::migrate::MigrateError),
    /// A row that this version cannot read.
    #[error("database: {0}")]
    Row(String),
    /// The directory of the database cannot be used, or the system provides no random numbers.
    #[error("database: {0}")]
    Io(#[from] io::Error),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code());
        let Some(code) = code else {
            return match error {
                sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed => Self::Unavailable(error.to_string()),
                other => Self::Database(other),
            };
        };
        match code.as_ref() {
            // SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: the disk is full for the shared-memory file. PostgreSQL: disk_full.
            "13" | "4874" | "53100" => Self::Full,
            // PostgreSQL: too many connections, shutting down or starting, no lock in time, canceled by a limit of time, deadlock,
            // serialization failure, and read-only as a standby is.
            "53300" | "57P01" | "57P02" | "57P03" | "55P03" | "57014" | "25P03" | "40P01" | "40001"
            | "25006" => Self::Unavailable(error.to_string()),
            // Class 08: the connection.
            code if code.len() == 5 && code.starts_with("08") => Self::Unavailable(error.to_string()),
            _ => Self::Database(error),
        }
    }
}
