//! Renews the lease of a claim while its task runs, at the latest after a quarter of its length, and stores the progress. The update of
//! the row is `heartbeat` in `store/queue.rs`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Map, Value};

use crate::app::App;
use crate::clock::Timestamp;
use crate::store::{Claim, ClaimStatus};

/// The shortest time between updates of the progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);
/// The smallest change of the progress that is stored.
const MIN_PROGRESS_STEP: f64 = 0.01;

/// The progress of a conversion, 0 to 1.
#[derive(Debug, Default)]
pub(super) struct Progress(AtomicU64);

impl Progress {
    /// Raises the progress; it never decreases, and NaN counts as 0.
    pub(super) fn set(&self, done: f64) {
        let done = if done.is_nan() { 0.0 } else { done.clamp(0.0, 1.0) };
        // Nonnegative floats have the same order as their bits.
        self.0.fetch_max(done.to_bits(), Ordering::Relaxed);
    }

    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// The `processing_metadata` of an attempt before its outcome is known.
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

/// Renews the lease until the claim is lost. A cancellation by this process is noticed at once, one by another process at the next
/// heartbeat.
pub(super) async fn run(app: &App, claim: &Claim, progress: &Progress) {
    let quarter = app.config.lease / 4;
    let (mut last_heartbeat, mut shown) = (app.clock.now(), 0.0);
    let mut canceled = Box::pin(app.canceled.notified());
    // Register before the first wait, so that no notification is missed.
    canceled.as_mut().enable();
    loop {
        tokio::select! {
            () = &mut canceled => {
                canceled.set(app.canceled.notified());
                canceled.as_mut().enable();
                match app.store.claim_status(claim, app.clock.now()).await {
                    Ok(ClaimStatus::Held) => {}
                    Ok(_) => return,
                    Err(error) => tracing::warn!(%error, "cannot check whether a task was canceled; will check at the next heartbeat"),
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
            // The next round tries again; at worst the lease expires.
            Err(error) => tracing::warn!(%error, "cannot renew the lease of a task; will try again"),
        }
    }
}
