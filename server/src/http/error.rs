//! The errors of the API.

use std::fmt;
use std::io;
use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use filepress_wire::ErrorCode;
use filepress_wire::documents::{ErrorDocument, ErrorObject, ErrorSource, JsonApi};
use http::header::{CONNECTION, HeaderName, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde_json::{Map, Value};

use super::request_id::RequestId;
use crate::app::Unavailable;
use crate::store::StoreError;

/// An error response. It is passed to [`super::middleware`] as an extension, which writes the body with the request id.
#[derive(Debug, Clone)]
pub struct ApiError(Arc<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    code: ErrorCode,
    detail: String,
    source: Option<ErrorSource>,
    meta: Option<Map<String, Value>>,
    headers: Vec<(HeaderName, HeaderValue)>,
    cause: Option<String>,
}

/// The result of a handler.
pub type Result<T, E = ApiError> = std::result::Result<T, E>;

impl ApiError {
    /// An error; `detail` tells a person what is wrong with this request.
    pub fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self(Arc::new(Parts { code, detail, source: None, meta: None, headers: Vec::new(), cause: None }))
    }

    /// The same error for resources that do not exist and for those of other users.
    pub fn not_found() -> Self {
        Self::new(ErrorCode::NotFound, "This resource does not exist or belongs to another user.")
    }

    /// An internal error; `cause` is only logged.
    pub fn internal(cause: impl fmt::Display) -> Self {
        let detail = "The service failed. Give the id of this error to its operator.";
        Self::new(ErrorCode::Internal, detail).with(|parts| parts.cause = Some(cause.to_string()))
    }

    /// The disk is full.
    pub fn disk_full() -> Self {
        Self::new(ErrorCode::DiskFull, "The disk of the service is full; try again later.").retry_after(60)
    }

    /// The database or the store of the files cannot be reached; `cause` is only logged.
    pub fn storage_unavailable(cause: impl fmt::Display) -> Self {
        let detail = "The service cannot reach its storage; try again later.";
        let error = Self::new(ErrorCode::StorageUnavailable, detail).retry_after(2);
        error.with(|parts| parts.cause = Some(cause.to_string()))
    }

    /// The service is stopping.
    pub fn shutting_down() -> Self {
        Self::new(ErrorCode::ShuttingDown, "The service is stopping; try again later.").retry_after(5)
    }

    /// Adds the JSON pointer (RFC 6901) of the invalid member.
    pub fn at(self, pointer: impl Into<String>) -> Self {
        let pointer = Some(pointer.into());
        self.with(|parts| parts.source = Some(ErrorSource { pointer, ..ErrorSource::default() }))
    }

    /// Adds the name of the invalid query parameter.
    pub fn parameter(self, name: impl Into<String>) -> Self {
        let parameter = Some(name.into());
        self.with(|parts| parts.source = Some(ErrorSource { parameter, ..ErrorSource::default() }))
    }

    /// Adds the name of the invalid header.
    pub fn header_source(self, name: impl Into<String>) -> Self {
        let header = Some(name.into());
        self.with(|parts| parts.source = Some(ErrorSource { header, ..ErrorSource::default() }))
    }

    /// Adds machine-readable information.
    pub fn meta(self, meta: Map<String, Value>) -> Self {
        self.with(|parts| parts.meta = Some(meta))
    }

    /// Adds `Retry-After` in seconds (RFC 9110, section 10.2.3).
    pub fn retry_after(self, seconds: u64) -> Self {
        self.header(RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// Closes the connection, so that the rest of the request body need not be read.
    pub fn close(self) -> Self {
        self.header(CONNECTION, HeaderValue::from_static("close"))
    }

    /// Adds a header to the response.
    pub fn header(self, name: HeaderName, value: HeaderValue) -> Self {
        self.with(|parts| parts.headers.push((name, value)))
    }

    /// The error code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The cause, for the log only.
    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// The JSON:API document as text.
    pub fn body(&self, request: &RequestId) -> String {
        let Parts { code, detail, source, meta, .. } = (*self.0).clone();
        let error = ErrorObject {
            id: Some(request.as_str().to_owned()),
            status: Some(code.status().to_string()),
            code: code.as_str().to_owned(),
            title: code.title().to_owned(),
            detail,
            source,
            meta,
        };
        let document = ErrorDocument { jsonapi: JsonApi::default(), errors: vec![error] };
        serde_json::to_string(&document).unwrap_or_default()
    }

    fn with(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        response.headers_mut().extend(self.0.headers.iter().cloned());
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Unavailable> for ApiError {
    fn from(reason: Unavailable) -> Self {
        match reason {
            Unavailable::ShuttingDown => Self::shutting_down(),
            Unavailable::DiskFull => Self::disk_full(),
            Unavailable::Database => Self::internal("cannot write to the database"),
            Unavailable::Io(error) => error.into(),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => Self::disk_full(),
            StoreError::Unavailable(_) => Self::storage_unavailable(error),
            other => Self::internal(other),
        }
    }
}

impl From<io::Error> for ApiError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::disk_full(),
            io::ErrorKind::NotConnected => Self::storage_unavailable(error),
            _ => Self::internal(error),
        }
    }
}
