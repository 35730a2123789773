//! The operations of resumable uploads.

use filepress_wire::ErrorCode::*;
use serde_json::{Value, json};

use super::errors::KEY_ERRORS;
use super::operation::{document, header, operation, parameter};

const SIGNED: [&str; 5] = ["TusResumable", "Expires", "Length", "Kid", "Signature"];

pub(super) fn create() -> Value {
    let headers = json!({
        "Location": header("Location"),
        "Tus-Resumable": header("TusResumable"),
        "Upload-Expires": header("UploadExpires"),
        "X-Request-Id": header("RequestId"),
        "X-RateLimit-Limit": header("RateLimit"),
        "X-RateLimit-Remaining": header("RateRemaining"),
    });
    let success = json!({
        "description": "The file was created; `Location` is the signed URL of its upload",
        "headers": headers,
        "content": document("FileDocument"),
    });
    let codes = [
        UnsupportedTusVersion,
        UploadOverMaximum,
        StorageQuotaExceeded,
        FileExpired,
        IdempotencyMismatch,
        IdempotencyInFlight,
        DiskFull,
        ShuttingDown,
    ];
    let parameters = ["TusResumable", "UploadLength", "UploadMetadata", "IdempotencyKey"];
    operation(
        "Create a file for a resumable upload by tus 1.0",
        &parameters,
        ("201", success),
        &[KEY_ERRORS, &codes],
    )
}

pub(super) fn options() -> Value {
    let headers = json!({
        "Tus-Resumable": header("TusResumable"),
        "Tus-Version": header("TusVersion"),
        "Tus-Extension": header("TusExtension"),
        "Tus-Checksum-Algorithm": header("TusChecksumAlgorithm"),
        "Tus-Max-Size": header("TusMaxSize"),
    });
    let success = json!({ "description": "What is supported", "headers": headers });
    open(operation("What is supported of tus", &[], ("204", success), &[]))
}

/// The methods of an upload.
pub(super) fn upload(id: &Value) -> Value {
    let codes = [InvalidSignature, UrlExpired, FileExpired, UnsupportedTusVersion];
    let progress = json!({
        "Tus-Resumable": header("TusResumable"),
        "Upload-Offset": header("UploadOffset"),
        "Upload-Length": header("UploadLength"),
        "Upload-Expires": header("UploadExpires"),
    });
    let come = json!({ "description": "How many bytes have come", "headers": progress });
    let head = operation("How many bytes have come", &SIGNED, ("200", come.clone()), &[&codes]);
    let more = [
        InvalidHeader,
        UnsupportedMediaType,
        OffsetMismatch,
        ChecksumMismatch,
        AlreadyUploaded,
        UploadTooLarge,
        SizeMismatch,
        RequestTimeout,
        DiskFull,
        ShuttingDown,
    ];
    let parameters: Vec<&str> = SIGNED.into_iter().chain(["UploadOffset", "UploadChecksum"]).collect();
    let mut patch = operation(
        "Append bytes; what came before a broken connection is kept",
        &parameters,
        ("204", come),
        &[&codes, &more],
    );
    patch["requestBody"] = json!({ "required": true, "content": { "application/offset+octet-stream": {} } });
    let deleted = json!({ "description": "The file and the bytes that have come were deleted" });
    let delete = operation(
        "Give up an upload that is not complete",
        &SIGNED,
        ("204", deleted),
        &[&codes, &[AlreadyUploaded]],
    );
    json!({
        "parameters": [id, parameter("RequestId")],
        "head": open(head), "patch": open(patch), "delete": open(delete), "options": options(),
    })
}

/// An operation without a key.
fn open(mut operation: Value) -> Value {
    operation["security"] = json!([]);
    operation
}
