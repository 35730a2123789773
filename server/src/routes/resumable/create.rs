//! `POST /v1/uploads`: creates a file for a resumable upload (the extension creation of tus).

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use filepress_wire::documents::NewFile;
use http::HeaderMap;

use super::headers;
use crate::app::App;
use crate::http::auth::AuthenticatedUser;
use crate::http::error::Result;
use crate::http::query::NoQuery;
use crate::routes::files;

/// `POST /v1/uploads`: 201 with the signed URL of the upload in `Location`, and the document of the file.
pub async fn create(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    given: HeaderMap,
    _: NoQuery,
) -> Result<Response> {
    headers::check_version(&given)?;
    let size = headers::length(&given, app.config.max_file_size)?;
    let format = headers::media_type(&given);
    let file = files::create_record(&app, &caller, None, NewFile { size, format }).await;
    let file = file.map_err(|error| error.header_source("Upload-Length"))?;
    let mut created = files::created(&app, &file).await?;
    created.location = Some(app.resumable_url(&file));
    let mut response = created.into_response();
    response.headers_mut().extend(headers::expires(&file)?);
    Ok(response)
}
