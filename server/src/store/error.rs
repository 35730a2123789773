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
    /// Anything else.
    #[error("database: {0}")]
    Database(sqlx::Error),
    /// The schema is from a newer version or cannot be migrated.
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
        // SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: the disk is full for the shared-memory file.
        let code = error.as_database_error().and_then(|error| error.code());
        match code.as_deref() {
            Some("13" | "4874") => Self::Full,
            _ => Self::Database(error),
        }
    }
}
