//! One worker: waits for a task of its lane, has it carried out, and waits for the next.

use std::pin::pin;
use std::sync::Arc;

use tokio::sync::OnceCell;
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::completion::{AttemptOutcome, record_outcome};
use super::{POLL_INTERVAL, WorkerConfig, attempt};
use crate::app::App;
use crate::store::Claim;

/// Works until the service stops.
pub(super) async fn run(app: Arc<App>, worker: WorkerConfig, recovered: Arc<OnceCell<()>>) {
    recovered.get_or_init(|| recover(&app)).await;
    loop {
        // Heard from here on, so that a task which comes while the queue is looked at is not slept over.
        let mut queued = pin!(app.queued.notified());
        queued.as_mut().enable();
        if app.stopping.is_cancelled() {
            return;
        }
        if let Some(claim) = claim_next(&app, &worker).await
            && process(&app, &worker, claim).await
        {
            continue;
        }
        tokio::select! {
            () = app.stopping.cancelled() => return,
            () = queued => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Gives back what a process that died had claimed. Nothing is claimed before this was done.
async fn recover(app: &App) {
    while !app.stopping.is_cancelled() {
        match app.store.recover(app.clock.now()).await {
            Ok(0) => return,
            Ok(count) => {
                return tracing::info!(count, "tasks of a process that ended are in the queue again");
            }
            Err(error) => tracing::error!(%error, "the queue could not be taken over"),
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn claim_next(app: &App, worker: &WorkerConfig) -> Option<Claim> {
    // A conversion that runs out of room is work for nothing; what waits is safe.
    if !app.has_free_disk() {
        return None;
    }
    let WorkerConfig { lane, only_short, name } = worker;
    match app.store.claim(*lane, name, *only_short, app.config.lease, app.clock.now()).await {
        Ok(claim) => claim,
        Err(error) => {
            tracing::error!(%error, worker = name, "no task could be claimed");
            None
        }
    }
}

/// False where the worker does well to rest. A panic is the end of an attempt, not of the worker.
async fn process(app: &Arc<App>, worker: &WorkerConfig, claim: Claim) -> bool {
    let span = tracing::info_span!(
        "task",
        id = claim.task.id,
        attempt = claim.task.attempt,
        request_id = claim.task.request_id
    );
    let work = attempt::run(Arc::clone(app), claim.clone(), worker.only_short).instrument(span.clone());
    match AbortOnDropHandle::new(tokio::spawn(work)).await {
        Ok(ended) => ended,
        Err(error) => {
            let outcome = AttemptOutcome::Fault(error.to_string());
            record_outcome(app, &claim, claim.task.metadata.clone(), outcome).instrument(span).await
        }
    }
}
