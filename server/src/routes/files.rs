//! `/v1/files`: file resources. Their content is served by [`super::content`].

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use filepress_wire::ErrorCode;
use filepress_wire::documents::{Document, FileKind, JsonApi, ListMeta, NewFile};
use http::{HeaderMap, StatusCode};
use serde_json::Value;

use super::{content, resources};
use crate::app::App;
use crate::clock::Timestamp;
use crate::http::auth::AuthenticatedUser;
use crate::http::body::JsonBody;
use crate::http::document::{ApiResponse, single};
use crate::http::document_reader::Member;
use crate::http::error::{ApiError, Result};
use crate::http::idempotency::IdempotentRequest;
use crate::http::pagination::PageQuery;
use crate::http::path_params::PathParams;
use crate::http::query::NoQuery;
use crate::store::records::File;
use crate::store::{self, DeclareResult, DeleteResult};

/// `GET /v1/files`
pub async fn list(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    wanted: PageQuery,
) -> Result<Response> {
    let now = app.clock.now();
    let files = app.store.files(&caller.0.id, wanted.page(), now).await?;
    let items: Vec<&File> = files.items.iter().collect();
    let document = Document {
        jsonapi: JsonApi::default(),
        links: Some(wanted.links(&format!("{}/v1/files", app.public_url), &files, |file| file.created_at)),
        meta: Some(ListMeta { range_truncated: files.has_older }),
        data: resources::files(&app, &items, now).await,
        included: None,
    };
    Ok(ApiResponse::ok(&document)?.into_response())
}

/// `GET /v1/files/{id}`
pub async fn get(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    PathParams(id): PathParams<String>,
    _: NoQuery,
) -> Result<Response> {
    let now = app.clock.now();
    let file = app.store.file(&caller.0.id, &id, now).await?.ok_or_else(ApiError::not_found)?;
    let file = match content::arrived(&app, file.clone()).await {
        // It waits for other bytes now.
        Err(error) if content::is_refusal(&error) => file,
        arrived => arrived?,
    };
    let document = single(resources::file(&app, &file, false, now).await, app.file_url(&file.id));
    Ok(ApiResponse::ok(&document)?.into_response())
}

/// `POST /v1/files`
pub async fn create(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    headers: HeaderMap,
    _: NoQuery,
    body: JsonBody,
) -> Result<Response> {
    let once = IdempotentRequest::new(&app, &caller, &headers, "/v1/files", &body.bytes)?;
    let new = parse(&body.json, app.config.max_file_size)?;
    let (again, owner) = (Arc::clone(&app), caller.0.id.clone());
    once.run(
        async move |id| {
            let file = create_record(&app, &caller, id, new).await?;
            created(&app, &file).await
        },
        async move |id| match again.store.file(&owner, &id, again.clock.now()).await? {
            Some(file) => Ok(Some(created(&again, &file).await?)),
            None => Ok(None),
        },
    )
    .await
}

/// `DELETE /v1/files/{id}`: deletes the record and the content.
pub async fn delete(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<AuthenticatedUser>,
    PathParams(id): PathParams<String>,
    _: NoQuery,
) -> Result<StatusCode> {
    // A task of its own completes the deletion even if the client disconnects; else the blob might be orphaned.
    let deleted = tokio::spawn(async move { remove(&app, &caller, &id).await });
    deleted.await.map_err(ApiError::internal)?
}

async fn remove(app: &App, caller: &AuthenticatedUser, id: &str) -> Result<StatusCode> {
    let blob = match app.store.delete_file(&caller.0.id, id, app.clock.now()).await? {
        DeleteResult::Done(blob) => blob,
        DeleteResult::InUse => {
            let detail = "An unfinished task uses this file; wait for the task or cancel it.";
            return Err(ApiError::new(ErrorCode::FileInUse, detail));
        }
        DeleteResult::Unknown => return Err(ApiError::not_found()),
    };
    // Else the bytes that still come would take room that no quota counts.
    app.upload_locks.end(id);
    // What a client has sent to the object store for a file without content has the id of the file as its name.
    let blob = blob.or_else(|| app.config.direct_uploads.then(|| id.to_owned()));
    if let Some(blob) = blob
        && let Err(error) = app.blobs.remove(&blob).await
    {
        tracing::warn!(%error, blob, "cannot delete the blob of a deleted file; the garbage collector will");
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Creates a file without content.
pub(super) async fn create_record(
    app: &App,
    caller: &AuthenticatedUser,
    id: Option<String>,
    new: NewFile,
) -> Result<File> {
    let NewFile { size, format } = new;
    app.accepts(size)?;
    let now = app.clock.now();
    let expires_at = now.after(app.config.upload_retention);
    let user = caller.0.id.clone();
    let file = store::NewFile { id, user, format, size, expires_at };
    let max = app.config.max_bytes_per_user.unwrap_or(u64::MAX);
    match app.store.declare(file, max, now).await? {
        DeclareResult::File(file) => Ok(file),
        DeclareResult::Full(until) => Err(quota_exceeded(max, until, now)),
    }
}

/// The response to a request that created a file, also when it is repeated.
pub(super) async fn created(app: &App, file: &File) -> Result<ApiResponse> {
    let (url, fresh) = (app.file_url(&file.id), file.blob.is_none());
    let file = resources::file(app, file, fresh, app.clock.now()).await;
    ApiResponse::created(url.clone(), &single(file, url))
}

fn quota_exceeded(max: u64, until: Option<Timestamp>, now: Timestamp) -> ApiError {
    let detail =
        format!("Your files may have at most {max} bytes in total; delete files, or wait until they expire.");
    let error = ApiError::new(ErrorCode::StorageQuotaExceeded, detail).at("/data/attributes/size");
    match until {
        Some(until) => error.retry_after(until.since(now).as_secs() + 1),
        // The file is larger than the quota, so waiting does not help.
        None => error,
    }
}

fn parse(document: &Value, max_size: u64) -> Result<NewFile> {
    let data = Member::data(document, FileKind::NAME)?;
    let attributes = data.get("attributes")?.ok_or_else(|| data.lacks("attributes"))?;
    let size = attributes.get("size")?.ok_or_else(|| attributes.lacks("size"))?;
    let format = attributes.get("format")?.map(|format| format.media_type()).transpose()?;
    // A number too large for u64 is above the maximum, not malformed.
    if size.value().as_f64().is_some_and(|size| size > max_size as f64) {
        let demand = format!("is more than the maximum of {max_size} bytes");
        return Err(size.refusal(ErrorCode::MaxFileSizeExceeded, &demand));
    }
    match size.value().as_u64() {
        Some(bytes) if bytes >= 1 => Ok(NewFile { size: bytes, format }),
        _ => Err(size.wrong("must be a whole number of bytes, at least 1")),
    }
}
