//! `POST /v1/uploads`: creates a file for a resumable upload (the extension creation of tus).

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use filepress_wire::MediaType;
use filepress_wire::documents::NewFile;
use http::HeaderMap;

use super::headers;
use crate::app::App;
use crate::http::auth::AuthenticatedUser;
use crate::http::document::ApiResponse;
use crate::http::error::Result;
use crate::http::idempotency::IdempotentRequest;
use crate::http::query::NoQuery;
use crate::routes::files;
use crate::store::records::File;

/// `POST /v1/uploads`: 201 with the signed URL of the upload in `Location`, and the document of the file. A repeated request may have other
/// `Upload-Metadata`, as long as that has the same media type.
pub async fn create(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    given: HeaderMap,
    _: NoQuery,
) -> Result<Response> {
    headers::check_version(&given)?;
    let size = headers::length(&given, app.config.max_file_size)?;
    let format = headers::media_type(&given);
    let described = format!("{size}\n{}", format.map_or("", MediaType::as_str));
    let once = IdempotentRequest::new(&app, &caller, &given, "/v1/uploads", described.as_bytes())?;
    let (again, owner) = (Arc::clone(&app), caller.0.id.clone());
    once.run(
        async move |id| {
            let file = files::create_record(&app, &caller, id, NewFile { size, format }).await;
            created(&app, &file.map_err(|error| error.header_source("Upload-Length"))?).await
        },
        async move |id| match again.store.file(&owner, &id, again.clock.now()).await? {
            Some(file) => Ok(Some(created(&again, &file).await?)),
            None => Ok(None),
        },
    )
    .await
}

/// The response to a request that created an upload, also when it is repeated.
async fn created(app: &App, file: &File) -> Result<ApiResponse> {
    let (location, headers) = (Some(app.resumable_url(file)), headers::expires(file)?);
    Ok(ApiResponse { location, headers, ..files::created(app, file).await? })
}
