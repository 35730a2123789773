//! Recovery after a crash: claims and idempotent requests of a process that died.

use filepress_wire::TaskErrorCode;
use sqlx::Row;

use super::completion::{set_failed, with_error};
use super::error::Result;
use super::{Store, rows};
use crate::clock::Timestamp;

/// How often the service may die while it runs a task before the task becomes FAILED. The number is high enough for unrelated
/// restarts, and it ends a crash loop that a task causes.
pub const MAX_RESTARTS: u32 = 32;

impl Store {
    /// Returns every claimed task to the queue and frees idempotency keys of interrupted requests. Must be called before any task is
    /// claimed, by the only process that serves this data directory. Returns the number of tasks.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn recover(&self, now: Timestamp) -> Result<usize> {
        let mut transaction = self.begin().await?;
        let claimed = sqlx::query("SELECT * FROM tasks WHERE ready_at IS NOT NULL AND worker IS NOT NULL")
            .fetch_all(&mut *transaction)
            .await?;
        for row in &claimed {
            let task = rows::task(row)?;
            let restarts = row.try_get::<u32, _>("restarts")? + 1;
            if restarts > MAX_RESTARTS {
                let metadata =
                    with_error(task.metadata, TaskErrorCode::WorkerLost, "Please try again later.");
                set_failed(&mut transaction, &task.id, &metadata, now).await?;
                continue;
            }
            sqlx::query(
                "UPDATE tasks SET worker = NULL, ready_at = ?, restarts = ?, updated_at = ? WHERE id = ?",
            )
            .bind(now.0)
            .bind(restarts)
            .bind(now.0)
            .bind(task.id)
            .execute(&mut *transaction)
            .await?;
        }
        sqlx::query("UPDATE answers SET busy_until = 0 WHERE status IS NULL")
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(claimed.len())
    }
}
