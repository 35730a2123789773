//! Keeps a claim while its task is worked at, and shows how far it is.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Map, Value};

use crate::app::App;
use crate::clock::Timestamp;
use crate::store::{Claim, ClaimStatus};

/// How often progress is shown at the most.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);
/// Less progress than this is not worth a write.
const MIN_PROGRESS_STEP: f64 = 0.01;

/// How far a conversion is, 0 to 1, written by it and read here.
#[derive(Debug, Default)]
pub(super) struct Progress(AtomicU64);

impl Progress {
    /// Never goes back; anything but a number counts as nothing.
    pub(super) fn set(&self, done: f64) {
        let done = if done.is_nan() { 0.0 } else { done.clamp(0.0, 1.0) };
        // The order of floats from zero up is that of their bits.
        self.0.fetch_max(done.to_bits(), Ordering::Relaxed);
    }

    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// What is shown of an attempt, whatever comes of it.
    pub(super) fn metadata(&self, claim: &Claim, now: Timestamp) -> Map<String, Value> {
        // It is the claim that set this time.
        let took = now.since(claim.task.updated_at);
        let mut shown = Map::new();
        shown.insert("attempt".to_owned(), claim.task.attempt.into());
        shown.insert("progress".to_owned(), self.get().into());
        shown.insert("duration_ms".to_owned(), u64::try_from(took.as_millis()).unwrap_or(u64::MAX).into());
        shown
    }
}

/// Prolongs the claim for as long as it is polled; returns when the claim is lost. That its task was canceled is seen at once
/// where this process was told, else by the next heartbeat.
pub(super) async fn run(app: &App, claim: &Claim, progress: &Progress) {
    let quarter = app.config.lease / 4;
    let (mut last_heartbeat, mut shown) = (app.clock.now(), 0.0);
    let mut canceled = Box::pin(app.canceled.notified());
    // One that comes before the first wait counts too.
    canceled.as_mut().enable();
    loop {
        tokio::select! {
            () = &mut canceled => {
                canceled.set(app.canceled.notified());
                canceled.as_mut().enable();
                match app.store.claim_status(claim, app.clock.now()).await {
                    Ok(ClaimStatus::Held) => {}
                    Ok(_) => return,
                    Err(error) => tracing::warn!(%error, "whether a task was canceled is not known yet"),
                }
            }
            () = tokio::time::sleep(quarter.min(PROGRESS_INTERVAL)) => {}
        }
        let (now, done) = (app.clock.now(), progress.get());
        if now.since(last_heartbeat) < quarter && done - shown < MIN_PROGRESS_STEP {
            continue;
        }
        let metadata = progress.metadata(claim, now);
        match app.store.heartbeat(claim, &metadata, app.config.lease, now).await {
            Ok(true) => (last_heartbeat, shown) = (now, done),
            Ok(false) => return,
            // Tried again soon; at worst the lease runs out.
            Err(error) => tracing::warn!(%error, "a heartbeat failed"),
        }
    }
}
