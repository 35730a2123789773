//! Reads a JSON document from a request body, with limits on size and time.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use filepress_wire::ErrorCode;
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::Value;
use tokio::time::timeout;

use super::error::{ApiError, Result};
use super::negotiate;
use crate::app::App;

/// The largest document in bytes.
pub const MAX_DOCUMENT: usize = 64 << 10;
/// The most input files of a task: their identifiers take half of the largest document.
pub const MAX_INPUTS: usize = 500;

/// A complete document.
#[derive(Debug)]
pub struct JsonBody {
    /// The bytes as received.
    pub bytes: Bytes,
    /// The parsed JSON.
    pub json: Value,
}

impl FromRequest<Arc<App>> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self> {
        let (parts, body) = request.into_parts();
        negotiate::content_type(&parts.headers).map_err(ApiError::close)?;
        let bytes = read(&parts.headers, body, app.config.idle_timeout).await.map_err(ApiError::close)?;
        let json = serde_json::from_slice(&bytes).map_err(|error| {
            ApiError::new(ErrorCode::InvalidJson, format!("The body is not valid JSON: {error}."))
        })?;
        Ok(Self { bytes, json })
    }
}

async fn read(headers: &HeaderMap, body: Body, patience: Duration) -> Result<Bytes> {
    let declared = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > MAX_DOCUMENT as u64) {
        return Err(too_large());
    }
    let Ok(collected) = timeout(patience, Limited::new(body, MAX_DOCUMENT).collect()).await else {
        return Err(ApiError::new(ErrorCode::RequestTimeout, "The document did not arrive in time."));
    };
    match collected {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
        Err(_) => Err(ApiError::new(
            ErrorCode::InvalidJson,
            "The connection ended before the whole document was received.",
        )),
    }
}

fn too_large() -> ApiError {
    ApiError::new(ErrorCode::DocumentTooLarge, format!("A document may have at most {MAX_DOCUMENT} bytes."))
}
