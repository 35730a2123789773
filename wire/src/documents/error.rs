//! Error documents (JSON:API 1.1, "Error Objects").

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::JsonApi;
use crate::error_code::ErrorCode;

/// What is sent instead of data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorDocument {
    /// Which JSON:API this is.
    #[serde(default)]
    pub jsonapi: JsonApi,
    /// At least one.
    pub errors: Vec<ErrorObject>,
}

/// One reason why a request was refused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ErrorObject {
    /// The request id, by which the operator finds the occurrence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The HTTP status, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// See [`ErrorObject::known_code`].
    pub code: String,
    /// The same for each occurrence of a code.
    pub title: String,
    /// What was wrong this time.
    pub detail: String,
    /// Where it was wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<ErrorSource>,
    /// What a program may want to know, such as a maximum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl ErrorObject {
    /// The code, if it is one of ours; a newer service, or another, may send others.
    pub fn known_code(&self) -> Option<ErrorCode> {
        ErrorCode::from_code(&self.code)
    }
}

/// What part of the request was wrong.
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
