//! `PUT` of the bytes: streamed to disk, exactly as many as declared, and kept whole or not at all.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use filepress_wire::{ErrorCode, MediaType};
use futures_util::StreamExt;
use http::header::{CONTENT_LENGTH, ETAG, TRANSFER_ENCODING};
use http::{HeaderMap, StatusCode};
use tokio::time::{Instant, timeout_at};

use super::{etag, verify_signed_url};
use crate::app::App;
use crate::blobs::{IncomingBlob, StoredBlob};
use crate::config::MinTransferRate;
use crate::http::error::{ApiError, Result};
use crate::http::path_params::PathParams;
use crate::store::records::File;
use crate::store::{FileContent, UploadResult};

/// `PUT /v1/files/{id}/content`
pub async fn upload(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    let file = admit(&app, &id, &query.unwrap_or_default(), &headers).await.map_err(ApiError::close)?;
    let incoming = receive(&app, file.size, body).await.map_err(ApiError::close)?;
    // From here on the client's going away changes nothing any more.
    let kept = tokio::spawn(async move { commit(&app, file, incoming).await });
    kept.await.map_err(ApiError::internal)?
}

/// Everything that can be refused before a byte is read.
async fn admit(app: &App, id: &str, query: &str, headers: &HeaderMap) -> Result<File> {
    let (grant, file) = verify_signed_url(app, "PUT", id, query, app.clock.now()).await?;
    let declared = grant.length.unwrap_or(file.size);
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let length = length.filter(|_| !headers.contains_key(TRANSFER_ENCODING)).ok_or_else(|| {
        ApiError::new(ErrorCode::LengthRequired, "Say in Content-Length how many bytes come.")
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
    app.accepts(file.size)?;
    Ok(file)
}

async fn receive(app: &App, declared: u64, body: Body) -> Result<IncomingBlob> {
    let mut incoming = app.blobs.receive().await?;
    let mut chunks = body.into_data_stream();
    let mut window = RateWindow::new(app.config.min_transfer_rate);
    loop {
        let Ok(next) = timeout_at(window.end, chunks.next()).await else {
            return Err(window.timed_out());
        };
        let chunk: Bytes = match next {
            Some(Ok(chunk)) => chunk,
            Some(Err(_)) => return Err(too_few(incoming.size(), declared)),
            None => break,
        };
        if incoming.size() + chunk.len() as u64 > declared {
            return Err(too_many(declared));
        }
        incoming.write(&chunk).await?;
        app.metrics.bytes("in", chunk.len() as u64);
        window.count(chunk.len() as u64);
    }
    match incoming.size() {
        size if size == declared => Ok(incoming),
        size => Err(too_few(size, declared)),
    }
}

/// A time in which the least bytes of the pace have to come.
struct RateWindow {
    min_transfer_rate: MinTransferRate,
    end: Instant,
    bytes: u64,
}

impl RateWindow {
    fn new(min_transfer_rate: MinTransferRate) -> Self {
        Self { min_transfer_rate, end: Instant::now() + min_transfer_rate.window, bytes: 0 }
    }

    fn count(&mut self, bytes: u64) {
        self.bytes += bytes;
        if self.bytes >= self.min_transfer_rate.min_bytes() {
            *self = Self::new(self.min_transfer_rate);
        }
    }

    fn timed_out(&self) -> ApiError {
        let seconds = self.min_transfer_rate.window.as_secs();
        let detail =
            format!("Less than {} bytes came within {seconds} s.", self.min_transfer_rate.min_bytes());
        ApiError::new(ErrorCode::RequestTimeout, detail)
    }
}

/// Durable first, then known: a crash between leaves bytes that nobody owns, which the sweep finds.
async fn commit(app: &App, file: File, incoming: IncomingBlob) -> Result<Response> {
    let StoredBlob { name, size, sha256, head } = incoming.commit().await?;
    let declared = file.format.map(MediaType::as_str);
    let sniffed = filepress::media::recognize(&head, declared, None).ok();
    let now = app.clock.now();
    let expires_at = now.after(app.config.retention);
    let tag = etag(&sha256);
    let received = FileContent { blob: name.clone(), size, sha256, sniffed };
    let refusal = match app.store.upload(&file.id, received, expires_at, now).await {
        Ok(UploadResult::Kept(_)) => return Ok((StatusCode::CREATED, [(ETAG, tag)]).into_response()),
        Ok(UploadResult::Taken) => already_uploaded(),
        Ok(UploadResult::Gone) => {
            ApiError::new(ErrorCode::FileExpired, "The record has expired or was deleted.")
        }
        Err(error) => error.into(),
    };
    if let Err(error) = app.blobs.remove(&name).await {
        tracing::warn!(%error, blob = name, "bytes without a file are left to the sweep");
    }
    Err(refusal)
}

fn already_uploaded() -> ApiError {
    ApiError::new(ErrorCode::AlreadyUploaded, "This file has its bytes: create another for others.")
}

fn too_many(declared: u64) -> ApiError {
    ApiError::new(ErrorCode::UploadTooLarge, format!("{declared} bytes were declared."))
}

fn too_few(came: u64, declared: u64) -> ApiError {
    ApiError::new(ErrorCode::SizeMismatch, format!("{declared} bytes were declared, {came} came; try again."))
}
