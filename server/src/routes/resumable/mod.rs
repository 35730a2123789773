//! `/v1/uploads`: resumable uploads by the protocol tus 1.0 (tus.io), with its extensions creation, termination and expiration. An upload
//! is a file without content; its URL is signed, as that of a plain upload is, and needs no key.
//!
//! Only where contents are in a folder: what a cut connection leaves has to be where the next request arrives.

mod create;
mod headers;
mod patch;

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use filepress_wire::ErrorCode;
use http::{HeaderMap, StatusCode};

pub use create::create;
pub use headers::announce;
pub use patch::patch;

use super::content::{already_uploaded, verify_signed_url};
use crate::app::App;
use crate::http::error::{ApiError, Result};
use crate::http::links::{RESUMABLE_METHOD, upload_path};
use crate::http::path_params::PathParams;
use crate::store::records::File;

/// `HEAD /v1/uploads/{id}`: how many bytes have come. A request that is under way is told to stop, so that the answer stays true.
pub async fn head(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    RawQuery(query): RawQuery,
    given: HeaderMap,
) -> Result<Response> {
    let file = admit(&app, &id, query, &given).await?;
    let offset = match file.blob {
        Some(_) => file.size,
        None => {
            let _lock = app.upload_locks.lock(&id).await;
            // It may have been completed while this waited.
            let file = current(&app, &id).await?;
            if file.blob.is_some() { file.size } else { offset(&app, &id).await? }
        }
    };
    Ok((StatusCode::OK, headers::progress(&file, offset)?).into_response())
}

/// `DELETE /v1/uploads/{id}`: ends an upload that is not complete, and deletes its bytes and the file.
pub async fn delete(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    RawQuery(query): RawQuery,
    given: HeaderMap,
) -> Result<StatusCode> {
    admit(&app, &id, query, &given).await?;
    let _lock = app.upload_locks.lock(&id).await;
    if !app.store.discard_upload(&id).await? {
        current(&app, &id).await?;
        return Err(already_uploaded());
    }
    app.blobs.remove_partial(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `OPTIONS`: what is supported. [`announce`] adds the headers that say it.
pub async fn options() -> StatusCode {
    StatusCode::NO_CONTENT
}

/// The checks of every request to an upload.
async fn admit(app: &App, id: &str, query: Option<String>, given: &HeaderMap) -> Result<File> {
    let path = upload_path(id);
    let now = app.clock.now();
    let (_, file) =
        verify_signed_url(app, RESUMABLE_METHOD, &path, id, &query.unwrap_or_default(), now).await?;
    headers::check_version(given)?;
    check_supported(app)?;
    Ok(file)
}

/// Refuses where contents are in an object store.
fn check_supported(app: &App) -> Result<()> {
    if !app.blobs.is_remote() {
        return Ok(());
    }
    let detail = "This service keeps files in an object store; upload them by one PUT to links.upload.";
    Err(ApiError::new(ErrorCode::ResumableUnsupported, detail))
}

/// The file as it is now.
async fn current(app: &App, id: &str) -> Result<File> {
    let now = app.clock.now();
    let gone = || ApiError::new(ErrorCode::FileExpired, "The file record has expired or was deleted.");
    app.store.file_by_id(id).await?.filter(|file| now < file.expires_at).ok_or_else(gone)
}

/// The bytes of an upload that are safely stored.
async fn offset(app: &App, id: &str) -> Result<u64> {
    Ok(app.blobs.kept(id, app.store.received(id).await?).await?)
}
