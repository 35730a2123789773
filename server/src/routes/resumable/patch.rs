//! `PATCH /v1/uploads/{id}`: appends bytes. What has come is kept when the connection is cut.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use filepress_wire::ErrorCode;
use futures_util::StreamExt;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use tokio::time::timeout_at;

use super::{admit, current, headers};
use crate::app::App;
use crate::blobs::PartialBlob;
use crate::http::error::{ApiError, Result};
use crate::http::path_params::PathParams;
use crate::routes::content::{RateWindow, already_uploaded, record, too_many};
use crate::store::records::File;
use crate::upload_locks::UploadLock;

/// The type of bodies.
const OFFSET_TYPE: &str = "application/offset+octet-stream";
/// How many bytes may be lost if the service is killed.
const CHECKPOINT: u64 = 8 << 20;

/// `PATCH /v1/uploads/{id}`
pub async fn patch(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    RawQuery(query): RawQuery,
    given: HeaderMap,
    body: Body,
) -> Result<Response> {
    admit(&app, &id, query, &given).await.map_err(ApiError::close)?;
    if given.get(CONTENT_TYPE).is_none_or(|media_type| media_type != OFFSET_TYPE) {
        let detail = format!("The Content-Type must be {OFFSET_TYPE}.");
        let error = ApiError::new(ErrorCode::UnsupportedMediaType, detail);
        return Err(error.header_source("Content-Type").close());
    }
    let offset = headers::offset(&given).map_err(ApiError::close)?;
    let length = given.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    // A task of its own keeps what has come, even if the client disconnects.
    let done = tokio::spawn(async move { append(&app, &id, offset, length, body).await });
    done.await.map_err(ApiError::internal)?.map_err(ApiError::close)
}

async fn append(app: &App, id: &str, offset: u64, length: Option<u64>, body: Body) -> Result<Response> {
    let lock = app.upload_locks.lock(id).await;
    let file = current(app, id).await?;
    if file.blob.is_some() {
        return Err(already_uploaded());
    }
    let received = super::offset(app, id).await?;
    if offset != received {
        let detail = format!("The upload has {received} bytes, so Upload-Offset must be {received}.");
        return Err(ApiError::new(ErrorCode::OffsetMismatch, detail).header_source("Upload-Offset"));
    }
    if length.is_some_and(|length| length > file.size - received) {
        return Err(too_many(file.size));
    }
    app.accepts(file.size - received)?;
    let mut partial = app.blobs.open_partial(id, received).await?;
    let came = receive(app, &file, &mut partial, body, &lock).await;
    if came.is_ok() && partial.size() == file.size {
        // That all bytes have come is recorded with the content alone: else a client would not send them again if that fails.
        let stored = partial.publish().await?;
        record(app, &file, stored).await?;
        app.blobs.remove_partial(id).await?;
        return Ok((StatusCode::NO_CONTENT, headers::progress(&file, file.size)?).into_response());
    }
    let kept = partial.size().min(file.size - 1);
    keep(app, id, &mut partial, kept).await?;
    came?;
    Ok((StatusCode::NO_CONTENT, headers::progress(&file, kept)?).into_response())
}

/// Appends the body until it ends, or another request wants the upload.
async fn receive(
    app: &App,
    file: &File,
    partial: &mut PartialBlob,
    body: Body,
    lock: &UploadLock,
) -> Result<()> {
    let mut chunks = body.into_data_stream();
    let mut window = RateWindow::new(app.config.min_transfer_rate);
    let mut kept = partial.size();
    loop {
        let next = tokio::select! {
            next = timeout_at(window.end(), chunks.next()) => next,
            () = lock.preempted.cancelled() => {
                let detail = "Another request continues this upload.";
                return Err(ApiError::new(ErrorCode::OffsetMismatch, detail));
            }
        };
        let chunk: Bytes = match next {
            Err(_) => return Err(window.timed_out()),
            Ok(Some(Ok(chunk))) => chunk,
            Ok(Some(Err(_))) => {
                let detail =
                    "The connection ended before the whole body was received; go on from Upload-Offset.";
                return Err(ApiError::new(ErrorCode::SizeMismatch, detail));
            }
            Ok(None) => return Ok(()),
        };
        let left = file.size - partial.size();
        if chunk.len() as u64 > left {
            return Err(too_many(file.size));
        }
        partial.write(&chunk).await?;
        app.metrics.bytes("in", chunk.len() as u64);
        window.count(chunk.len() as u64);
        if partial.size() - kept >= CHECKPOINT && partial.size() < file.size {
            kept = partial.size();
            keep(app, &file.id, partial, kept).await?;
        }
    }
}

/// Makes the bytes so far safe, and records them.
async fn keep(app: &App, id: &str, partial: &mut PartialBlob, count: u64) -> Result<()> {
    partial.sync().await?;
    if app.store.set_received(id, count).await? {
        return Ok(());
    }
    current(app, id).await?;
    Err(already_uploaded())
}
