//! The paths, parameters and headers of the API.

use filepress_wire::ErrorCode::{self, *};
use serde_json::{Value, json};

use super::errors::{CREATE_ERRORS, DOCUMENT_ERRORS, KEY_ERRORS};
use super::operation::{document, header, operation, parameter};
use super::resumable;

pub(super) fn paths() -> Value {
    let id = parameter("Id");
    let relationship = json!([id, parameter("Relationship")]);
    json!({
        "/v1/files": {
            "get": list("List files, newest first", "FileList"),
            "post": create(
                "Create a file and get the signed URL for its bytes", "NewFile", "FileDocument",
                &[MaxFileSizeExceeded, StorageQuotaExceeded],
            ),
        },
        "/v1/files/{id}": {
            "parameters": [id],
            "get": read("Retrieve a file", "FileDocument", &[NotFound]),
            "delete": delete(),
        },
        "/v1/files/{id}/content": { "parameters": [id], "put": upload(), "get": download() },
        "/v1/tasks": {
            "get": list("List tasks, newest first", "TaskList"),
            "post": create("Create a task", "NewTask", "TaskDocument", &[
                NotFound, FileNotUploaded, SizeMismatch, UploadTooLarge, FormatMismatch, UnknownFormat, UnsupportedPair, UnknownSetting, InvalidSetting,
                CallbackNotAllowed, TooManyCallbacks, TooManyPendingTasks, ProcessingQuotaExceeded, StorageQuotaExceeded, QueueFull,
            ]),
        },
        "/v1/tasks/{id}": {
            "parameters": [id],
            "get": read("Retrieve a task; `Retry-After` until it is COMPLETED or FAILED", "TaskDocument", &[NotFound]),
            "patch": cancel(),
        },
        "/v1/tasks/{id}/relationships/{name}": {
            "parameters": relationship,
            "get": read("The identifier of the input or output file of a task, or of all inputs", "RelationshipDocument", &[NotFound]),
        },
        "/v1/tasks/{id}/{name}": {
            "parameters": relationship,
            "get": read("The input or output file of a task, null until it exists; or all inputs that exist", "RelatedDocument", &[NotFound]),
        },
        "/v1/uploads": { "post": resumable::create(), "options": resumable::options() },
        "/v1/uploads/{id}": resumable::upload(&id),
        "/v1/users/me": { "get": read("Retrieve the owner of the key", "UserDocument", &[]) },
        "/v1/openapi.json": {
            "get": {
                "summary": "This description",
                "security": [],
                "responses": { "200": { "description": "OpenAPI 3.1", "content": { "application/json": {} } } },
            },
        },
    })
}

pub(super) fn parameters() -> Value {
    let cursor = json!({ "type": "string", "format": "date-time" });
    json!({
        "Id": { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
        "Relationship": {
            "name": "name", "in": "path", "required": true, "schema": { "enum": ["input", "inputs", "output"] },
        },
        "PageSize": {
            "name": "page[size]", "in": "query", "description": "The maximum number of items.",
            "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 },
        },
        "PageAfter": {
            "name": "page[after]", "in": "query", "description": "A cursor; the page begins with the next older item.", "schema": cursor,
        },
        "PageBefore": {
            "name": "page[before]", "in": "query", "description": "A cursor; the page ends with the next newer item.",
            "schema": cursor,
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key", "in": "header",
            "description": "Kept for 24 h. A repeated request creates nothing and returns the resource of the first one in its current \
                state, with fresh links; 410 if it was deleted.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 },
        },
        "RequestId": {
            "name": "X-Request-Id", "in": "header", "description": "Echoed in the response; generated if absent or invalid.",
            "schema": { "type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$" },
        },
        "Range": {
            "name": "Range", "in": "header", "description": "One range of bytes; several ranges are ignored and all bytes are sent.",
            "schema": { "type": "string" },
        },
        "IfRange": { "name": "If-Range", "in": "header", "schema": { "type": "string" } },
        "IfNoneMatch": { "name": "If-None-Match", "in": "header", "schema": { "type": "string" } },
        "TusResumable": tus("Tus-Resumable", "The version of tus.", json!({ "const": "1.0.0" })),
        "UploadLength": tus("Upload-Length", "The size of the file in bytes.", json!({ "type": "integer", "minimum": 1 })),
        "UploadOffset": tus("Upload-Offset", "How many bytes have come.", json!({ "type": "integer", "minimum": 0 })),
        "UploadChecksum": {
            "name": "Upload-Checksum", "in": "header",
            "description": "`sha1` or `sha256`, a space, and the hash of the body in base64. A body with another hash is discarded.",
            "schema": { "type": "string" },
        },
        "UploadMetadata": {
            "name": "Upload-Metadata", "in": "header", "description": "`filetype` and the media type in base64; all else is ignored.",
            "schema": { "type": "string" },
        },
        "Expires": signed("expires", json!({ "type": "integer" }), true),
        "Length": signed("length", json!({ "type": "integer" }), false),
        "Kid": signed("kid", json!({ "type": "string" }), true),
        "Signature": signed("signature", json!({ "type": "string" }), true),
    })
}

pub(super) fn headers() -> Value {
    let text = |description: &str| json!({ "description": description, "schema": { "type": "string" } });
    let number = |description: &str| json!({ "description": description, "schema": { "type": "integer" } });
    json!({
        "RequestId": text("The id of the request, as in errors and in the service's log."),
        "RateLimit": number("Calls per minute of the key, evenly spaced."),
        "RateRemaining": number("Calls that the key may make at once now."),
        "RetryAfter": number("Seconds after which to try again."),
        "TusResumable": text("The version of tus: 1.0.0."),
        "TusVersion": text("The versions of tus: 1.0.0."),
        "TusExtension": text("The extensions of tus."),
        "TusChecksumAlgorithm": text("The algorithms of `Upload-Checksum`."),
        "TusMaxSize": number("The largest file in bytes."),
        "UploadOffset": number("How many bytes have come."),
        "UploadLength": number("The size of the file in bytes."),
        "UploadExpires": text("When an upload that is not complete is deleted (RFC 9110, section 5.6.7)."),
        "Location": text("The URL of the created resource."),
        "StoreLocation": text("The URL at the object store, valid for as long as this URL, but for at least five minutes and at most seven days."),
        "Challenge": text("RFC 6750."),
        "Allow": text("The methods of the path."),
        "ETag": text("Strong: the SHA-256 of the bytes."),
        "ContentRange": text("RFC 9110, section 14.4."),
        "ContentDisposition": text("`attachment` with a file name."),
    })
}

fn tus(name: &str, description: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "header", "required": true, "description": description, "schema": schema })
}

