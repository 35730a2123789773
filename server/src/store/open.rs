//! Opens the database, in WAL mode and with every accepted row on the disk before it is answered for.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::migrate::{Migration, MigrationSource, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::error::Result;
use super::{Store, StoreError};
use crate::private_dir::create_private_dir;

/// Readers; each is a thread of SQLite.
const MAX_READERS: u32 = 4;
/// How long one waits for another process, e.g. `keys create` beside a running service.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the switch to WAL is tried, which SQLite refuses at once while another process does the same.
const OPEN_ATTEMPTS: u32 = 50;

/// The steps from an empty database to the present schema; one that was published is never changed.
#[derive(Debug)]
struct Migrations;

impl MigrationSource<'static> for Migrations {
    fn resolve(self) -> BoxFuture<'static, Result<Vec<Migration>, Box<dyn std::error::Error + Send + Sync>>> {
        let migration = |version, name: &'static str, sql: &'static str| {
            Migration::new(version, name.into(), MigrationType::Simple, sql.into(), false)
        };
        Box::pin(async move {
            Ok(vec![
                migration(1, "tables", include_str!("../../migrations/1_tables.sql")),
                migration(2, "fair claims", include_str!("../../migrations/2_fair_claims.sql")),
                migration(3, "rates", include_str!("../../migrations/3_rates.sql")),
                migration(4, "retention", include_str!("../../migrations/4_retention.sql")),
                migration(5, "quotas", include_str!("../../migrations/5_quotas.sql")),
                migration(
                    6,
                    "archives and secrets",
                    include_str!("../../migrations/6_archives_and_secrets.sql"),
                ),
            ])
        })
    }
}

impl Store {
    /// Opens or makes the database `path` and its folder, in WAL mode, and brings its schema up to date. Other processes may
    /// have it open too.
    ///
    /// # Errors
    ///
    /// Where the folder cannot be made, the file is no database, or its schema is newer than this program.
    pub async fn open(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            create_private_dir(folder)?;
        }
        // The folder may have been there, for all to see. SQLite gives the files beside it the same mode.
        OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .journal_mode(SqliteJournalMode::Wal)
            // In WAL mode NORMAL would lose the last transactions when the power fails.
            .synchronous(SqliteSynchronous::Full)
            .pragma("journal_size_limit", "67108864")
            // Secrets of ended tasks are overwritten, not only given free.
            .pragma("secure_delete", "ON")
            .disable_statement_logging();
        prepare(&options).await?;
        let writes = SqlitePoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            // SQLite rolls a transaction back by itself when the disk is full; the connection would then count one that is
            // no more, and refuse the next. The same after a request that was dropped while its transaction began.
            .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
            .connect_lazy_with(options.clone());
        let counts = SqlitePoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            // Counts of the last moment may be lost with the power, so that no call waits for the disk.
            .connect_lazy_with(options.clone().synchronous(SqliteSynchronous::Normal));
        let reads = SqlitePoolOptions::new()
            .max_connections(MAX_READERS)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_lazy_with(options.pragma("query_only", "ON"));
        Ok(Self { reads, writes, counts })
    }
}

/// Makes the database where there is none, and brings the schema up to date in one transaction.
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
    let migrator = Migrator::new(Migrations).await?;
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // `run` would do the same, but the compiler cannot see that its future may move between threads.
    migrator.run_direct(&mut *transaction).await?;
    transaction.commit().await?;
    connection.close().await.map_err(StoreError::from)
}

fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    // The low byte is SQLITE_BUSY, whatever the extended code says more.
    code.and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| code & 0xff == 5)
}
