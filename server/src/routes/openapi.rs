//! `/v1/openapi.json`: the description of the API, without authentication.

use std::sync::LazyLock;

use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;

use crate::openapi;

static TEXT: LazyLock<String> = LazyLock::new(|| openapi::description().to_string());

/// `GET /v1/openapi.json`
pub async fn get() -> Response {
    ([(CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}
