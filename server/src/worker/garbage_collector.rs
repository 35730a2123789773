//! Deletes expired records and orphaned blobs.

use std::sync::Arc;
use std::time::Duration;

use crate::app::App;
use crate::blobs::Blobs;
use crate::store::StoreError;

/// The time between sweeps. Expired records are invisible even before they are deleted.
const INTERVAL: Duration = Duration::from_secs(300);
/// The minimum age of an orphaned blob. An upload or a conversion that is just finishing has a blob before it has a record.
const GRACE: Duration = Duration::from_secs(3600);

/// What a sweep deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SweepResult {
    /// Expired files with content.
    pub expired: usize,
    /// Blobs without a file.
    pub orphans: usize,
    /// Expired tasks.
    pub tasks: usize,
}

/// Why a sweep was not completed; the next one continues.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file operation failed.
    #[error("files: {0}")]
    Blobs(#[from] std::io::Error),
}

/// Sweeps at once and then every five minutes, until the service stops.
pub(super) async fn run(app: Arc<App>) {
    loop {
        match sweep(&app).await {
            Ok(SweepResult { expired: 0, orphans: 0, tasks: 0 }) => {}
            Ok(SweepResult { expired, orphans, tasks }) => {
                tracing::info!(expired, orphans, tasks, "deleted expired records and orphaned blobs")
            }
            Err(error) => {
                tracing::error!(%error, "cannot delete expired records and orphaned blobs; will try again")
            }
        }
        tokio::select! {
            () = app.stopping.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Deletes expired records with their blobs, then orphaned blobs and incomplete files: all that an earlier process left, and those of
/// this process that are older than an hour and than any conversion may take.
///
/// # Errors
///
/// If rows or directories cannot be read or deleted.
pub async fn sweep(app: &App) -> Result<SweepResult, SweepError> {
    let now = app.clock.now();
    let expired = app.store.sweep(now).await?;
    remove(&app.blobs, &expired).await?;
    // After their files: a task is deleted only when its files are gone.
    let tasks = app.store.sweep_tasks(now.before(app.config.task_retention)).await?;
    app.store.sweep_charges(now).await?;
    let grace = GRACE.max(app.config.limits.time.saturating_mul(2));
    let old = app.blobs.collect_expired(now.before(grace).max(app.blobs.opened())).await?;
    let orphans = app.store.orphans(&old).await?;
    remove(&app.blobs, &orphans).await?;
    Ok(SweepResult { expired: expired.len(), orphans: orphans.len(), tasks })
}

async fn remove(blobs: &Blobs, names: &[String]) -> std::io::Result<()> {
    for name in names {
        blobs.remove(name).await?;
    }
    Ok(())
}
