//! `GET` of a file's content: all of it or a range, streamed, or a redirect to the object store.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use filepress_wire::ErrorCode;
use futures_util::TryStreamExt;
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE, LOCATION, RANGE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

use super::range::ByteRange;
use super::{etag, verify_signed_url};
use crate::app::App;
use crate::blobs::ResponseHeaders;
use crate::http::document::ZIP_MEDIA_TYPE;
use crate::http::error::{ApiError, Result};
use crate::http::links::content_path;
use crate::http::path_params::PathParams;
use crate::store::records::File;

const CROSS_ORIGIN: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// `GET /v1/files/{id}/content`, and `HEAD`.
pub async fn download(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    RawQuery(query): RawQuery,
    method: Method,
    headers: HeaderMap,
) -> Result<Response> {
    let now = app.clock.now();
    let (grant, file) =
        verify_signed_url(&app, "GET", &content_path(&id), &id, &query.unwrap_or_default(), now).await?;
    let (Some(blob), Some(sha256)) = (&file.blob, &file.sha256) else {
        return Err(ApiError::new(
            ErrorCode::NotFound,
            "The content of this file has not been uploaded yet.",
        ));
    };
    let etag = etag(sha256);
    if text(&headers, IF_NONE_MATCH).is_some_and(|tags| matches(tags, &etag)) {
        return response(StatusCode::NOT_MODIFIED, &file, &etag, Body::empty());
    }
    // The store answers a range too. What a HEAD asks for is known here.
    if method == Method::GET
        && let Some(url) = app.direct_download_url(blob, &response_headers(&file), grant.expires, now).await
    {
        return redirect(&url);
    }
    let range = match text(&headers, RANGE) {
        // If If-Range does not match, the whole file is sent. A date never matches, as no Last-Modified is sent (RFC 9110, section 13.1.5).
        Some(range) if method == Method::GET && text(&headers, IF_RANGE).is_none_or(|tag| tag == etag) => {
            ByteRange::parse(range, file.size)
        }
        _ => ByteRange::Whole,
    };
    let (status, start, length) = match range {
        ByteRange::Whole => (StatusCode::OK, 0, file.size),
        ByteRange::Partial { start, length } => (StatusCode::PARTIAL_CONTENT, start, length),
        ByteRange::Unsatisfiable => {
            let detail = format!("The file has {} bytes.", file.size);
            let error = ApiError::new(ErrorCode::RangeNotSatisfiable, detail);
            return Err(error.header(CONTENT_RANGE, header(&format!("bytes */{}", file.size))?));
        }
    };
    let body = if method == Method::HEAD { Body::empty() } else { stream(&app, blob, start, length).await? };
    let mut response = response(status, &file, &etag, body)?;
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
    if status == StatusCode::PARTIAL_CONTENT {
        let range = format!("bytes {start}-{}/{}", start + length - 1, file.size);
        response.headers_mut().insert(CONTENT_RANGE, header(&range)?);
    }
    Ok(response)
}

async fn stream(app: &Arc<App>, blob: &str, start: u64, length: u64) -> Result<Body> {
    let bytes = app.blobs.read(blob, start, length).await?;
    let metrics = app.metrics.clone();
    Ok(Body::from_stream(bytes.inspect_ok(move |chunk| metrics.bytes("out", chunk.len() as u64))))
}

/// The response that leads to the object store. It is kept by nobody: the URL expires.
fn redirect(url: &str) -> Result<Response> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    response.headers_mut().insert(LOCATION, header(url)?);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(CROSS_ORIGIN, HeaderValue::from_static("cross-origin"));
    Ok(response)
}

/// A response with the headers of RFC 9110, and headers that allow a browser only to save the content.
fn response(status: StatusCode, file: &File, etag: &str, body: Body) -> Result<Response> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let ResponseHeaders { cache_control, content_disposition, content_type } = response_headers(file);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(ETAG, header(etag)?);
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
    headers.insert(CONTENT_DISPOSITION, header(&content_disposition)?);
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    headers.insert(CROSS_ORIGIN, HeaderValue::from_static("cross-origin"));
    Ok(response)
}

/// The headers of a content that the object store can send too.
fn response_headers(file: &File) -> ResponseHeaders {
    let (extension, content_type) = match file.format {
        _ if file.is_archive => ("zip", ZIP_MEDIA_TYPE),
        Some(format) => (format.extensions().first().copied().unwrap_or("bin"), format.as_str()),
        None => ("bin", "application/octet-stream"),
    };
    let content_disposition = format!("attachment; filename=\"{}.{extension}\"", file.id);
    ResponseHeaders { cache_control: "private, no-cache", content_disposition, content_type }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Whether a list of entity tags contains this one, by weak comparison (RFC 9110, section 13.1.2).
fn matches(tags: &str, etag: &str) -> bool {
    let mut tags = tags.split(',').map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

fn header(text: &str) -> Result<HeaderValue> {
    HeaderValue::from_str(text).map_err(ApiError::internal)
}
