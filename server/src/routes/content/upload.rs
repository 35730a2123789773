//! `PUT` of a file's content: streamed to disk. The size must match the declared size; an incomplete upload is discarded.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use filepress_wire::{ErrorCode, MediaType};
use futures_util::StreamExt;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, ETAG, TRANSFER_ENCODING};
use http::{HeaderMap, StatusCode};
use tokio::time::{Instant, timeout_at};

use super::{current, etag, gone, verify_signed_url};
use crate::app::App;
use crate::blobs::{IncomingBlob, StoredBlob};
use crate::config::MinTransferRate;
use crate::http::error::{ApiError, Result};
use crate::http::links::content_path;
use crate::http::path_params::PathParams;
use crate::store::records::File;
use crate::store::{FileContent, UploadResult};
use crate::upload_locks::UploadLock;

/// How long the bytes of an upload may stay away when another request wants to upload the file.
const STALL: Duration = Duration::from_secs(2);
/// After so many bytes, the free space is checked again.
const ROOM_STEP: u64 = 1 << 20;

/// `PUT /v1/files/{id}/content`
pub async fn upload(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    let file = admit(&app, &id, &query.unwrap_or_default(), &headers).await.map_err(ApiError::close)?;
    let lock = app.upload_locks.lock(&id).await;
    let file = still_awaited(&app, &file.id).await.map_err(ApiError::close)?;
    let incoming = receive(&app, file.size, body, &lock).await.map_err(ApiError::close)?;
    // From here on the upload completes even if the client disconnects.
    let kept = tokio::spawn(async move {
        let kept = commit(&app, file, incoming).await;
        drop(lock);
        kept
    });
    kept.await.map_err(ApiError::internal)?
}

/// The checks before the body is read.
async fn admit(app: &App, id: &str, query: &str, headers: &HeaderMap) -> Result<File> {
    let (grant, file) = verify_signed_url(app, "PUT", &content_path(id), id, query, app.clock.now()).await?;
    refuse_partial_or_coded(headers)?;
    let declared = grant.length.unwrap_or(file.size);
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let length = length.filter(|_| !headers.contains_key(TRANSFER_ENCODING)).ok_or_else(|| {
        ApiError::new(ErrorCode::LengthRequired, "The Content-Length header is missing or not a number.")
    })?;
    if length > declared {
        return Err(too_many(declared));
    }
    if length < declared {
        return Err(too_few(length, declared));
    }
    if file.blob.is_some() {
        return Err(already_uploaded());
    }
    Ok(file)
}

/// The file as it is when those who uploaded it before are done: only one request at a time takes room for it.
async fn still_awaited(app: &App, id: &str) -> Result<File> {
    let file = current(app, id).await?;
    if file.blob.is_some() {
        return Err(already_uploaded());
    }
    app.accepts(file.size)?;
    Ok(file)
}

/// The body must be the whole file as it is. A part (RFC 9110, 14.5) or a coded body (8.4) would be stored as another file.
fn refuse_partial_or_coded(headers: &HeaderMap) -> Result<()> {
    if headers.contains_key(CONTENT_RANGE) {
        let detail = "A file is uploaded in one request; leave out Content-Range.";
        return Err(ApiError::new(ErrorCode::InvalidHeader, detail).header_source("Content-Range"));
    }
    let is_plain = |coding: &http::HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"identity");
    if !headers.get_all(CONTENT_ENCODING).iter().all(is_plain) {
        return Err(coded().header_source("Content-Encoding"));
    }
    Ok(())
}

/// The error for a body with a content coding.
pub(super) fn coded() -> ApiError {
    let detail = "The body is stored as it is sent; send the file without Content-Encoding.";
    ApiError::new(ErrorCode::UnsupportedMediaType, detail)
}

async fn receive(app: &App, declared: u64, body: Body, lock: &UploadLock) -> Result<IncomingBlob> {
    let mut incoming = app.blobs.receive(declared).await?;
    let mut chunks = body.into_data_stream();
    let mut window = RateWindow::new(app.config.min_transfer_rate);
    let mut room = Room::default();
    loop {
        let next = tokio::select! {
            biased;
            () = lock.ended.cancelled() => return Err(gone()),
            next = timeout_at(window.end(), chunks.next()) => next,
            () = stalled(lock) => return Err(gave_way()),
        };
        let Ok(next) = next else { return Err(window.timed_out()) };
        let chunk: Bytes = match next {
            Some(Ok(chunk)) => chunk,
            Some(Err(_)) => return Err(too_few(incoming.size(), declared)),
            None => break,
        };
        if incoming.size() + chunk.len() as u64 > declared {
            return Err(too_many(declared));
        }
        room.check(app, chunk.len() as u64, declared - incoming.size())?;
        incoming.write(&chunk).await?;
        app.metrics.bytes("in", chunk.len() as u64);
        window.count(chunk.len() as u64);
    }
    match incoming.size() {
        size if size == declared => Ok(incoming),
        size => Err(too_few(size, declared)),
    }
}

