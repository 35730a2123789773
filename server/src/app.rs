//! What every handler and worker shares.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::blobs::Blobs;
use crate::clock::Clock;
use crate::config::Config;
use crate::http::error::{ApiError, Result};
use crate::http::ready::Readiness;
use crate::media::Toolbox;
use crate::metrics::Metrics;
use crate::signing::Signer;
use crate::store::Store;

/// The parts of a running service.
pub struct App {
    /// What it was told.
    pub config: Config,
    /// The base of every link, without a slash at its end.
    pub public_url: String,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Rows.
    pub store: Store,
    /// Bytes.
    pub blobs: Blobs,
    /// Tools.
    pub tools: Toolbox,
    /// Signs and checks URLs.
    pub signer: Signer,
    /// Whether the database works.
    pub readiness: Readiness,
    /// Counts.
    pub metrics: Metrics,
    /// Wakes the workers (`notify_waiters`, since those of either lane wait) when a task was queued.
    pub queued: Notify,
    /// Has every worker look whether the task that it works at was canceled.
    pub canceled: Notify,
    /// The service ends: no more work is taken in.
    pub stopping: CancellationToken,
}

impl App {
    /// That `bytes` more can be taken in: the service does not stop, and the disk stays free enough.
    ///
    /// # Errors
    /// 503.
    pub fn takes_in(&self, bytes: u64) -> Result<()> {
        if self.stopping.is_cancelled() {
            return Err(ApiError::shutting_down());
        }
        if self.blobs.free()? < self.config.min_free_disk.saturating_add(bytes) {
            return Err(ApiError::disk_full());
        }
        Ok(())
    }
}
