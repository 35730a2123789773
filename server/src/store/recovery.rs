//! What a process that died has left: claims that nobody holds, and requests that nobody answers.

use filepress_wire::TaskErrorCode;
use sqlx::Row;

use super::completion::{set_failed, with_error};
use super::error::Result;
use super::{Store, rows};
use crate::clock::Timestamp;

/// How often the service may die while it works at a task before the task becomes FAILED. A service that is killed for other
/// reasons comes nowhere near; one that its tasks bring down comes back to life at last.
pub const MAX_RESTARTS: u32 = 32;

impl Store {
    /// Gives every claimed task back to the queue at once, since whoever claimed them is dead, and lets go of answers that were
    /// under way. To be called before anything is claimed, by the one process that serves these data. Gives the number of
    /// tasks.
    ///
    /// # Errors
    ///
    /// Where the database fails.
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