/// Returns when another request wants to write the file and no bytes have come since for [`STALL`]: the client has asked again because its
/// connection was cut.
async fn stalled(lock: &UploadLock) {
    lock.preempted.cancelled().await;
    tokio::time::sleep(STALL).await;
}

fn gave_way() -> ApiError {
    let detail = "Another request uploads this file, and the bytes of this one stay away.";
    ApiError::new(ErrorCode::RequestTimeout, detail)
}

/// Checks while bytes come that there is still room on the disk.
#[derive(Default)]
pub(in super::super) struct Room {
    unchecked: u64,
}

impl Room {
    /// `bytes` have come, of `left` that are still to be written. Only asks the file system after every [`ROOM_STEP`].
    ///
    /// # Errors
    ///
    /// If the disk is too full for the rest.
    pub(in super::super) fn check(&mut self, app: &App, bytes: u64, left: u64) -> Result<()> {
        self.unchecked += bytes;
        if self.unchecked >= ROOM_STEP {
            self.unchecked = 0;
            app.keeps_free_disk(left)?;
        }
        Ok(())
    }
}

/// A window in which the minimum number of bytes must arrive.
pub(in super::super) struct RateWindow {
    min_transfer_rate: MinTransferRate,
    end: Instant,
    bytes: u64,
}

impl RateWindow {
    pub(in super::super) fn new(min_transfer_rate: MinTransferRate) -> Self {
        Self { min_transfer_rate, end: Instant::now() + min_transfer_rate.window, bytes: 0 }
    }

    /// When it ends.
    pub(in super::super) fn end(&self) -> Instant {
        self.end
    }

    pub(in super::super) fn count(&mut self, bytes: u64) {
        self.bytes += bytes;
        if self.bytes >= self.min_transfer_rate.min_bytes() {
            *self = Self::new(self.min_transfer_rate);
        }
    }

    pub(in super::super) fn timed_out(&self) -> ApiError {
        let seconds = self.min_transfer_rate.window.as_secs();
        let detail =
            format!("Fewer than {} bytes arrived within {seconds} s.", self.min_transfer_rate.min_bytes());
        ApiError::new(ErrorCode::RequestTimeout, detail)
    }
}

/// Commits the blob first, then records it: a crash in between leaves an orphaned blob, which the garbage collector deletes.
async fn commit(app: &App, file: File, incoming: IncomingBlob) -> Result<Response> {
    let stored = incoming.commit().await?;
    Ok((StatusCode::CREATED, [(ETAG, keep(app, &file, stored).await?)]).into_response())
}

/// Records a blob as [`record`] does, and deletes one that is refused at once, as its name belongs to this request alone.
pub(super) async fn keep(app: &App, file: &File, stored: StoredBlob) -> Result<String> {
    let name = stored.name.clone();
    let recorded = record(app, file, stored).await;
    let is_refused =
        |error: &ApiError| matches!(error.code(), ErrorCode::AlreadyUploaded | ErrorCode::FileExpired);
    if recorded.as_ref().is_err_and(is_refused)
        && let Err(error) = app.blobs.remove(&name).await
    {
        tracing::warn!(%error, blob = name, "cannot delete an orphaned blob; the garbage collector will");
    }
    recorded
}

/// Records a blob as the content of a file, and returns its entity tag. If that fails, the blob stays: of a resumable upload, another
/// request may have recorded it; and after an error of the database, this one may have.
pub(in super::super) async fn record(app: &App, file: &File, stored: StoredBlob) -> Result<String> {
    let StoredBlob { name, size, sha256, head } = stored;
    let declared = file.format.map(MediaType::as_str);
    let sniffed = filepress::media::recognize(&head, declared, None).ok();
    let now = app.clock.now();
    let expires_at = now.after(app.config.retention);
    let tag = etag(&sha256);
    let received = FileContent { blob: name, size, sha256, sniffed };
    match app.store.upload(&file.id, received, expires_at, now).await? {
        UploadResult::Kept(_) => Ok(tag),
        UploadResult::Taken => Err(already_uploaded()),
        UploadResult::Gone => Err(gone()),
    }
}

pub(in super::super) fn already_uploaded() -> ApiError {
    ApiError::new(ErrorCode::AlreadyUploaded, "This file already has content; create another file.")
}

pub(in super::super) fn too_many(declared: u64) -> ApiError {
    ApiError::new(
        ErrorCode::UploadTooLarge,
        format!("The upload has more than the declared {declared} bytes."),
    )
}

pub(super) fn too_few(came: u64, declared: u64) -> ApiError {
    ApiError::new(
        ErrorCode::SizeMismatch,
        format!("The upload has {came} of the declared {declared} bytes; try again."),
    )
}
