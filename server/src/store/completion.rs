//! The end of a claim. Its outcome is written only while the claim is held.

use filepress_wire::{MediaType, TaskErrorCode};
use serde_json::{Map, Value, json};

use super::engine::signals::Signal;
use super::engine::{LockMode, Transaction, query};
use super::error::Result;
use super::files::next_created_at;
use super::lease::{Claim, MAX_ATTEMPTS, held};
use super::records::{File, Status};
use super::{FileContent, Store, callbacks, rows};
use crate::clock::Timestamp;
use crate::ids;

/// The finished output of a claimed task.
#[derive(Debug, Clone)]
pub struct TaskOutput {
    /// Its content.
    pub received: FileContent,
    /// The content is a ZIP archive of files of the requested type.
    pub is_archive: bool,
    /// When the output file is deleted.
    pub expires_at: Timestamp,
    /// The final `processing_metadata`.
    pub metadata: Map<String, Value>,
}

impl Store {
    /// Creates the output file and makes the task COMPLETED, in one transaction. `None` if the claim was lost; the blob is then
    /// orphaned.
    ///
    /// # Errors
    ///
    /// If the database fails; the blob is then orphaned too.
    pub async fn complete(
        &self,
        claim: &Claim,
        finished: TaskOutput,
        now: Timestamp,
    ) -> Result<Option<File>> {
        let mut transaction = self.begin().await?;
        let task = &claim.task;
        transaction.lock_user(&task.user).await?;
        let id = ids::uuid()?;
        let done = query(concat!(
            "UPDATE tasks SET status = ?, output = ?, metadata = ?, secrets = NULL, worker = NULL, ready_at = NULL,
                 updated_at = ?, processed_at = ? WHERE ",
            held!()
        ))
        .bind(Status::Completed.as_str())
        .bind(&id)
        .bind(rows::text(&finished.metadata)?)
        .bind(now.0)
        .bind(now.0)
        .bind(&task.id)
        .bind(task.attempt)
        .bind(now.0)
        .execute(&mut transaction)
        .await?;
        if done == 0 {
            return Ok(None);
        }
        callbacks::task_ended(&mut transaction, &task.id, now).await?;
        let created_at = next_created_at(&mut transaction, &task.user, now).await?;
        let received = finished.received;
        let row = query(
            "INSERT INTO files (id, user_id, format, sniffed, size, blob, sha256, public, created_at, updated_at, uploaded_at,
                 expires_at, is_archive)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
        )
        .bind(&id)
        .bind(&task.user)
        .bind(task.output_format.as_str())
        .bind(received.sniffed.map(MediaType::as_str))
        .bind(rows::size(received.size)?)
        .bind(received.blob)
        .bind(received.sha256)
        .bind(task.public)
        .bind(created_at)
        .bind(created_at)
        .bind(now.0)
        .bind(finished.expires_at.0)
        .bind(finished.is_archive)
        .fetch_one(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(Some(rows::file(&row)?))
    }

    /// Makes the task FAILED; false if the claim was lost. `metadata` contains `error`.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn fail(&self, claim: &Claim, metadata: Map<String, Value>, now: Timestamp) -> Result<bool> {
        let mut transaction = self.begin().await?;
        let held = faults_if_held(&mut transaction, claim, now).await?.is_some();
        if held {
            set_failed(&mut transaction, &claim.task.id, &metadata, now).await?;
            transaction.commit().await?;
        }
        Ok(held)
    }

    /// Returns the task to the queue after an infrastructure failure; it may be claimed again from `not_before` on. After the last
    /// attempt the task becomes FAILED with `internal`. Returns the new status; `None` if the claim was lost.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn retry(
        &self,
        claim: &Claim,
        metadata: Map<String, Value>,
        not_before: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Status>> {
        let mut transaction = self.begin().await?;
        let Some(faults) = faults_if_held(&mut transaction, claim, now).await? else { return Ok(None) };
        let status = if faults + 1 < MAX_ATTEMPTS {
            query(
                "UPDATE tasks SET worker = NULL, ready_at = ?, faults = ?, metadata = ?, updated_at = ? WHERE id = ?",
            )
            .bind(not_before.0)
            .bind(faults + 1)
            .bind(rows::text(&metadata)?)
            .bind(now.0)
            .bind(&claim.task.id)
            .execute(&mut transaction)
            .await?;
            Status::Processing
        } else {
            let metadata = with_error(metadata, TaskErrorCode::Internal, "Please try again later.");
            set_failed(&mut transaction, &claim.task.id, &metadata, now).await?;
            Status::Failed
        };
        transaction.commit().await?;
        Ok(Some(status))
    }

    /// Returns the task to the queue without counting a failure, because the service is stopping or its disk is full. False if the
    /// claim was lost.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn release(&self, claim: &Claim, now: Timestamp) -> Result<bool> {
        self.requeue(claim, "class", now).await
    }

    /// As [`Self::release`], and marks the task as long.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn release_as_long(&self, claim: &Claim, now: Timestamp) -> Result<bool> {
        self.requeue(claim, "'long'", now).await
    }

    async fn requeue(&self, claim: &Claim, class: &str, now: Timestamp) -> Result<bool> {
        let mut transaction = self.begin().await?;
        let done = query(format!(
            "UPDATE tasks SET worker = NULL, ready_at = ?, class = {class}, updated_at = ? WHERE {}",
            held!()
        ))
        .bind(now.0)
        .bind(now.0)
        .bind(&claim.task.id)
        .bind(claim.task.attempt)
        .bind(now.0)
        .execute(&mut transaction)
        .await?;
        transaction.notify(Signal::Queued).await?;
        transaction.commit().await?;
        Ok(done == 1)
    }
}

/// Adds `error` to `processing_metadata`.
pub(crate) fn with_error(
    mut metadata: Map<String, Value>,
    code: TaskErrorCode,
    detail: &str,
) -> Map<String, Value> {
    let error = json!({ "code": code.as_str(), "title": code.title(), "detail": detail });
    metadata.insert("error".to_owned(), error);
    metadata
}

/// Makes the task FAILED, and its callback due.
pub(super) async fn set_failed(
    transaction: &mut Transaction,
    id: &str,
    metadata: &Map<String, Value>,
    now: Timestamp,
) -> Result<()> {
    query(
        "UPDATE tasks SET status = ?, metadata = ?, secrets = NULL, worker = NULL, ready_at = NULL, updated_at = ?,
             processed_at = ?
         WHERE id = ?",
    )
    .bind(Status::Failed.as_str())
    .bind(rows::text(metadata)?)
    .bind(now.0)
    .bind(now.0)
    .bind(id)
    .execute(&mut *transaction)
    .await?;
    callbacks::task_ended(transaction, id, now).await
}

async fn faults_if_held(transaction: &mut Transaction, claim: &Claim, now: Timestamp) -> Result<Option<u32>> {
    let lock = transaction.lock(LockMode::Change, "tasks");
    let row = query(format!(concat!("SELECT faults FROM tasks WHERE ", held!(), "{}"), lock))
        .bind(&claim.task.id)
        .bind(claim.task.attempt)
        .bind(now.0)
        .fetch_optional(transaction)
        .await?;
    row.map(|row| row.count("faults")).transpose()
}
