//! What came of an attempt, and how it is written down: never twice, and not at all by one whose claim is lost.

use std::time::Duration;

use filepress_wire::TaskErrorCode;
use serde_json::{Map, Value};

use super::POLL_INTERVAL;
use super::conversion::StoredOutput;
use crate::app::App;
use crate::store::completion::with_error;
use crate::store::records::{Lane, Status};
use crate::store::{Claim, ClaimStatus, StoreError, TaskOutput};

/// What came of an attempt.
#[derive(Debug)]
pub(super) enum AttemptOutcome {
    /// An output.
    Completed(StoredOutput),
    /// The file cannot be converted: why, and in other words.
    Failed(TaskErrorCode, String),
    /// The machine failed.
    Fault(String),
    /// It is no short task.
    TooLong,
    /// The service stops.
    Stopped,
    /// The claim is someone else's now; an output may be left over.
    Lost(Option<StoredOutput>),
}

/// What is to be written.
enum TaskUpdate {
    Completed(TaskOutput),
    Failed(Map<String, Value>),
    Retried(Map<String, Value>),
    Released,
    Reclassed,
}

/// Writes an ending down; `metadata` is what every ending shows. False where the worker does well to rest.
pub(super) async fn record_outcome(
    app: &App,
    claim: &Claim,
    mut metadata: Map<String, Value>,
    outcome: AttemptOutcome,
) -> bool {
    charge(app, claim).await;
    let mut output = None;
    // Tools fail in many ways when they find no room, and none of them is the task's fault.
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
            tracing::warn!(%code, detail, "the disk is full: the task waits");
            TaskUpdate::Released
        }
        AttemptOutcome::Failed(code, detail) => TaskUpdate::Failed(with_error(metadata, code, &detail)),
        AttemptOutcome::Fault(reason) if full => {
            tracing::warn!(reason, "the disk is full: the task waits");
            TaskUpdate::Released
        }
        AttemptOutcome::Fault(reason) => {
            tracing::error!(reason, "a task met a fault");
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
    if !matches!(outcome, Ok("completed")) {
        remove_orphan(app, output).await;
    }
    match &outcome {
        Ok("fenced") => log_outcome(app, claim, fenced_outcome(app, claim).await),
        Ok(outcome) => log_outcome(app, claim, outcome),
        // It did not happen: the lease runs out, and the task is taken up again.
        Err(error) => tracing::error!(%error, "the end of a task could not be written down"),
    }
    matches!(outcome, Ok(outcome) if outcome != "released")
}

/// Charges the owner with the attempt, whatever came of it: its time, on as many processors as its lane has for one task.
async fn charge(app: &App, claim: &Claim) {
    let now = app.clock.now();
    let workers = match claim.task.lane {
        Lane::Image => app.config.image_workers,
        Lane::Heavy => app.config.heavy_workers,
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from).div_ceil(workers.max(1));
    // It is the claim that set this time.
    let took = now.since(claim.task.updated_at).saturating_mul(u32::try_from(processors).unwrap_or(1));
    if let Err(error) = app.store.charge(&claim.task.user, took, now).await {
        tracing::warn!(%error, "an attempt was not charged");
    }
}

/// Writes a row. While the disk is full it is tried again; the end of the lease is the end of that too.
async fn persist(app: &App, claim: &Claim, update: &TaskUpdate) -> Result<&'static str, StoreError> {
    loop {
        match write(app, claim, update).await {
            Err(StoreError::Full) if !app.stopping.is_cancelled() => {
                tracing::warn!("the disk is full: the end of a task is yet to be written down");
            }
            done => return done,
        }
        tokio::select! {
            () = app.stopping.cancelled() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Writes a row, and gives the outcome in the words of the metrics.
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

/// Removes an output that nobody owns. A write that seemed to fail may have been done all the same: only what is in no row is
/// removed.
async fn remove_orphan(app: &App, output: Option<String>) {
    let Some(blob) = output else { return };
    let orphans = app.store.orphans(std::slice::from_ref(&blob)).await;
    if orphans.is_ok_and(|orphans| !orphans.is_empty())
        && let Err(error) = app.blobs.remove(&blob).await
    {
        tracing::warn!(%error, "an output that nobody owns was not deleted; the sweep will");
    }
}

/// Why nothing was written, in the words of the metrics.
async fn fenced_outcome(app: &App, claim: &Claim) -> &'static str {
    match app.store.claim_status(claim, app.clock.now()).await {
        Ok(ClaimStatus::Canceled) => "canceled",
        _ => "fenced",
    }
}

fn log_outcome(app: &App, claim: &Claim, outcome: &'static str) {
    let task = &claim.task;
    // It is the claim that set this time.
    let took = app.clock.now().since(task.updated_at);
    app.metrics.task(task.input_format, task.output_format, outcome, took);
    tracing::info!(outcome, milliseconds = took.as_millis(), "a task ended");
}
