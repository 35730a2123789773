//! Callbacks: the URLs that are called when tasks end. The row of a callback is a job of its own: it becomes due in the transaction that ends
//! its task, and is claimed with a lease and a fencing number as tasks are ([`super::lease`]). So each is called at least once, and by one
//! process at a time.

use super::engine::signals::Signal;
use super::engine::{Executor, Row, Transaction, query};
use super::error::Result;
use super::records::{Callback, CallbackStatus, Task};
use super::{Store, StoreError, rows};
use crate::clock::Timestamp;
use crate::ids;

/// Selects tasks with their callbacks, for [`task_of`].
macro_rules! select_tasks {
    () => {
        "SELECT tasks.*, callbacks.url AS callback_url, callbacks.status AS callback_status,
             callbacks.attempt AS callback_attempts, callbacks.failure AS callback_failure
         FROM tasks LEFT JOIN callbacks ON callbacks.task = tasks.id"
    };
}
pub(super) use select_tasks;

/// SQL condition: the claim is the newest and its lease has not expired. Binds the id, the attempt and the current time.
macro_rules! held {
    () => {
        "id = ? AND attempt = ? AND worker IS NOT NULL AND ready_at > ?"
    };
}

/// A claimed callback. Its attempt number fences off every older claim.
#[derive(Clone, PartialEq, Eq)]
pub struct CallbackClaim {
    /// UUID, the same for each attempt.
    pub id: String,
    /// Id of the task that ended.
    pub task: String,
    /// The owner of the task.
    pub user: String,
    /// The URL, which may have secrets in it.
    pub url: String,
    /// The number of this attempt, from 1.
    pub attempt: u32,
    /// When the task ended.
    pub ended_at: Timestamp,
}

impl std::fmt::Debug for CallbackClaim {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "CallbackClaim({}, attempt {})", self.id, self.attempt)
    }
}

/// The outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallbackEnd {
    /// The receiver took it.
    Delivered,
    /// It failed, with this code; it is called again from a time on.
    Retry(String, Timestamp),
    /// It failed, with this code, and is not called again.
    Failed(String),
}

impl Store {
    /// Records the outcome of an attempt; false if the claim was lost, or the task was deleted.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn end_callback(
        &self,
        claim: &CallbackClaim,
        end: &CallbackEnd,
        now: Timestamp,
    ) -> Result<bool> {
        let (status, failure, ready_at) = match end {
            CallbackEnd::Delivered => (CallbackStatus::Delivered, None, None),
            CallbackEnd::Retry(failure, at) => (CallbackStatus::Pending, Some(failure.as_str()), Some(at.0)),
            CallbackEnd::Failed(failure) => (CallbackStatus::Failed, Some(failure.as_str()), None),
        };
        let update = concat!(
            "UPDATE callbacks SET status = ?, failure = ?, worker = NULL, ready_at = ?, updated_at = ? WHERE ",
            held!()
        );
        let done = query(update)
            .bind(status.as_str())
            .bind(failure)
            .bind(ready_at)
            .bind(now.0)
            .bind(&claim.id)
            .bind(claim.attempt)
            .bind(now.0)
            .execute(&self.writes)
            .await?;
        Ok(done == 1)
    }

    /// Makes claimed callbacks due again. Must be called before any is claimed, by the only process that serves this database. In a shared
    /// database claims end with their lease, and nothing is done. Returns the number of callbacks.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn recover_callbacks(&self, now: Timestamp) -> Result<u64> {
        if self.is_shared() {
            return Ok(0);
        }
        let update =
            "UPDATE callbacks SET worker = NULL, ready_at = ?, updated_at = ? WHERE worker IS NOT NULL";
        query(update).bind(now.0).bind(now.0).execute(&self.writes).await
    }

    /// Makes callbacks due whose tasks were ended by a server of an earlier version, which does not know callbacks. Returns their number.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn find_missed_callbacks(&self, now: Timestamp) -> Result<u64> {
        let update = "UPDATE callbacks SET status = 'PENDING', ready_at = ?, updated_at = ?
             WHERE status = 'WAITING' AND EXISTS (
                 SELECT 1 FROM tasks WHERE tasks.id = callbacks.task AND tasks.processed_at IS NOT NULL
             )";
        query(update).bind(now.0).bind(now.0).execute(&self.writes).await
    }

    /// The number of callbacks that are due or wait for their next attempt, for metrics.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn pending_callbacks(&self) -> Result<u64> {
        let count: i64 =
            query("SELECT count(*) FROM callbacks WHERE ready_at IS NOT NULL").scalar(&self.reads).await?;
        Ok(u64::try_from(count).unwrap_or(0))
    }
}

/// The user's task, with its callback.
pub(super) async fn task(on: impl Into<Executor<'_>>, user: &str, id: &str) -> Result<Option<Task>> {
    let row = query(concat!(select_tasks!(), " WHERE tasks.id = ? AND tasks.user_id = ?"))
        .bind(id)
        .bind(user)
        .fetch_optional(on)
        .await?;
    row.as_ref().map(task_of).transpose()
}

/// A row of [`select_tasks`].
pub(super) fn task_of(row: &Row) -> Result<Task> {
    let callback = match row.get::<Option<String>>("callback_url")? {
        Some(url) => Some(Callback {
            url,
            status: status(row.get("callback_status")?)?,
            attempts: row.count("callback_attempts")?,
            failure: row.get("callback_failure")?,
        }),
        None => None,
    };
    Ok(Task { callback, ..rows::task(row)? })
}

/// Whether the user, who is locked, may have one more callback that was not called yet.
pub(super) async fn has_room(transaction: &mut Transaction, user: &str, max: u32) -> Result<bool> {
    let count = "SELECT count(*) FROM callbacks WHERE user_id = ? AND status IN ('WAITING', 'PENDING')";
    let count: i64 = query(count).bind(user).scalar(transaction).await?;
    Ok(count < i64::from(max))
}

/// Inserts the callback of a new task.
pub(super) async fn insert(
    transaction: &mut Transaction,
    task: &Task,
    url: String,
    now: Timestamp,
) -> Result<Callback> {
    let status = CallbackStatus::Waiting;
    query("INSERT INTO callbacks (id, task, user_id, url, status, updated_at) VALUES (?, ?, ?, ?, ?, ?)")
        .bind(ids::uuid()?)
        .bind(&task.id)
        .bind(&task.user)
        .bind(&url)
        .bind(status.as_str())
        .bind(now.0)
        .execute(transaction)
        .await?;
    Ok(Callback { url, status, attempts: 0, failure: None })
}

/// Makes the callback of a task due, if it has one, in the transaction that ends the task.
pub(super) async fn task_ended(transaction: &mut Transaction, task: &str, now: Timestamp) -> Result<()> {
    let update = "UPDATE callbacks SET status = 'PENDING', ready_at = ?, updated_at = ? WHERE task = ? AND status = 'WAITING'";
    let due = query(update).bind(now.0).bind(now.0).bind(task).execute(&mut *transaction).await?;
    match due {
        0 => Ok(()),
        _ => transaction.notify(Signal::CallbackDue).await,
    }
}

fn status(text: &str) -> Result<CallbackStatus> {
    let status = CallbackStatus::ALL.into_iter().find(|status| status.as_str() == text);
    status.ok_or_else(|| StoreError::Row(format!("unknown status of a callback {text}")))
}