fn signed(name: &str, schema: Value, required: bool) -> Value {
    let description = "Part of the signed URL; use the URL from the file's links unchanged.";
    json!({ "name": name, "in": "query", "required": required, "description": description, "schema": schema })
}

fn answer(description: &str, schema: &str, more: &[(&str, &str)]) -> Value {
    let mut headers = json!({
        "X-Request-Id": header("RequestId"),
        "X-RateLimit-Limit": header("RateLimit"),
        "X-RateLimit-Remaining": header("RateRemaining"),
    });
    for (name, component) in more {
        headers[name] = header(component);
    }
    json!({ "description": description, "headers": headers, "content": document(schema) })
}

fn read(summary: &str, schema: &str, codes: &[ErrorCode]) -> Value {
    let more: &[_] = if schema == "TaskDocument" { &[("Retry-After", "RetryAfter")] } else { &[] };
    operation(summary, &[], ("200", answer("The resource", schema, more)), &[KEY_ERRORS, codes])
}

fn list(summary: &str, schema: &str) -> Value {
    let parameters = ["PageSize", "PageAfter", "PageBefore"];
    operation(summary, &parameters, ("200", answer("A page", schema, &[])), &[KEY_ERRORS])
}

fn create(summary: &str, request: &str, schema: &str, codes: &[ErrorCode]) -> Value {
    let success = ("201", answer("The resource was created", schema, &[("Location", "Location")]));
    let mut operation = operation(
        summary,
        &["IdempotencyKey"],
        success,
        &[KEY_ERRORS, DOCUMENT_ERRORS, CREATE_ERRORS, codes],
    );
    operation["requestBody"] = json!({ "required": true, "content": document(request) });
    operation
}

/// An addition of this service to the API.
fn cancel() -> Value {
    let summary = "Cancel a task: it becomes FAILED with the error `canceled`; idempotent";
    let success = ("200", answer("The canceled task", "TaskDocument", &[]));
    let codes = [NotFound, IdMismatch, ReadOnlyMember, TaskEnded];
    let mut operation = operation(summary, &[], success, &[KEY_ERRORS, DOCUMENT_ERRORS, &codes]);
    operation["requestBody"] = json!({ "required": true, "content": document("TaskCancellation") });
    operation
}

/// An addition of this service to the API.
fn delete() -> Value {
    let headers = json!({
        "X-Request-Id": header("RequestId"),
        "X-RateLimit-Limit": header("RateLimit"),
        "X-RateLimit-Remaining": header("RateRemaining"),
    });
    let success =
        ("204", json!({ "description": "The file and its content were deleted", "headers": headers }));
    operation("Delete a file and its bytes", &[], success, &[KEY_ERRORS, &[NotFound, FileInUse, DiskFull]])
}

fn upload() -> Value {
    let success = json!({
        "description": "The content was stored",
        "headers": { "ETag": header("ETag"), "X-Request-Id": header("RequestId") },
    });
    let codes = [
        InvalidSignature,
        UrlExpired,
        FileExpired,
        AlreadyUploaded,
        InvalidHeader,
        LengthRequired,
        UnsupportedMediaType,
        UploadTooLarge,
        SizeMismatch,
        RequestTimeout,
        DiskFull,
        ShuttingDown,
    ];
    let signed = ["Expires", "Length", "Kid", "Signature"];
    let mut operation =
        operation("Upload the bytes, exactly as many as declared", &signed, ("201", success), &[&codes]);
    operation["security"] = json!([]);
    operation["requestBody"] = json!({ "required": true, "content": { "*/*": {} } });
    operation
}

fn download() -> Value {
    let headers = json!({
        "ETag": header("ETag"),
        "Content-Disposition": header("ContentDisposition"),
        "X-Request-Id": header("RequestId"),
    });
    let success = json!({ "description": "The bytes", "headers": headers, "content": { "*/*": {} } });
    let codes = [InvalidSignature, UrlExpired, FileExpired, NotFound, RangeNotSatisfiable];
    let parameters = ["Expires", "Kid", "Signature", "Range", "IfRange", "IfNoneMatch"];
    let mut operation = operation("Download the bytes", &parameters, ("200", success), &[&codes]);
    let mut part =
        json!({ "description": "A range of the bytes", "headers": headers, "content": { "*/*": {} } });
    part["headers"]["Content-Range"] = header("ContentRange");
    operation["responses"]["206"] = part;
    let redirect = json!({ "X-Request-Id": header("RequestId"), "Location": header("StoreLocation") });
    operation["responses"]["307"] =
        json!({ "description": "The bytes are at the object store of the service", "headers": redirect });
    operation["responses"]["304"] = json!({ "description": "The content matches If-None-Match" });
    operation["security"] = json!([]);
    operation
}
