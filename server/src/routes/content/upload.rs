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

use super::{etag, permitted};
use crate::app::App;
use crate::blobs::{Incoming, Stored};
use crate::config::Pace;
use crate::http::error::{ApiError, Result};
use crate::http::path_params::InPath;
use crate::store::records::File;
use crate::store::{Received, Upload};

/// `PUT /v1/files/{id}/content`
pub async fn upload(
    State(app): State<Arc<App>>,
    InPath(id): InPath<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    let file = admit(&app, &id, &query.unwrap_or_default(), &headers).await.map_err(ApiError::close)?;
    let incoming = receive(&app, file.size, body).await.map_err(ApiError::close)?;
    // From here on the client's going away changes nothing any more.
    let kept = tokio::spawn(async move { keep(&app, file, incoming).await });
    kept.await.map_err(ApiError::internal)?
}

/// Everything that can be refused before a byte is read.
async fn admit(app: &App, id: &str, query: &str, headers: &HeaderMap) -> Result<File> {
    let (permit, file) = permitted(app, "PUT", id, query, app.clock.now()).await?;
    let declared = permit.length.unwrap_or(file.size);
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
        return Err(taken());
    }
    app.accepts(file.size)?;
    Ok(file)
}

async fn receive(app: &App, declared: u64, body: Body) -> Result<Incoming> {
    let mut incoming = app.blobs.receive().await?;
    let mut chunks = body.into_data_stream();
    let mut window = Window::new(app.config.pace);
    loop {
        let Ok(next) = timeout_at(window.end, chunks.next()).await else {
            return Err(window.over());
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
struct Window {
    pace: Pace,
    end: Instant,
    bytes: u64,
}

impl Window {
    fn new(pace: Pace) -> Self {
        Self { pace, end: Instant::now() + pace.window, bytes: 0 }
    }

    fn count(&mut self, bytes: u64) {
        self.bytes += bytes;
        if self.bytes >= self.pace.least() {
            *self = Self::new(self.pace);
        }
    }

    fn over(&self) -> ApiError {
        let seconds = self.pace.window.as_secs();
        let detail = format!("Less than {} bytes came within {seconds} s.", self.pace.least());
        ApiError::new(ErrorCode::RequestTimeout, detail)
    }
}

/// Durable first, then known: a crash between leaves bytes that nobody owns, which the sweep finds.
async fn keep(app: &App, file: File, incoming: Incoming) -> Result<Response> {
    let Stored { name, size, sha256, head } = incoming.keep().await?;
    let declared = file.format.map(MediaType::as_str);
    let sniffed = filepress::media::recognize(&head, declared, None).ok();
    let now = app.clock.now();
    let expires_at = now.after(app.config.retention);
    let tag = etag(&sha256);
    let received = Received { blob: name.clone(), size, sha256, sniffed };
    let refusal = match app.store.upload(&file.id, received, expires_at, now).await {
        Ok(Upload::Kept(_)) => return Ok((StatusCode::CREATED, [(ETAG, tag)]).into_response()),
        Ok(Upload::Taken) => taken(),
        Ok(Upload::Gone) => ApiError::new(ErrorCode::FileExpired, "The record has expired or was deleted."),
        Err(error) => error.into(),
    };
    if let Err(error) = app.blobs.remove(&name).await {
        tracing::warn!(%error, blob = name, "bytes without a file are left to the sweep");
    }
    Err(refusal)
}

fn taken() -> ApiError {
    ApiError::new(ErrorCode::AlreadyUploaded, "This file has its bytes: create another for others.")
}

fn too_many(declared: u64) -> ApiError {
    ApiError::new(ErrorCode::UploadTooLarge, format!("{declared} bytes were declared."))
}

fn too_few(came: u64, declared: u64) -> ApiError {
    ApiError::new(ErrorCode::SizeMismatch, format!("{declared} bytes were declared, {came} came; try again."))
}
