//! Runs the conversion of a task, from the input blob to the output blob.

use std::io;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

use super::heartbeat::Progress;
use crate::app::App;
use crate::blobs::{BlobRef, ScratchDir};
use crate::media::{ConversionJob, ConversionResult, Failure};
use crate::store::records::File;
use crate::store::{Claim, FileContent};
use crate::telemetry::TARGET;
use filepress_wire::TaskErrorCode;

/// An output that is stored as a blob and not yet recorded in the database.
#[derive(Debug)]
pub(super) struct StoredOutput {
    pub(super) received: FileContent,
    /// It is a ZIP archive of files of the requested type.
    pub(super) is_archive: bool,
    /// Members for `processing_metadata`.
    pub(super) metadata: Map<String, Value>,
}

/// Runs the conversion of a task. Its scratch directory is deleted when this returns.
pub(super) async fn run(
    app: &App,
    claim: &Claim,
    progress: &Progress,
    cancel: CancellationToken,
) -> Result<StoredOutput, Failure> {
    let scratch = app.blobs.scratch(&claim.task.id, claim.task.attempt).await.map_err(fault)?;
    let result = convert(app, claim, progress, cancel, &scratch).await;
    scratch.delete().await;
    result
}

async fn convert(
    app: &App,
    claim: &Claim,
    progress: &Progress,
    cancel: CancellationToken,
    scratch: &ScratchDir,
) -> Result<StoredOutput, Failure> {
    let Claim { task, input, more_inputs, secrets } = claim;
    let settings =
        task.settings.iter().chain(&secrets.0).map(|(name, value)| (name.clone(), value.clone())).collect();
    let inputs: Vec<_> =
        std::iter::once(task.input_format).chain(more_inputs.iter().map(|(_, format)| *format)).collect();
    // The plan was valid when the task was created; it fails if a tool was removed since.
    let plan = app
        .tools
        .plan_several(&inputs, Some(task.output_format), &settings)
        .map_err(|refusal| Failure::File { code: TaskErrorCode::ConversionFailed, detail: refusal.detail })?;
    let mut limits = app.config.limits;
    if let Some(left) = quota_left(app, &task.user).await? {
        limits.output = limits.output.min(left);
    }
    let blob = blob_of(input)?;
    let path = app.blobs.fetch(blob, scratch, 0).instrument(step("fetch input")).await.map_err(fault)?;
    let mut more_paths = Vec::with_capacity(more_inputs.len());
    for (index, (file, _)) in (1..).zip(more_inputs) {
        let path = app.blobs.fetch(blob_of(file)?, scratch, index).instrument(step("fetch input"));
        more_paths.push(path.await.map_err(fault)?);
    }
    let work = ConversionJob {
        input: &path,
        more_inputs: &more_paths,
        scratch: scratch.path(),
        limits: &limits,
        progress: &|done| progress.set(done),
        cancel,
    };
    let ConversionResult { output, kept_original, is_archive, metadata } =
        app.tools.run(&plan, work).instrument(step("convert")).await?;
    let mut received = FileContent {
        blob: String::new(),
        size: input.size,
        sha256: input.sha256.clone().unwrap_or_default(),
        sniffed: (!is_archive).then_some(task.output_format),
    };
    if kept_original || output == path {
        if input.size > limits.output {
            let detail = "The storage quota has no room for a copy of the original.".to_owned();
            return Err(Failure::File { code: TaskErrorCode::OutputTooLarge, detail });
        }
        received.blob = app.blobs.duplicate(blob).instrument(step("store output")).await.map_err(fault)?;
    } else {
        let stored = app.blobs.store_output(&output).instrument(step("store output")).await.map_err(fault)?;
        (received.blob, received.size, received.sha256) = (stored.name, stored.size, stored.sha256);
    }
    Ok(StoredOutput { received, is_archive, metadata })
}

/// What is left of the user's storage quota, if there is one; an error if that is nothing.
async fn quota_left(app: &App, user: &str) -> Result<Option<u64>, Failure> {
    let Some(max) = app.config.max_bytes_per_user else { return Ok(None) };
    let left = app.store.storage_left(user, max, app.clock.now()).await;
    match left.map_err(|error| Failure::Infrastructure(format!("the database: {error}")))? {
        0 => {
            let detail = "The storage quota has no room for the output.".to_owned();
            Err(Failure::File { code: TaskErrorCode::OutputTooLarge, detail })
        }
        left => Ok(Some(left)),
    }
}

/// The span of a part of the work.
fn step(name: &'static str) -> Span {
    tracing::info_span!(target: TARGET, "step", otel.name = name)
}

fn blob_of(file: &File) -> Result<BlobRef<'_>, Failure> {
    match (&file.blob, &file.sha256) {
        (Some(name), Some(sha256)) => Ok(BlobRef { name, size: file.size, sha256 }),
        _ => Err(Failure::Infrastructure("an input has no content".to_owned())),
    }
}

fn fault(error: io::Error) -> Failure {
    Failure::Infrastructure(format!("files: {error}"))
}
