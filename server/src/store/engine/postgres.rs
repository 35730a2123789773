//! Opens a PostgreSQL database, version 15 or later, that any number of processes share.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool};

use super::Pool;
use super::clock::DatabaseClock;
use super::migrations::POSTGRES;
use crate::store::StoreError;
use crate::store::error::Result;

/// The oldest version that is supported, as `server_version_num` has it.
const MIN_VERSION: i64 = 150_000;
/// Connections of a process for everything but rate limits.
const CONNECTIONS: u32 = 10;
/// Connections of a process that count calls.
const COUNT_CONNECTIONS: u32 = 3;
/// How long a request may wait for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// A connection that was idle for longer is tried before it is used: the server may have been restarted.
const TRUSTED_IDLE: Duration = Duration::from_secs(1);
/// Limits of the server, in milliseconds, for a process that is halted or cut off in the middle of a transaction: its locks are freed.
const SERVER_LIMITS: [(&str, &str); 3] = [
    ("statement_timeout", "14000"),
    ("lock_timeout", "10000"),
    ("idle_in_transaction_session_timeout", "10000"),
];

/// An open database.
pub(in super::super) struct Opened {
    pub(in super::super) pool: Pool,
    /// Connections whose last writes may be lost in a power failure.
    pub(in super::super) counts: Pool,
    /// The same connections as `pool`, for LISTEN.
    pub(in super::super) listen: PgPool,
    pub(in super::super) clock: DatabaseClock,
}

/// Opens the database and migrates its schema. Several processes may do so at once.
pub(in super::super) async fn open(url: &str) -> Result<Opened> {
    let options = PgConnectOptions::from_str(url)
        .map_err(StoreError::from)?
        .application_name("filepress-server")
        .disable_statement_logging();
    let mut connection = PgConnection::connect_with(&options).await?;
    check_version(&mut connection).await?;
    // The migrator holds an advisory lock: of several processes one migrates, and the others wait.
    POSTGRES.migrator().await?.run_direct(&mut connection).await?;
    connection.close().await?;
    let options = options.options(SERVER_LIMITS);
    let listen = pool(CONNECTIONS).connect_lazy_with(options.clone());
    let counts = pool(COUNT_CONNECTIONS).connect_lazy_with(options.options([("synchronous_commit", "off")]));
    let clock = DatabaseClock::start(listen.clone()).await?;
    Ok(Opened { pool: Pool::Postgres(listen.clone()), counts: Pool::Postgres(counts), listen, clock })
}

fn pool(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(|connection, metadata| {
            Box::pin(async move {
                if metadata.idle_for > TRUSTED_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

async fn check_version(connection: &mut PgConnection) -> Result<()> {
    let setting = "SELECT CAST(current_setting('server_version_num') AS BIGINT)";
    let version: i64 = sqlx::query_scalar(setting).fetch_one(connection).await?;
    match version >= MIN_VERSION {
        true => Ok(()),
        false => Err(StoreError::Row(format!(
            "PostgreSQL {} is too old; version {} or later is needed",
            version / 10_000,
            MIN_VERSION / 10_000
        ))),
    }
}
