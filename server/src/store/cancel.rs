//! Cancels tasks on behalf of their owner or the operator, and deletes files on behalf of their owner.

use filepress_wire::TaskErrorCode;

use super::completion::{set_failed, with_error};
use super::engine::signals::Signal;
use super::engine::{LockMode, query};
use super::error::Result;
use super::lease::{Claim, held};
use super::records::{Status, Task};
use super::task_inputs::is_more_input;
use super::{Store, callbacks, rows};
use crate::clock::Timestamp;

/// The result of a request to cancel a task.
#[derive(Debug, Clone, PartialEq)]
pub enum CancelResult {
    /// The task is now FAILED with `canceled`.
    Done {
        /// The updated task.
        task: Task,
        /// A worker was running it.
        running: bool,
    },
    /// It had been canceled before.
    Already(Task),
    /// It had already ended with this status.
    Ended(Status),
    /// There is no such task, or it is somebody else's.
    Unknown,
}

/// Who cancels a task.
#[derive(Debug, Clone, Copy)]
enum Canceler<'a> {
    /// The user with this id, whose task it must be.
    Owner(&'a str),
    Operator,
}

/// The result of a request to delete a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeleteResult {
    /// The record is deleted; the blob of this name is now orphaned.
    Done(Option<String>),
    /// An unfinished task reads it.
    InUse,
    /// The user has no such file, or it has expired.
    Unknown,
}

/// Whether a claim is still held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimStatus {
    /// It is the newest claim, and its lease has not expired.
    Held,
    /// The task was canceled.
    Canceled,
    /// Its lease has expired, or there is a newer claim.
    Lost,
}

impl Store {
    /// Makes an unfinished task of the user FAILED with `canceled`. A claim on it is lost at once.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn cancel(&self, user: &str, id: &str, now: Timestamp) -> Result<CancelResult> {
        self.cancel_by(Canceler::Owner(user), id, now).await
    }

    /// The same on behalf of the operator, whoever has created the task.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn cancel_any(&self, id: &str, now: Timestamp) -> Result<CancelResult> {
        self.cancel_by(Canceler::Operator, id, now).await
    }

    async fn cancel_by(&self, canceler: Canceler<'_>, id: &str, now: Timestamp) -> Result<CancelResult> {
        let mut transaction = self.begin().await?;
        let select = "SELECT * FROM tasks WHERE id = ?";
        let locked = format!("{select}{}", transaction.lock(LockMode::Change, "tasks"));
        let row = query(locked).bind(id).fetch_optional(&mut transaction).await?;
        let Some(row) = row else { return Ok(CancelResult::Unknown) };
        let task = rows::task(&row)?;
        let user = task.user.clone();
        if matches!(canceler, Canceler::Owner(owner) if owner != user) {
            return Ok(CancelResult::Unknown);
        }
        if task.status.is_terminal() {
            let known = callbacks::task(&mut transaction, &user, id).await?;
            return Ok(match known {
                Some(task) if is_canceled(&task) => CancelResult::Already(task),
                _ => CancelResult::Ended(task.status),
            });
        }
        let running = rows::is_claimed(&row)?;
        let detail = match canceler {
            Canceler::Owner(_) => "The owner canceled the task.",
            Canceler::Operator => "The operator canceled the task.",
        };
        let metadata = with_error(task.metadata, TaskErrorCode::Canceled, detail);
        set_failed(&mut transaction, id, &metadata, now).await?;
        let canceled = callbacks::task(&mut transaction, &user, id).await?;
        transaction.notify(Signal::Canceled).await?;
        transaction.commit().await?;
        Ok(canceled.map_or(CancelResult::Unknown, |task| CancelResult::Done { task, running }))
    }

    /// Deletes a file of the user that no unfinished task reads.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn delete_file(&self, user: &str, id: &str, now: Timestamp) -> Result<DeleteResult> {
        let mut transaction = self.begin().await?;
        // No task of the user can be queued between the check and the deletion.
        transaction.lock_user(user).await?;
        let found = query(concat!(
            "SELECT blob, (EXISTS (SELECT 1 FROM tasks WHERE input = files.id AND ready_at IS NOT NULL) OR ",
            is_more_input!("tasks.ready_at IS NOT NULL"),
            ") AS in_use FROM files WHERE id = ? AND user_id = ? AND expires_at > ?"
        ))
        .bind(id)
        .bind(user)
        .bind(now.0)
        .fetch_optional(&mut transaction)
        .await?;
        let Some(found) = found else { return Ok(DeleteResult::Unknown) };
        if found.get("in_use")? {
            return Ok(DeleteResult::InUse);
        }
        let blob = found.get("blob")?;
        query("DELETE FROM files WHERE id = ?").bind(id).execute(&mut transaction).await?;
        transaction.commit().await?;
        Ok(DeleteResult::Done(blob))
    }

    /// Whether a claim is still held.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn claim_status(&self, claim: &Claim, now: Timestamp) -> Result<ClaimStatus> {
        let held: Option<i64> = query(concat!("SELECT ready_at FROM tasks WHERE ", held!()))
            .bind(&claim.task.id)
            .bind(claim.task.attempt)
            .bind(now.0)
            .scalar_optional(&self.reads)
            .await?;
        if held.is_some() {
            return Ok(ClaimStatus::Held);
        }
        let task = self.task(&claim.task.user, &claim.task.id).await?;
        let canceled = task.is_some_and(|task| task.attempt == claim.task.attempt && is_canceled(&task));
        Ok(if canceled { ClaimStatus::Canceled } else { ClaimStatus::Lost })
    }
}

fn is_canceled(task: &Task) -> bool {
    let code = task.metadata.get("error").and_then(|error| error.get("code"));
    task.status == Status::Failed && code.is_some_and(|code| code == TaskErrorCode::Canceled.as_str())
}
