//! Error documents (JSON:API 1.1, "Error Objects").

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::JsonApi;

/// A document with errors instead of data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorDocument {
    /// The version of JSON:API.
    #[serde(default)]
    pub jsonapi: JsonApi,
    /// At least one.
    pub errors: Vec<ErrorObject>,
}

/// One error of a request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ErrorObject {
    /// The request id, which the log of the service contains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The HTTP status, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// One of [`ErrorCode`](crate::error_code::ErrorCode), unless the service is another or a newer one.
    pub code: String,
    /// A summary, the same for every occurrence of a code.
    pub title: String,
    /// An explanation of this occurrence.
    pub detail: String,
    /// The part of the request that caused the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<ErrorSource>,
    /// Machine-readable facts, such as a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

/// The part of a request that caused an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ErrorSource {
    /// JSON pointer (RFC 6901) into the request's document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Name of a query parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// Name of a header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
}
