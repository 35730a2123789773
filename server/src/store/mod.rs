//! Users, keys, files, tasks and answers that may be asked for again, in SQLite. The row of a task is its job.
//!
//! Reads go through a pool of their own and never wait for a writer (WAL). Everything that writes takes the one writing
//! connection and begins with `BEGIN IMMEDIATE`: writers of this process queue for it instead of failing with SQLITE_BUSY, and
//! what a transaction read is still true when it writes.

mod cancel;
mod claim;
pub(crate) mod completion;
mod error;
mod fair_queue;
mod files;
mod idempotency;
mod open;
mod pagination;
mod queue;
mod quotas;
mod rate_limit;
pub mod records;
mod recovery;
mod retention;
mod rows;
mod tasks;
mod users;

pub use cancel::{CancelResult, ClaimStatus, DeleteResult};
pub use claim::{Claim, MAX_ATTEMPTS};
pub use completion::TaskOutput;
pub use error::StoreError;
pub use fair_queue::MAX_LONG_WAIT;
pub use files::{FileContent, NewFile, UploadResult};
pub use idempotency::IdempotencyCheck;
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
    /// Writes of counts, which may be lost with the power.
    counts: SqlitePool,
}

impl Store {
    /// A transaction that holds the lock for writing from its first statement on; dropped, it is rolled back.
    async fn begin(&self) -> Result<Transaction<'static, Sqlite>> {
        Ok(self.writes.begin_with("BEGIN IMMEDIATE").await?)
    }

    /// That the database answers and can be written.
    ///
    /// # Errors
    ///
    /// [`StoreError::Full`] where the disk has no room for a page.
    pub async fn check(&self) -> Result<()> {
        let mut transaction = self.begin().await?;
        // The number is what it was, and yet its page is written and synced.
        let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *transaction).await?;
        sqlx::query(&format!("PRAGMA user_version = {version}")).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }
}
