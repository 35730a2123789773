//! `/v1/uploads`: resumable uploads by the protocol tus 1.0 (tus.io), with its extensions creation, termination, expiration and
//! checksum. An upload is a file without content; its URL is signed, as that of a plain upload is, and needs no key.
//!
//! Requests for one upload may arrive at several servers. Here one makes the other stop; elsewhere, the other finds that it may not record
//! anything any more.

mod checksum;
mod create;
mod headers;
mod patch;

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode};

pub use create::create;
pub use headers::announce;
pub use patch::patch;

use super::content::{already_uploaded, current, verify_signed_url};
use crate::app::App;
use crate::http::error::{ApiError, Result};
use crate::http::links::{RESUMABLE_METHOD, upload_path};
use crate::http::path_params::PathParams;
use crate::store::UploadClaim;
use crate::store::records::File;
use crate::upload_state::UploadState;
use crate::worker::garbage_collector;

/// `HEAD /v1/uploads/{id}`: how many bytes have come. It only reads, but a request that is under way on this server is told to stop, so that
/// the answer stays true.
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
            match current(&app, &id).await?.blob {
                Some(_) => file.size,
                None => app.blobs.kept(&id, app.store.received(&id).await?).await?,
            }
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
    garbage_collector::remove_upload(&app, &id).await.map_err(ApiError::internal)?;
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
    Ok(file)
}

/// Claims an upload that is not complete, and says how far it is; `None` if it is complete.
async fn claim(app: &App, id: &str) -> Result<Option<(UploadClaim, UploadState)>> {
    let Some((claim, mut state)) = app.store.claim_upload(id).await? else {
        // Refuses if the file is gone.
        current(app, id).await?;
        return Ok(None);
    };
    state.received = app.blobs.kept(id, state.received).await?;
    Ok(Some((claim, state)))
}
