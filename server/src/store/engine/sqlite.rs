//! Opens an SQLite database in WAL mode, with `synchronous = FULL`: a row is on disk before the client gets its response.
//!
//! Reads use a pool of their own and never wait for a writer (WAL). All writes use one connection and begin with `BEGIN IMMEDIATE`:
//! writers of this process wait for it instead of failing with SQLITE_BUSY, and what a transaction has read cannot change before it
//! writes.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::Pool;
use super::migrations::SQLITE;
use crate::private_dir::create_private_dir;
use crate::store::StoreError;
use crate::store::error::Result;

/// Connections for reading; each has its own thread.
const MAX_READERS: u32 = 4;
/// How long to wait for a lock of another process, such as `keys create` beside a running service.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How often to try the switch to WAL: SQLite does not wait if another process is switching too.
const OPEN_ATTEMPTS: u32 = 50;

/// An open database.
pub(in super::super) struct Opened {
    pub(in super::super) reads: Pool,
    pub(in super::super) writes: Pool,
    /// Writes rate-limit counters, which may be lost in a power failure.
    pub(in super::super) counts: Pool,
}

/// Opens the database at `path`, creates it and its directory if needed, and migrates its schema.
pub(in super::super) async fn open(path: &Path) -> Result<Opened> {
    if let Some(folder) = path.parent() {
        create_private_dir(folder)?;
    }
    // An existing directory may be readable by others. SQLite gives the WAL files the mode of the database.
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .journal_mode(SqliteJournalMode::Wal)
        // In WAL mode, NORMAL could lose the last transactions in a power failure.
        .synchronous(SqliteSynchronous::Full)
        .pragma("journal_size_limit", "67108864")
        // Overwrite the secrets of ended tasks instead of only freeing their pages.
        .pragma("secure_delete", "ON")
        .disable_statement_logging();
    prepare(&options).await?;
    let writes = SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        // On a full disk SQLite rolls back the transaction itself, but sqlx still counts it as open and would refuse the next.
        // The same happens if a request is dropped while its transaction begins. Such connections are replaced.
        .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
        .connect_lazy_with(options.clone());
    let counts = SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        // The last counts may be lost in a power failure, so that no call waits for a sync.
        .connect_lazy_with(options.clone().synchronous(SqliteSynchronous::Normal));
    let reads = SqlitePoolOptions::new()
        .max_connections(MAX_READERS)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_lazy_with(options.pragma("query_only", "ON"));
    Ok(Opened { reads: Pool::Sqlite(reads), writes: Pool::Sqlite(writes), counts: Pool::Sqlite(counts) })
}

/// Creates the database if needed, and migrates the schema in one transaction.
async fn prepare(options: &SqliteConnectOptions) -> Result<()> {
    let mut attempt = 1;
    let mut connection = loop {
        match options.connect().await {
            Ok(connection) => break connection,
            Err(error) if attempt < OPEN_ATTEMPTS && is_busy(&error) => attempt += 1,
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let migrator = SQLITE.migrator().await?;
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // `run` would do the same, but the compiler cannot prove that its future is `Send`.
    migrator.run_direct(&mut *transaction).await?;
    transaction.commit().await?;
    connection.close().await.map_err(StoreError::from)
}

fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    // The low byte of the extended code is the primary code: SQLITE_BUSY.
    code.and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| code & 0xff == 5)
}
