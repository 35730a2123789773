//! Users, keys, files, tasks and answers that may be asked for again, in SQLite. The row of a task is its job.
//!
//! Reads go through a pool of their own and never wait for a writer (WAL). Everything that writes takes the one writing
//! connection and begins with `BEGIN IMMEDIATE`: writers of this process queue for it instead of failing with SQLITE_BUSY, and
//! what a transaction read is still true when it writes.

mod answers;
mod cancel;
pub(crate) mod ending;
mod error;
mod files;
mod open;
mod page;
mod queue;
mod quotas;
mod rates;
pub mod records;
mod restart;
mod rows;
mod sweep;
mod tasks;
mod turns;
mod users;

pub use answers::Repeat;
pub use cancel::{Cancel, Deletion, Standing};
pub use ending::Finished;
pub use error::StoreError;
pub use files::{NewFile, Received, Upload};
pub use page::{From, Page, Slice};
pub use queue::{Claim, MAX_ATTEMPTS};
pub use quotas::Declared;
pub use rates::{Quota, Rate};
pub use restart::MAX_RESTARTS;
pub use tasks::{Depth, NewTask, Queued};
pub use turns::LONG_PATIENCE;

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
