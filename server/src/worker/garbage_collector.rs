//! Deletes what has expired and what nobody owns.

use std::sync::Arc;
use std::time::Duration;

use crate::app::App;
use crate::blobs::Blobs;
use crate::store::StoreError;

/// How often. What has expired is seen by nobody even before it is swept.
const INTERVAL: Duration = Duration::from_secs(300);
/// How old bytes without an owner are before they are taken for abandoned: those of an upload or a conversion that is just
/// ending have none for a moment.
const GRACE: Duration = Duration::from_secs(3600);

/// What a sweep took away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SweepResult {
    /// Files whose time was over, those with bytes.
    pub expired: usize,
    /// Blobs of no file.
    pub orphans: usize,
    /// Tasks whose time was over.
    pub tasks: usize,
}

/// Why a sweep did not come to its end; the next one goes on.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// Rows.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Bytes.
    #[error("files: {0}")]
    Blobs(#[from] std::io::Error),
}

/// Sweeps at once and then every five minutes, until the service stops.
pub(super) async fn run(app: Arc<App>) {
    loop {
        match sweep(&app).await {
            Ok(SweepResult { expired: 0, orphans: 0, tasks: 0 }) => {}
            Ok(SweepResult { expired, orphans, tasks }) => tracing::info!(expired, orphans, tasks, "swept"),
            Err(error) => tracing::error!(%error, "a sweep failed"),
        }
        tokio::select! {
            () = app.stopping.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Deletes expired records with their bytes, then bytes without an owner and what was left half done: of an earlier process all
/// of it, of this one what is older than an hour and than any conversion may take.
///
/// # Errors
///
/// Where rows or folders cannot be read, or not be deleted.
pub async fn sweep(app: &App) -> Result<SweepResult, SweepError> {
    let now = app.clock.now();
    let expired = app.store.sweep(now).await?;
    remove(&app.blobs, &expired).await?;
    // Not before their files.
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
