//! Users, API keys, files, tasks and idempotency keys, in SQLite. The row of a task is its job.
//!
//! Reads use a pool of their own and never wait for a writer (WAL). All writes use one connection and begin with `BEGIN IMMEDIATE`:
//! writers of this process wait for it instead of failing with SQLITE_BUSY, and what a transaction has read cannot change before it
//! writes.

mod cancel;
pub(crate) mod completion;
mod error;
mod fair_queue;
mod files;
mod idempotency;
mod lease;
mod open;
mod pagination;
mod queue;
mod quotas;
mod rate_limit;
pub mod records;
mod recovery;
mod retention;
mod rows;
mod task_inputs;
mod tasks;
mod users;

pub use cancel::{CancelResult, ClaimStatus, DeleteResult};
pub use completion::TaskOutput;
pub use error::StoreError;
pub use fair_queue::MAX_LONG_WAIT;
pub use files::{FileContent, NewFile, UploadResult};
pub use idempotency::IdempotencyCheck;
pub use lease::{Claim, MAX_ATTEMPTS};
pub use pagination::{Page, PageRequest, PageStart};
pub use quotas::DeclareResult;
pub use rate_limit::{RateDecision, RateLimit};
pub use recovery::MAX_RESTARTS;
pub use tasks::{Depth, EnqueueResult, NewTask};

use sqlx::sqlite::Sqlite;
use sqlx::{SqlitePool, Transaction};

use error::Result;

/// The database. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    reads: SqlitePool,
    writes: SqlitePool,
    /// Writes rate-limit counters, which may be lost in a power failure.
    counts: SqlitePool,
}

impl Store {
    /// Begins a transaction that holds the write lock from the start. It is rolled back on drop.
    async fn begin(&self) -> Result<Transaction<'static, Sqlite>> {
        Ok(self.writes.begin_with("BEGIN IMMEDIATE").await?)
    }

    /// Checks that the database can be read and written.
    ///
    /// # Errors
    ///
    /// [`StoreError::Full`] if the disk is full.
    pub async fn check(&self) -> Result<()> {
        let mut transaction = self.begin().await?;
        // Setting the same value still writes and syncs its page.
        let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *transaction).await?;
        sqlx::query(&format!("PRAGMA user_version = {version}")).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }
}
