//! Records the outcome of an attempt: once, and only while its claim is held.

use std::time::Duration;

use filepress_wire::TaskErrorCode;
use serde_json::{Map, Value};

use super::POLL_INTERVAL;
use super::conversion::StoredOutput;
use crate::app::App;
use crate::store::completion::with_error;
use crate::store::records::{Lane, Status};
use crate::store::{Claim, ClaimStatus, StoreError, TaskOutput};

/// The outcome of an attempt.
#[derive(Debug)]
pub(super) enum AttemptOutcome {
    /// It produced an output.
    Completed(StoredOutput),
    /// The file cannot be converted: the error code and a sentence for the user.
    Failed(TaskErrorCode, String),
    /// The infrastructure failed; the text is for the log.
    Fault(String),
    /// A worker for short tasks found that it is a long one.
    TooLong,
    /// The service stops.
    Stopped,
    /// The claim was lost; an output may remain.
    Lost(Option<StoredOutput>),
}

/// The change to the row of the task.
enum TaskUpdate {
    Completed(TaskOutput),
    Failed(Map<String, Value>),
    Retried(Map<String, Value>),
    Released,
    Reclassed,
}

/// Records an outcome; `metadata` is stored with every outcome. False if the worker should pause before the next task.
pub(super) async fn record_outcome(
    app: &App,
    claim: &Claim,
    mut metadata: Map<String, Value>,
    outcome: AttemptOutcome,
) -> bool {
    charge(app, claim).await;
    let mut output = None;
    // A full disk makes tools fail in many ways; the task is not to blame and is retried.
    let full =
        matches!(outcome, AttemptOutcome::Failed(..) | AttemptOutcome::Fault(_)) && !app.has_free_disk();
    let update = match outcome {
        AttemptOutcome::Completed(made) => {
            metadata.extend(made.metadata);
            metadata.insert("progress".to_owned(), 1.0.into());
            output = Some(made.received.blob.clone());
            let expires_at = app.clock.now().after(app.config.retention);
            let (received, is_archive) = (made.received, made.is_archive);
            TaskUpdate::Completed(TaskOutput { received, is_archive, expires_at, metadata })
        }
        AttemptOutcome::Failed(code, detail) if full => {
            tracing::warn!(%code, detail, "the disk is full; returned the task to the queue");
            TaskUpdate::Released
        }
        AttemptOutcome::Failed(code, detail) => TaskUpdate::Failed(with_error(metadata, code, &detail)),
        AttemptOutcome::Fault(reason) if full => {
            tracing::warn!(reason, "the disk is full; returned the task to the queue");
            TaskUpdate::Released
        }
        AttemptOutcome::Fault(reason) => {
            tracing::error!(reason, "a task failed because of the infrastructure");
            TaskUpdate::Retried(metadata)
        }
        AttemptOutcome::TooLong => TaskUpdate::Reclassed,
        AttemptOutcome::Stopped => TaskUpdate::Released,
        AttemptOutcome::Lost(made) => {
            remove_orphan(app, made.map(|made| made.received.blob)).await;
            log_outcome(app, claim, fenced_outcome(app, claim).await);
            return true;
        }
    };
    let outcome = persist(app, claim, &update).await;
    match &outcome {
        // Whether it was recorded may be unknown, and even still to be decided: the garbage collector deletes what was not.
        Ok("completed") | Err(StoreError::Unavailable(_) | StoreError::Database(_)) => {}
        Ok(_) | Err(_) => remove_orphan(app, output).await,
    }
    match &outcome {
        Ok("fenced") => log_outcome(app, claim, fenced_outcome(app, claim).await),
        Ok(outcome) => {
            // Whether the task has a callback is known to the database alone.
            app.callback_due.notify_waiters();
            log_outcome(app, claim, outcome);
        }
        // Nothing was recorded: the lease expires, and the task is claimed again.
        Err(error) => tracing::error!(%error, "cannot record the outcome of a task"),
    }
    matches!(outcome, Ok(outcome) if outcome != "released")
}

