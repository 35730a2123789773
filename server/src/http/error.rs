//! Why a request was refused, until it becomes a document.

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

/// A refusal. As a response it carries itself as an extension; [`super::middleware`] writes the body, which needs the request id.
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

/// The answer of handlers.
pub type Result<T, E = ApiError> = std::result::Result<T, E>;

impl ApiError {
    /// A refusal with what was wrong this time, for a person.
    pub fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self(Arc::new(Parts { code, detail, source: None, meta: None, headers: Vec::new(), cause: None }))
    }

    /// The one answer for what does not exist and for what belongs to someone else.
    pub fn not_found() -> Self {
        Self::new(ErrorCode::NotFound, "There is nothing here, or nothing of yours.")
    }

    /// A fault of the service; `cause` is for the log alone.
    pub fn internal(cause: impl fmt::Display) -> Self {
        let detail = "Something went wrong here. The id of this error helps to find out what.";
        Self::new(ErrorCode::Internal, detail).with(|parts| parts.cause = Some(cause.to_string()))
    }

    /// No room for more bytes.
    pub fn disk_full() -> Self {
        Self::new(ErrorCode::DiskFull, "There is no room for more files at the moment.").retry_after(60)
    }

    /// The service takes nothing more in.
    pub fn shutting_down() -> Self {
        Self::new(ErrorCode::ShuttingDown, "The service is about to stop.").retry_after(5)
    }

    /// The part of the document that was wrong: a JSON pointer (RFC 6901).
    pub fn at(self, pointer: impl Into<String>) -> Self {
        let pointer = Some(pointer.into());
        self.with(|parts| parts.source = Some(ErrorSource { pointer, ..ErrorSource::default() }))
    }

    /// The query parameter that was wrong.
    pub fn parameter(self, name: impl Into<String>) -> Self {
        let parameter = Some(name.into());
        self.with(|parts| parts.source = Some(ErrorSource { parameter, ..ErrorSource::default() }))
    }

    /// The header that was wrong.
    pub fn header_source(self, name: impl Into<String>) -> Self {
        let header = Some(name.into());
        self.with(|parts| parts.source = Some(ErrorSource { header, ..ErrorSource::default() }))
    }

    /// What a program may want to know.
    pub fn meta(self, meta: Map<String, Value>) -> Self {
        self.with(|parts| parts.meta = Some(meta))
    }

    /// When another attempt makes sense, in seconds (RFC 9110, section 10.2.3).
    pub fn retry_after(self, seconds: u64) -> Self {
        self.header(RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// The connection ends: what the client still sends is not wanted.
    pub fn close(self) -> Self {
        self.header(CONNECTION, HeaderValue::from_static("close"))
    }

    /// A header of the answer.
    pub fn header(self, name: HeaderName, value: HeaderValue) -> Self {
        self.with(|parts| parts.headers.push((name, value)))
    }

    /// The code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// What the operator shall know and the client not.
    pub fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// The document, as text.
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
            Unavailable::Database => Self::internal("the database fails"),
            Unavailable::Io(error) => error.into(),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => Self::disk_full(),
            other => Self::internal(other),
        }
    }
}

impl From<io::Error> for ApiError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::disk_full(),
            _ => Self::internal(error),
        }
    }
}
