//! The loop of one worker: claim a task, run it, repeat.

use std::pin::pin;
use std::sync::Arc;

use tokio::sync::OnceCell;
use tokio_util::task::AbortOnDropHandle;
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::completion::{AttemptOutcome, record_outcome};
use super::{POLL_INTERVAL, WorkerConfig, attempt};
use crate::app::App;
use crate::store::Claim;
use crate::telemetry::TARGET;

/// Runs until the service stops.
pub(super) async fn run(app: Arc<App>, worker: WorkerConfig, recovered: Arc<OnceCell<()>>) {
    recovered.get_or_init(|| recover(&app)).await;
    loop {
        // Register before the queue is checked, so that a task queued meanwhile wakes this worker.
        let mut queued = pin!(app.queued.notified());
        queued.as_mut().enable();
        if app.draining.is_cancelled() || app.stopping.is_cancelled() {
            return;
        }
        if let Some(claim) = claim_next(&app, &worker).await
            && process(&app, &worker, claim).await
        {
            continue;
        }
        tokio::select! {
            () = app.draining.cancelled() => return,
            () = app.stopping.cancelled() => return,
            () = queued => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Returns the tasks of an earlier process to the queue. No task is claimed before this is done.
async fn recover(app: &App) {
    while !app.stopping.is_cancelled() {
        match app.store.recover(app.clock.now()).await {
            Ok(0) => return,
            Ok(count) => {
                return tracing::info!(
                    count,
                    "returned tasks to the queue that an earlier process had claimed"
                );
            }
            Err(error) => {
                tracing::error!(%error, "cannot return the tasks of an earlier process to the queue; will try again")
            }
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn claim_next(app: &App, worker: &WorkerConfig) -> Option<Claim> {
    // A conversion would run out of disk space; the task waits instead.
    if !app.has_free_disk() {
        return None;
    }
    let WorkerConfig { lane, only_short, name } = worker;
    let (lease, max_cpu) = (app.config.lease, app.config.max_cpu_per_user);
    match app.store.claim(*lane, name, *only_short, lease, max_cpu, app.clock.now()).await {
        Ok(claim) => claim,
        Err(error) => {
            tracing::error!(%error, worker = name, "cannot claim a task");
            None
        }
    }
}

/// Runs one task; false if the worker should pause. A panic ends the attempt, not the worker.
async fn process(app: &Arc<App>, worker: &WorkerConfig, claim: Claim) -> bool {
    let span = tracing::info_span!(
        "task",
        id = claim.task.id,
        attempt = claim.task.attempt,
        request_id = claim.task.request_id
    );
    let traced = trace(app, &claim);
    let work = attempt::run(Arc::clone(app), claim.clone(), worker.only_short);
    let work = work.instrument(traced.clone()).instrument(span.clone());
    match AbortOnDropHandle::new(tokio::spawn(work)).await {
        Ok(ended) => ended,
        Err(error) => {
            let outcome = AttemptOutcome::Fault(error.to_string());
            let recorded = record_outcome(app, &claim, claim.task.metadata.clone(), outcome);
            recorded.instrument(traced).instrument(span).await
        }
    }
}

/// The span of a claim, from its beginning to the outcome.
fn trace(app: &App, claim: &Claim) -> Span {
    let task = &claim.task;
    tracing::info_span!(
        target: TARGET,
        "task",
        otel.kind = "consumer",
        filepress.request_id = task.request_id,
        filepress.task.id = task.id,
        filepress.task.attempt = task.attempt,
        filepress.task.lane = task.lane.as_str(),
        filepress.task.input = task.input_format.as_str(),
        filepress.task.output = task.output_format.as_str(),
        filepress.task.seconds_since_creation = app.clock.now().since(task.created_at).as_secs_f64(),
        filepress.task.outcome = Empty,
    )
}
