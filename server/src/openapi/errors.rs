//! The error responses of an operation, by status.

use std::collections::BTreeMap;

use filepress_wire::ErrorCode::{self, *};
use filepress_wire::documents::MEDIA_TYPE;
use serde_json::{Map, Value, json};

/// Errors of every path.
const COMMON_ERRORS: &[ErrorCode] = &[
    MalformedRequest,
    HeadTooLarge,
    TooManyConnections,
    HttpsRequired,
    MethodNotAllowed,
    StorageUnavailable,
    Internal,
];

/// Further errors of paths that need a key.
pub(super) const KEY_ERRORS: &[ErrorCode] = &[
    NotAcceptable,
    Unauthorized,
    KeyExpired,
    RateLimited,
    MissingScope,
    UnknownParameter,
    InvalidParameter,
    InvalidHeader,
];

/// Further errors of paths that take a document.
pub(super) const DOCUMENT_ERRORS: &[ErrorCode] = &[
    UnsupportedMediaType,
    DocumentTooLarge,
    RequestTimeout,
    InvalidJson,
    InvalidDocument,
    TypeMismatch,
    MissingMember,
    InvalidValue,
    DiskFull,
];

/// Further errors of paths that create a resource.
pub(super) const CREATE_ERRORS: &[ErrorCode] =
    &[ClientGeneratedId, FileExpired, IdempotencyMismatch, IdempotencyInFlight, ShuttingDown];

/// Adds an error response for each status of these codes.
pub(super) fn add_error_responses(responses: &mut Map<String, Value>, codes: &[&[ErrorCode]]) {
    let mut by_status = BTreeMap::<u16, Vec<ErrorCode>>::new();
    for code in codes.iter().copied().flatten().chain(COMMON_ERRORS) {
        by_status.entry(code.status()).or_default().push(*code);
    }
    for (status, codes) in by_status {
        let lines: Vec<String> =
            codes.iter().map(|code| format!("`{}`: {}", code.as_str(), code.title())).collect();
        let mut headers = json!({ "X-Request-Id": { "$ref": "#/components/headers/RequestId" } });
        let name = match status {
            401 => Some(("WWW-Authenticate", "Challenge")),
            403 if codes.contains(&MissingScope) => Some(("WWW-Authenticate", "Challenge")),
            405 => Some(("Allow", "Allow")),
            416 => Some(("Content-Range", "ContentRange")),
            429 | 503 => Some(("Retry-After", "RetryAfter")),
            _ => None,
        };
        if let Some((header, component)) = name {
            headers[header] = json!({ "$ref": format!("#/components/headers/{component}") });
        }
        let response = json!({
            "description": lines.join("; "),
            "headers": headers,
            "content": { MEDIA_TYPE: { "schema": { "$ref": "#/components/schemas/Errors" } } },
        });
        responses.insert(status.to_string(), response);
    }
}
