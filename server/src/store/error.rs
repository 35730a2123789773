//! Why the database did not do what was asked. A full disk stands apart: it is answered by 503, and passes.

use std::io;

/// Result with [`StoreError`].
pub(super) type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Why the database did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The disk is full; nothing was changed.
    #[error("the disk is full")]
    Full,
    /// Anything else.
    #[error("database: {0}")]
    Database(sqlx::Error),
    /// The schema is of a newer version, or could not be brought up to date.
    #[error("schema of the database: {0}")]
    Schema(#[from] sqlx::migrate::MigrateError),
    /// A row that this version does not understand.
    #[error("database: {0}")]
    Row(String),
    /// The folder of the database, or the system's random numbers.
    #[error("database: {0}")]
    Io(#[from] io::Error),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        // SQLITE_FULL; SQLITE_IOERR_SHMSIZE is the same of the file that the connections share.
        let code = error.as_database_error().and_then(|error| error.code());
        match code.as_deref() {
            Some("13" | "4874") => Self::Full,
            _ => Self::Database(error),
        }
    }
}
