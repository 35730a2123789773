//! Recovery after a crash: claims and idempotent requests of a process that died.

use filepress_wire::TaskErrorCode;

use super::completion::{set_failed, with_error};
use super::engine::query;
use super::error::Result;
use super::{Store, rows};
use crate::clock::Timestamp;

/// How often the service may die while it runs a task before the task becomes FAILED. The number is high enough for unrelated
/// restarts, and it ends a crash loop that a task causes.
pub const MAX_RESTARTS: u32 = 32;

impl Store {
    /// Returns every claimed task to the queue and frees idempotency keys of interrupted requests. Must be called before any task is
    /// claimed, by the only process that serves this database. Returns the number of tasks.
    ///
    /// In a shared database nothing is taken back, for other processes may be alive: a claim ends with its lease, an interrupted
    /// request with its time limit.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn recover(&self, now: Timestamp) -> Result<usize> {
        if self.is_shared() {
            return Ok(0);
        }
        let mut transaction = self.begin().await?;
        let claimed = query("SELECT * FROM tasks WHERE ready_at IS NOT NULL AND worker IS NOT NULL")
            .fetch_all(&mut transaction)
            .await?;
        for row in &claimed {
            let task = rows::task(row)?;
            let restarts = row.count::<u32>("restarts")? + 1;
            if restarts > MAX_RESTARTS {
                let metadata =
                    with_error(task.metadata, TaskErrorCode::WorkerLost, "Please try again later.");
                set_failed(&mut transaction, &task.id, &metadata, now).await?;
                continue;
            }
            query("UPDATE tasks SET worker = NULL, ready_at = ?, restarts = ?, updated_at = ? WHERE id = ?")
                .bind(now.0)
                .bind(restarts)
                .bind(now.0)
                .bind(task.id)
                .execute(&mut transaction)
                .await?;
        }
        query("UPDATE answers SET busy_until = 0 WHERE status IS NULL").execute(&mut transaction).await?;
        transaction.commit().await?;
        Ok(claimed.len())
    }
}
