//! The queue. A worker claims a task with a lease, renews the lease by heartbeats, and runs the task outside any transaction. A worker
//! whose lease has expired neither renews it nor writes a result: the attempt number fences it off.

use std::time::Duration;

use filepress_wire::TaskErrorCode;
use serde_json::{Map, Value, json};

use super::completion::{set_failed, with_error};
use super::engine::{LockMode, Row, Transaction, query};
use super::error::Result;
use super::lease::{Claim, MAX_ATTEMPTS, held};
use super::records::{Lane, Status, Task};
use super::{Store, fair_queue, rows, task_inputs};
use crate::clock::Timestamp;

impl Store {
    /// Claims the next task of the lane, in the order of [`super::fair_queue`]: one that waits, or one whose lease has expired.
    /// `attempt` grows by one. With `only_short`, long tasks are skipped. A task whose worker was lost for the [`MAX_ATTEMPTS`]th
    /// time becomes FAILED with `worker_lost`, and one whose input has expired with `input_gone`. Users who have used the processor time
    /// `max_cpu` today (UTC) have none until the next day; what tasks that run will be charged with is not known yet.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn claim(
        &self,
        lane: Lane,
        worker: &str,
        only_short: bool,
        lease: Duration,
        max_cpu: Option<Duration>,
        now: Timestamp,
    ) -> Result<Option<Claim>> {
        let mut transaction = self.begin().await?;
        let claim = loop {
            let row = fair_queue::next(&mut transaction, lane, only_short, max_cpu, now).await?;
            let Some(row) = row else { break None };
            let task = rows::task(&row)?;
            let lost = rows::is_claimed(&row)?;
            let faults = row.count::<u32>("faults")? + u32::from(lost);
            if faults >= MAX_ATTEMPTS {
                let metadata =
                    with_error(task.metadata, TaskErrorCode::WorkerLost, "Please try again later.");
                set_failed(&mut transaction, &task.id, &metadata, now).await?;
                continue;
            }
            let select = "SELECT * FROM files WHERE id = ? AND blob IS NOT NULL AND expires_at > ?";
            let input = query(format!("{select}{}", transaction.lock(LockMode::Keep, "files")))
                .bind(&task.input)
                .bind(now.0)
                .fetch_optional(&mut transaction)
                .await?;
            let input = input.as_ref().map(rows::file).transpose()?;
            let more_inputs = task_inputs::files(&mut transaction, &task, now).await?;
            let (Some(input), Some(more_inputs)) = (input, more_inputs) else {
                let detail = "The input expired while the task was waiting.";
                let metadata = with_error(task.metadata, TaskErrorCode::InputGone, detail);
                set_failed(&mut transaction, &task.id, &metadata, now).await?;
                continue;
            };
            fair_queue::record_turn(&mut transaction, lane, &task.user).await?;
            let task = take(&mut transaction, &task, faults, worker, lease, now).await?;
            break Some(Claim {
                task: rows::task(&task)?,
                input,
                more_inputs,
                secrets: rows::secrets(&task)?,
            });
        };
        transaction.commit().await?;
        Ok(claim)
    }

    /// Renews the lease and stores the progress; false if the claim was lost.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn heartbeat(
        &self,
        claim: &Claim,
        metadata: &Map<String, Value>,
        lease: Duration,
        now: Timestamp,
    ) -> Result<bool> {
        let done =
            query(concat!("UPDATE tasks SET ready_at = ?, metadata = ?, updated_at = ? WHERE ", held!()))
                .bind(now.after(lease).0)
                .bind(rows::text(metadata)?)
                .bind(now.0)
                .bind(&claim.task.id)
                .bind(claim.task.attempt)
                .bind(now.0)
                .execute(&self.writes)
                .await?;
        Ok(done == 1)
    }
}

async fn take(
    transaction: &mut Transaction,
    task: &Task,
    faults: u32,
    worker: &str,
    lease: Duration,
    now: Timestamp,
) -> Result<Row> {
    let attempt = task.attempt + 1;
    let metadata = json!({ "attempt": attempt, "progress": 0.0 }).to_string();
    let row = query(
        "UPDATE tasks SET status = ?, attempt = ?, faults = ?, worker = ?, ready_at = ?, metadata = ?, updated_at = ?,
             started_at = coalesce(started_at, ?)
         WHERE id = ? RETURNING *",
    )
    .bind(Status::Processing.as_str())
    .bind(attempt)
    .bind(faults)
    .bind(worker)
    .bind(now.after(lease).0)
    .bind(metadata)
    .bind(now.0)
    .bind(now.0)
    .bind(&task.id)
    .fetch_one(transaction)
    .await?;
    Ok(row)
}
