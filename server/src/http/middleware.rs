//! The outermost middleware: request ids, the access log, metrics and error documents.

use std::any::Any;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use filepress_wire::ErrorCode;
use filepress_wire::documents::MEDIA_TYPE;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use tokio::time::Instant;
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::api_key::ApiKey;
use super::error::{ApiError, Result};
use super::host;
use super::peer::Peer;
use super::request_id::{RequestId, X_REQUEST_ID};
use crate::app::App;
use crate::telemetry::{TARGET, join_trace};

/// A path for the log. A path that contains a key or unusual characters, such as a pasted signed URL, is hidden.
pub(super) fn loggable_path(path: &str) -> &str {
    let proper = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte);
    if ApiKey::is_in(path) || !path.bytes().all(proper) { "not shown" } else { path }
}

/// The method, as logs and metrics name it. A client may send any word, so that all that the API does not have are one.
pub(super) fn known_method(method: &Method) -> &'static str {
    const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    METHODS.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

/// The outermost middleware. It logs the path but never the query, which may contain a signature.
pub async fn respond(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = request.headers().get(X_REQUEST_ID).and_then(RequestId::from_header);
    let id = id.unwrap_or_else(RequestId::random);
    let method = known_method(request.method());
    let path = loggable_path(request.uri().path()).to_owned();
    let route = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned());
    let peer = request.extensions().get::<Peer>().copied();
    let client = peer.map(|peer| peer.client);
    request.extensions_mut().insert(id.clone());
    let span = span(method, route.as_deref(), &id);
    join_trace(&span, request.headers());

    let mut response = match peer.map_or(Ok(()), |peer| admit(peer, &request)) {
        Ok(()) => next.run(request).instrument(span.clone()).await,
        Err(error) => error.into_response(),
    };

    let error = response.extensions_mut().remove::<ApiError>();
    if let Some(error) = &error {
        *response.body_mut() = Body::from(error.body(&id));
        response.headers_mut().remove(CONTENT_LENGTH);
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        app.metrics.rejected(error.code().as_str());
    }
    add_headers(response.headers_mut(), &id);

    let (status, took) = (response.status().as_u16(), start.elapsed());
    app.metrics.request(method, route.as_deref().unwrap_or("none"), status, took);
    let code = error.as_ref().map(|error| error.code().as_str());
    span.record("http.response.status_code", status).record("error.type", code);
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
    let client = client.map(tracing::field::display);
    let milliseconds = (took.as_secs_f64() * 1e6).round() / 1e3;
    tracing::info!(request_id = %id, method, path, status, code, client, milliseconds, "request");
    if let Some(cause) = error.as_ref().and_then(ApiError::cause) {
        tracing::error!(request_id = %id, cause, "request failed");
    }
    response
}

/// The span of a request. The route has placeholders where the path has ids.
fn span(method: &'static str, route: Option<&str>, id: &RequestId) -> Span {
    let name = format!("{method} {}", route.unwrap_or_default());
    tracing::info_span!(
        target: TARGET,
        "request",
        otel.name = name.trim_end(),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
        error.type = Empty,
        filepress.request_id = id.as_str(),
    )
}

/// Checks that apply to every request.
fn admit(peer: Peer, request: &Request) -> Result<()> {
    if !peer.is_https(request.headers()) {
        return Err(ApiError::new(ErrorCode::HttpsRequired, "This service accepts only HTTPS.").close());
    }
    if peer.over_limit {
        let detail = "This address has reached its limit of concurrent requests.";
        return Err(ApiError::new(ErrorCode::TooManyConnections, detail).retry_after(1));
    }
    host::check(request).map_err(ApiError::close)
}

fn add_headers(headers: &mut HeaderMap, id: &RequestId) {
    if let Ok(id) = HeaderValue::from_str(id.as_str()) {
        headers.insert(X_REQUEST_ID, id);
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert("x-content-type-options", HeaderValue::from_static("nosniff"));
}

/// Turns a panic of a handler into a 500 response.
pub fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    ApiError::internal(format!("panic: {text}")).into_response()
}

/// The response for unknown paths.
pub async fn no_such_path() -> ApiError {
    ApiError::not_found()
}

/// The response for methods that a path does not support; the router adds `Allow`.
pub async fn no_such_method() -> ApiError {
    ApiError::new(
        ErrorCode::MethodNotAllowed,
        "This path does not support that method; see the Allow header.",
    )
}
