//! `PATCH /v1/uploads/{id}`: appends bytes. What has come is kept when the connection is cut, except with a checksum, which is
//! that of the whole body.

use std::io;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use filepress_wire::ErrorCode;
use futures_util::StreamExt;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use tokio::time::timeout_at;

use super::checksum::Checksum;
use super::{admit, headers};
use crate::app::App;
use crate::blobs::PartialBlob;
use crate::http::error::{ApiError, Result};
use crate::http::path_params::PathParams;
use crate::routes::content::{RateWindow, Room, already_uploaded, current, record, too_many};
use crate::store::UploadClaim;
use crate::store::records::File;
use crate::upload_locks::UploadLock;
use crate::upload_state::UploadState;
use crate::worker::garbage_collector;

/// The type of bodies.
const OFFSET_TYPE: &str = "application/offset+octet-stream";

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
    let checksum = Checksum::of(&given).map_err(ApiError::close)?;
    let length = given.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    // A task of its own keeps what has come, even if the client disconnects.
    let done = tokio::spawn(async move { append(&app, &id, (offset, length), checksum, body).await });
    done.await.map_err(ApiError::internal)?.map_err(ApiError::close)
}

async fn append(
    app: &App,
    id: &str,
    (offset, length): (u64, Option<u64>),
    checksum: Option<Checksum>,
    body: Body,
) -> Result<Response> {
    let lock = app.upload_locks.lock(id).await;
    let file = current(app, id).await?;
    let Some((claim, state)) = super::claim(app, id).await? else { return Err(already_uploaded()) };
    let received = state.received;
    if offset != received {
        return Err(wrong_offset(received));
    }
    if length.is_some_and(|length| length > file.size - received) {
        return Err(too_many(file.size));
    }
    app.accepts(file.size - received)?;
    let mut upload = Upload { app, file, claim, partial: app.blobs.open_partial(id, state).await? };
    let kept = upload.partial.size();
    if kept != received {
        let state = upload.partial.sync().await?;
        upload.record(state).await?;
        return Err(wrong_offset(kept));
    }
    match upload.append(body, &lock, checksum).await {
        Ok(kept) => Ok((StatusCode::NO_CONTENT, headers::progress(&upload.file, kept)?).into_response()),
        Err(Stop::Refused(error)) => Err(error),
        // The store has given up what was there, as its rule for incomplete uploads may say.
        Err(Stop::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
            tracing::warn!(%error, "the bytes of an upload are lost; it begins again");
            upload.record(UploadState::default()).await?;
            Err(wrong_offset(0))
        }
        Err(Stop::Io(error)) => Err(error.into()),
    }
}

/// An upload that a request appends to.
struct Upload<'a> {
    app: &'a App,
    file: File,
    claim: UploadClaim,
    partial: PartialBlob,
}

/// Why no more is appended.
enum Stop {
    Refused(ApiError),
    Io(io::Error),
}

impl From<ApiError> for Stop {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Upload<'_> {
    /// Appends the body, keeps what has come, and completes the file if that is all. The number of bytes that are kept.
    async fn append(
        &mut self,
        body: Body,
        lock: &UploadLock,
        mut checksum: Option<Checksum>,
    ) -> Result<u64, Stop> {
        let came = self.receive(body, lock, checksum.as_mut()).await;
        let is_checked = checksum.is_some();
        let came = came.and_then(|()| Ok(checksum.map_or(Ok(()), Checksum::verify)?));
        if came.is_ok() && self.partial.size() == self.file.size {
            self.complete().await?;
            return Ok(self.file.size);
        }
        let keeps = match &came {
            Ok(()) => true,
            // Bytes that are not known to be right are discarded: what is not recorded is overwritten.
            Err(Stop::Refused(_)) => !is_checked,
            Err(Stop::Io(_)) => false,
        };
        if keeps {
            let state = self.partial.sync().await?;
            self.record(state).await?;
        }
        came?;
        Ok(self.partial.size())
    }

    /// Appends the body until it ends, or another request wants the upload.
    async fn receive(
        &mut self,
        body: Body,
        lock: &UploadLock,
        mut checksum: Option<&mut Checksum>,
    ) -> Result<(), Stop> {
        let mut chunks = body.into_data_stream();
        let mut window = RateWindow::new(self.app.config.min_transfer_rate);
        let mut room = Room::default();
        loop {
            let next = tokio::select! {
                next = timeout_at(window.end(), chunks.next()) => next,
                () = lock.preempted.cancelled() => return Err(taken_over().into()),
            };
            let chunk: Bytes = match next {
                Err(_) => return Err(window.timed_out().into()),
                Ok(Some(Ok(chunk))) => chunk,
                Ok(Some(Err(_))) => {
                    let detail =
                        "The connection ended before the whole body was received; go on from Upload-Offset.";
                    return Err(ApiError::new(ErrorCode::SizeMismatch, detail).into());
                }
                Ok(None) => return Ok(()),
            };
            let left = self.file.size - self.partial.size();
            if chunk.len() as u64 > left {
                return Err(too_many(self.file.size).into());
            }
            room.check(self.app, chunk.len() as u64, left)?;
            self.partial.write(&chunk).await?;
            self.app.metrics.bytes("in", chunk.len() as u64);
            window.count(chunk.len() as u64);
            if let Some(checksum) = &mut checksum {
                checksum.update(&chunk);
            } else if self.partial.size() < self.file.size
                && let Some(state) = self.partial.checkpoint().await?
            {
                self.record(state).await?;
            }
        }
    }

    /// Publishes the bytes as the content of the file.
    async fn complete(&mut self) -> Result<(), Stop> {
        if let Some(state) = self.partial.settle().await? {
            self.record(state).await?;
        }
        let stored = self.partial.publish().await?;
        record(self.app, &self.file, stored).await?;
        if let Err(error) = garbage_collector::remove_upload(self.app, &self.file.id).await {
            tracing::warn!(%error, "cannot delete what is left of an upload; the garbage collector will");
        }
        Ok(())
    }

    /// Records what is safe. That all bytes have come is recorded with the content alone: else a client would not send them again if that
    /// fails.
    async fn record(&mut self, mut state: UploadState) -> Result<()> {
        state.received = state.received.min(self.file.size - 1);
        if self.app.store.record_upload(&self.claim, &state).await? {
            self.partial.recorded().await;
            return Ok(());
        }
        match current(self.app, &self.file.id).await?.blob {
            Some(_) => Err(already_uploaded()),
            None => Err(taken_over()),
        }
    }
}

fn wrong_offset(received: u64) -> ApiError {
    let detail = format!("The upload has {received} bytes, so Upload-Offset must be {received}.");
    ApiError::new(ErrorCode::OffsetMismatch, detail).header_source("Upload-Offset")
}

fn taken_over() -> ApiError {
    ApiError::new(ErrorCode::OffsetMismatch, "Another request continues this upload.")
}
