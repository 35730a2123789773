//! Deletes expired records and orphaned blobs.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::app::App;
use crate::blobs::Blobs;
use crate::store::StoreError;

/// The time between sweeps. Expired records are invisible even before they are deleted.
const INTERVAL: Duration = Duration::from_secs(300);
/// The time between searches for orphaned blobs in an object store.
const ORPHANS_INTERVAL: Duration = Duration::from_secs(3600);
/// The minimum age of an orphaned blob. An upload or a conversion that is just finishing has a blob before it has a record.
const GRACE: Duration = Duration::from_secs(3600);

/// How long after an object was found it is asked whether a file refers to it. An upload has an object before it has a record; and a store
/// dates an object that was sent in parts by the beginning of its upload, so that its age says nothing.
const RECORD_TIME: Duration = Duration::from_secs(30);

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
    // Every list of an object store costs, and each process makes its own.
    let orphans_every = if app.blobs.is_remote() { ORPHANS_INTERVAL } else { INTERVAL };
    let mut last_orphans: Option<Instant> = None;
    loop {
        let with_orphans = last_orphans.is_none_or(|last| last.elapsed() >= orphans_every);
        let record_time = if app.blobs.is_remote() { RECORD_TIME } else { Duration::ZERO };
        let swept = match with_orphans {
            true => sweep_with(&app, record_time).await,
            false => sweep_records(&app).await,
        };
        match swept {
            Ok(SweepResult { expired: 0, orphans: 0, tasks: 0 }) => {}
            Ok(SweepResult { expired, orphans, tasks }) => {
                tracing::info!(expired, orphans, tasks, "deleted expired records and orphaned blobs")
            }
            Err(error) => {
                tracing::error!(%error, "cannot delete expired records and orphaned blobs; will try again")
            }
        }
        if with_orphans {
            last_orphans = Some(Instant::now());
        }
        tokio::select! {
            () = app.stopping.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Deletes expired records with their blobs, then orphaned blobs and incomplete files: those that are older than an hour and than any
/// conversion may take, and all that an earlier process left in a folder, which only one process uses.
///
/// # Errors
///
/// If rows or directories cannot be read or deleted.
pub async fn sweep(app: &App) -> Result<SweepResult, SweepError> {
    sweep_with(app, Duration::ZERO).await
}

/// As [`sweep`]; leaves `record_time` between the search for blobs and the question which of them are orphans.
async fn sweep_with(app: &App, record_time: Duration) -> Result<SweepResult, SweepError> {
    let swept = sweep_records(app).await;
    let grace = GRACE.max(app.config.limits.time.saturating_mul(2));
    let old = app.blobs.collect_expired(app.clock.now().before(grace)).await?;
    if !old.is_empty() {
        tokio::select! {
            () = app.stopping.cancelled() => return swept,
            () = tokio::time::sleep(record_time) => {}
        }
    }
    let orphans = app.store.orphans(&old).await?;
    let removed = remove(&app.blobs, &orphans).await;
    let swept = swept?;
    removed?;
    Ok(SweepResult { orphans: orphans.len(), ..swept })
}

async fn sweep_records(app: &App) -> Result<SweepResult, SweepError> {
    let now = app.clock.now();
    let expired = app.store.sweep(now).await?;
    // What cannot be deleted keeps neither the other files nor the records.
    let removed = remove(&app.blobs, &expired).await.map_err(SweepError::from);
    let removed = removed.and(remove_partials(app).await);
    remove_ended(app, None).await?;
    // After their files: a task is deleted only when its files are gone.
    let tasks = app.store.sweep_tasks(now.before(app.config.task_retention)).await?;
    app.store.sweep_charges(now).await?;
    app.store.sweep_key_log(now.before(app.config.key_log_retention)).await?;
    removed?;
    Ok(SweepResult { expired: expired.len(), orphans: 0, tasks })
}

/// Deletes the bytes of uploads that nobody continues.
async fn remove_partials(app: &App) -> Result<(), SweepError> {
    let partials = app.blobs.partials().await?;
    let mut removed = Ok(());
    for upload in app.store.not_awaited(&partials).await? {
        removed = removed.and(app.blobs.remove_partial(&upload).await);
    }
    Ok(removed?)
}

/// Deletes what is left of an upload whose file is gone or has its content.
///
/// # Errors
///
/// If the database or the blob store fails.
pub async fn remove_upload(app: &App, file: &str) -> Result<(), SweepError> {
    app.blobs.remove_partial(file).await?;
    remove_ended(app, Some(file)).await
}

async fn remove_ended(app: &App, file: Option<&str>) -> Result<(), SweepError> {
    for upload in app.store.ended_uploads(file).await? {
        if let Some(objects) = &upload.objects
            && let Err(error) = app.blobs.discard(objects, upload.is_complete).await
        {
            tracing::warn!(%error, file = upload.file, "cannot delete what is left of an upload; the next sweep tries again");
            continue;
        }
        app.store.forget_upload(&upload.file).await?;
    }
    Ok(())
}

/// Deletes contents; goes on after an error and returns the first.
async fn remove(blobs: &Blobs, names: &[String]) -> std::io::Result<()> {
    let mut removed = Ok(());
    for name in names {
        removed = removed.and(blobs.remove(name).await.inspect_err(|error| {
            tracing::warn!(%error, blob = name, "cannot delete a content; a later sweep tries again");
        }));
    }
    removed
}
