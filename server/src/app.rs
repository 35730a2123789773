//! [`App`], the state that HTTP handlers and workers share: settings, database, contents of files, tools and signing keys, and the
//! signals that wake, cancel and stop workers. It also decides whether new work is accepted.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::blobs::Blobs;
use crate::callbacks::Caller;
use crate::clock::Clock;
use crate::config::Config;
use crate::media::Toolbox;
use crate::metrics::Metrics;
use crate::readiness::Readiness;
use crate::signing::Signer;
use crate::store::Store;
use crate::upload_locks::UploadLocks;
use crate::upload_turns::UploadTurns;

/// The parts of a running service.
pub struct App {
    /// The settings.
    pub config: Config,
    /// The base URL of all links, without a trailing slash.
    pub public_url: String,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The database.
    pub store: Store,
    /// The contents of files.
    pub blobs: Blobs,
    /// Which request writes to which resumable upload.
    pub upload_locks: UploadLocks,
    /// Whether links of uploads lead to the object store: if the settings say so, from when the store has passed its test on.
    pub direct_uploads: AtomicBool,
    /// Whether downloads are redirected to the object store: likewise.
    pub direct_downloads: AtomicBool,
    /// Which direct uploads become contents now.
    pub upload_turns: UploadTurns,
    /// The conversion tools.
    pub tools: Toolbox,
    /// Signs and verifies URLs.
    pub signer: Signer,
    /// The cached health check of the database.
    pub readiness: Readiness,
    /// Metrics.
    pub metrics: Metrics,
    /// Wakes idle workers when a task is queued. Use `notify_waiters`: the workers of both lanes wait here.
    pub queued: Notify,
    /// Makes every worker check whether its task was canceled.
    pub canceled: Notify,
    /// Calls the URLs of callbacks.
    pub caller: Caller,
    /// Wakes whoever calls callbacks when a task has ended that has one.
    pub callback_due: Notify,
    /// Cancelled when the service is about to stop: no task is begun, and `/readyz` says so.
    pub draining: CancellationToken,
    /// Cancelled when the service stops; no new work is accepted then.
    pub stopping: CancellationToken,
}

/// Why the service accepts no new work.
#[derive(Debug)]
pub enum Unavailable {
    /// The service is stopping.
    ShuttingDown,
    /// Less than `min-free-disk` would stay free.
    DiskFull,
    /// The database cannot be written.
    Database,
    /// The file system does not report its free space.
    Io(io::Error),
}

impl App {
    /// Checks that `bytes` more can be accepted: the service is not stopping, and `min-free-disk` stays free on this machine. An object
    /// store has room for whatever a user may store.
    ///
    /// # Errors
    /// [`Unavailable`]
    pub fn accepts(&self, bytes: u64) -> Result<(), Unavailable> {
        if self.stopping.is_cancelled() {
            return Err(Unavailable::ShuttingDown);
        }
        let free_space = self.blobs.free_space().map_err(Unavailable::Io)?;
        let bytes = if self.blobs.is_remote() { 0 } else { bytes };
        if free_space < self.config.min_free_disk.saturating_add(bytes) {
            return Err(Unavailable::DiskFull);
        }
        Ok(())
    }

    /// Checks that work can be accepted and the database can be written.
    ///
    /// # Errors
    /// [`Unavailable`]
    pub async fn is_ready(&self) -> Result<(), Unavailable> {
        self.accepts(0)?;
        if self.draining.is_cancelled() {
            return Err(Unavailable::ShuttingDown);
        }
        match self.readiness.check(&self.store).await {
            true => Ok(()),
            false => Err(Unavailable::Database),
        }
    }

    /// Whether `min-free-disk` stays free on this machine if `bytes` more of a file come, which others may have left no room for since that
    /// was accepted.
    ///
    /// # Errors
    /// [`Unavailable`]
    pub fn keeps_free_disk(&self, bytes: u64) -> Result<(), Unavailable> {
        if self.blobs.is_remote() {
            return Ok(());
        }
        let free_space = self.blobs.free_space().map_err(Unavailable::Io)?;
        match free_space < self.config.min_free_disk.saturating_add(bytes) {
            true => Err(Unavailable::DiskFull),
            false => Ok(()),
        }
    }

    /// Whether at least `min-free-disk` is free.
    pub fn has_free_disk(&self) -> bool {
        self.blobs.free_space().is_ok_and(|free_space| free_space >= self.config.min_free_disk)
    }
}
