//! Users, API keys, files, tasks and idempotency keys, in SQLite or in PostgreSQL ([`engine`]). The row of a task is its job.

mod callback_claims;
mod callback_secrets;
mod callbacks;
mod cancel;
pub(crate) mod completion;
mod copy;
mod engine;
mod error;
mod fair_queue;
mod files;
mod idempotency;
mod keys;
mod lease;
mod overview;
mod pagination;
mod queue;
mod quotas;
mod rate_limit;
pub mod records;
mod recovery;
mod retention;
mod rows;
mod signing_keys;
mod task_inputs;
mod tasks;
mod uploads;
mod users;

pub use callback_claims::{MAX_CALLBACK_AGE, MAX_CALLBACK_ATTEMPTS};
pub use callback_secrets::CallbackSecrets;
pub use callbacks::{CallbackClaim, CallbackEnd};
pub use cancel::{CancelResult, ClaimStatus, DeleteResult};
pub use completion::TaskOutput;
pub use engine::signals::{Signal, Signals};
pub use error::StoreError;
pub use fair_queue::MAX_LONG_WAIT;
pub use files::{FileContent, NewFile, UploadResult};
pub use idempotency::IdempotencyCheck;
pub use lease::{Claim, MAX_ATTEMPTS};
pub use overview::{ListCursor, Stored};
pub use pagination::{Page, PageRequest, PageStart};
pub use quotas::DeclareResult;
pub use rate_limit::{RateDecision, RateLimit};
pub use recovery::MAX_RESTARTS;
pub use tasks::{Depth, EnqueueResult, NewCallback, NewTask};
pub use uploads::{EndedUpload, UploadClaim};

use std::path::Path;
use std::sync::Arc;

use sqlx::PgPool;

use crate::clock::Clock;
use crate::config::Config;
use engine::clock::DatabaseClock;
use engine::{Pool, Transaction, query};
use error::Result;

/// The database. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    reads: Pool,
    writes: Pool,
    /// Writes rate-limit counters, which may be lost in a power failure.
    counts: Pool,
    /// What only a database has that several processes share.
    shared: Option<Shared>,
}

#[derive(Debug, Clone)]
struct Shared {
    listen: PgPool,
    clock: DatabaseClock,
}

impl Store {
    /// Opens the database that the settings name.
    ///
    /// # Errors
    ///
    /// As [`Self::open`] and [`Self::connect`].
    pub async fn of(config: &Config) -> Result<Self> {
        match &config.database_url {
            Some(url) => Self::connect(url.expose()).await,
            None => Self::open(&config.database()).await,
        }
    }

    /// Opens the SQLite database at `path`, creates it and its directory if needed, and migrates its schema. Only one process may
    /// serve it; commands of the operator may have it open too.
    ///
    /// # Errors
    ///
    /// If the directory cannot be created, the file is not a database, or its schema cannot be migrated.
    pub async fn open(path: &Path) -> Result<Self> {
        let opened = engine::open_sqlite(path).await?;
        Ok(Self { reads: opened.reads, writes: opened.writes, counts: opened.counts, shared: None })
    }

    /// Opens the PostgreSQL database (15 or later) that `url` names, as in `postgres://user:password@host/database?sslmode=verify-full`,
    /// and migrates its schema. Any number of processes may serve it.
    ///
    /// # Errors
    ///
    /// If the URL is malformed, the database cannot be reached or is too old, or its schema cannot be migrated.
    pub async fn connect(url: &str) -> Result<Self> {
        let engine::postgres::Opened { pool, counts, listen, clock } = engine::postgres::open(url).await?;
        Ok(Self { reads: pool.clone(), writes: pool, counts, shared: Some(Shared { listen, clock }) })
    }

    /// Whether several processes, on several machines, may serve this database.
    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// The clock of a shared database: the only one that all of its processes agree on.
    pub fn clock(&self) -> Option<Arc<dyn Clock>> {
        self.shared.as_ref().map(|shared| Arc::new(shared.clock.clone()) as Arc<dyn Clock>)
    }

    /// What other processes do with a shared database.
    pub fn signals(&self) -> Option<Signals> {
        self.shared.as_ref().map(|shared| Signals::new(shared.listen.clone()))
    }

    /// Begins a transaction. It is rolled back on drop.
    async fn begin(&self) -> Result<Transaction> {
        self.writes.begin().await
    }

    /// Checks that the database can be read and written.
    ///
    /// # Errors
    ///
    /// [`StoreError::Full`] if the disk is full.
    pub async fn check(&self) -> Result<()> {
        if self.is_shared() {
            let count = "INSERT INTO health (id, checks) VALUES (1, 1)
                 ON CONFLICT (id) DO UPDATE SET checks = health.checks + 1";
            query(count).execute(&self.writes).await?;
            return Ok(());
        }
        let mut transaction = self.begin().await?;
        // Setting the same value still writes and syncs its page.
        let version: i64 = query("PRAGMA user_version").scalar(&mut transaction).await?;
        query(format!("PRAGMA user_version = {version}")).execute(&mut transaction).await?;
        transaction.commit().await
    }
}