/// Charges the owner for the attempt, whatever its outcome: its duration times the processors that its lane has for one task.
async fn charge(app: &App, claim: &Claim) {
    let now = app.clock.now();
    let workers = match claim.task.lane {
        Lane::Image => app.config.image_workers,
        Lane::Heavy => app.config.heavy_workers,
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from).div_ceil(workers.max(1));
    // The claim set `updated_at`.
    let took = now.since(claim.task.updated_at).saturating_mul(u32::try_from(processors).unwrap_or(1));
    if let Err(error) = app.store.charge(&claim.task.user, took, now).await {
        tracing::warn!(%error, "cannot charge an attempt to its owner");
    }
}

/// Applies an update. Retries while the disk is full or the database cannot be reached, until the lease expires.
async fn persist(app: &App, claim: &Claim, update: &TaskUpdate) -> Result<&'static str, StoreError> {
    loop {
        match write(app, claim, update).await {
            Err(error @ (StoreError::Full | StoreError::Unavailable(_))) if !app.stopping.is_cancelled() => {
                tracing::warn!(%error, "cannot record the outcome of a task; will try again");
            }
            done => return done,
        }
        tokio::select! {
            () = app.stopping.cancelled() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Applies an update and returns the outcome as the metrics name it.
async fn write(app: &App, claim: &Claim, update: &TaskUpdate) -> Result<&'static str, StoreError> {
    let (store, now) = (&app.store, app.clock.now());
    Ok(match update {
        TaskUpdate::Completed(finished) => match store.complete(claim, finished.clone(), now).await? {
            Some(_) => "completed",
            None => "fenced",
        },
        TaskUpdate::Failed(metadata) => match store.fail(claim, metadata.clone(), now).await? {
            true => "failed",
            false => "fenced",
        },
        TaskUpdate::Retried(metadata) => {
            let pause = Duration::from_secs(1 << claim.task.attempt.min(6));
            match store.retry(claim, metadata.clone(), now.after(pause), now).await? {
                Some(Status::Failed) => "failed",
                Some(_) => "retried",
                None => "fenced",
            }
        }
        TaskUpdate::Reclassed => match store.release_as_long(claim, now).await? {
            true => "reclassed",
            false => "fenced",
        },
        TaskUpdate::Released => match store.release(claim, now).await? {
            true => "released",
            false => "fenced",
        },
    })
}

/// Removes an output that no file refers to. An earlier write that returned an error may have been committed, so this checks first.
async fn remove_orphan(app: &App, output: Option<String>) {
    let Some(blob) = output else { return };
    let orphans = app.store.orphans(std::slice::from_ref(&blob)).await;
    if orphans.is_ok_and(|orphans| !orphans.is_empty())
        && let Err(error) = app.blobs.remove(&blob).await
    {
        tracing::warn!(%error, "cannot delete an orphaned output; the garbage collector will");
    }
}

/// The outcome, as the metrics name it, of an attempt whose claim was not held any more.
async fn fenced_outcome(app: &App, claim: &Claim) -> &'static str {
    match app.store.claim_status(claim, app.clock.now()).await {
        Ok(ClaimStatus::Canceled) => "canceled",
        _ => "fenced",
    }
}

fn log_outcome(app: &App, claim: &Claim, outcome: &'static str) {
    let task = &claim.task;
    // The claim set `updated_at`.
    let took = app.clock.now().since(task.updated_at);
    app.metrics.task(task.input_format, task.output_format, outcome, took);
    if outcome == "completed" {
        app.metrics.inputs(task.input_format, task.output_format, task.input_count);
    }
    tracing::Span::current().record("filepress.task.outcome", outcome);
    tracing::info!(outcome, milliseconds = took.as_millis(), "an attempt at a task ended");
}
