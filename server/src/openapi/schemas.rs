//! JSON Schemas of the documents.

use filepress_wire::documents::VERSION;
use filepress_wire::{ErrorCode, MediaType, TaskErrorCode};
use serde_json::{Map, Value, json};

use super::schema_types::{nullable, object, reference, string, time, uri};
use super::settings::settings;
use crate::callbacks::MAX_URL_LENGTH;
use crate::http::body::MAX_INPUTS;
use crate::http::document::ZIP_MEDIA_TYPE;
use crate::store::records::{CallbackStatus, Status};

pub(super) fn schemas() -> Value {
    let formats: Vec<&str> = MediaType::ALL.into_iter().map(MediaType::as_str).collect();
    json!({
        "JsonApi": object(&["version"], json!({ "version": { "const": VERSION } })),
        "MediaType": {
            "enum": formats,
            "description": "`image/heic` is an addition of this service, and only an input.",
        },
        "File": file(),
        "FileIdentifier": object(&["type", "id"], json!({ "type": { "const": "files" }, "id": string() })),
        "Task": task(),
        "User": user(),
        "Settings": settings(),
        "ProcessingMetadata": processing_metadata(),
        "Relationship": object(&["data", "links"], json!({
            "data": { "anyOf": [reference("FileIdentifier"), { "type": "null" }] },
            "links": reference("RelationshipLinks"),
        })),
        "ManyRelationship": object(&["links"], json!({
            "data": { "type": "array", "items": reference("FileIdentifier"), "description": "Absent in lists of tasks." },
            "links": reference("RelationshipLinks"),
        })),
        "RelationshipLinks": object(&["self", "related"], json!({ "self": uri(), "related": uri() })),
        "SelfLink": object(&["self"], json!({ "self": uri() })),
        "PageLinks": object(&["prev", "next"], json!({ "prev": nullable(uri()), "next": nullable(uri()) })),
        "ListMeta": object(&["rangeTruncated"], json!({ "rangeTruncated": { "type": "boolean" } })),
        "FileDocument": single(reference("File"), false),
        "RelatedDocument": single(
            json!({ "anyOf": [reference("File"), { "type": "null" }, { "type": "array", "items": reference("File") }] }),
            false,
        ),
        "TaskDocument": single(reference("Task"), true),
        "UserDocument": single(reference("User"), false),
        "RelationshipDocument": object(&["jsonapi", "data", "links"], json!({
            "jsonapi": reference("JsonApi"),
            "data": { "anyOf": [
                reference("FileIdentifier"), { "type": "null" }, { "type": "array", "items": reference("FileIdentifier") },
            ] },
            "links": reference("RelationshipLinks"),
        })),
        "FileList": list("File", false),
        "TaskList": list("Task", true),
        "NewFile": request("files", &["attributes"], json!({
            "attributes": object(&["size"], json!({
                "size": { "type": "integer", "minimum": 1, "description": "Bytes that will be uploaded." },
                "format": reference("MediaType"),
            })),
        })),
        "NewTask": new_task(),
        "TaskCancellation": request("tasks", &["id", "attributes"], json!({
            "id": string(),
            "attributes": object(&["status"], json!({ "status": { "const": "FAILED" } })),
        })),
        "Errors": errors(),
        "Error": error(),
    })
}

fn new_task() -> Value {
    let attributes = json!({
        "format": object(&[], json!({ "input": reference("MediaType"), "output": reference("MediaType") })),
        "settings": reference("Settings"),
        "public": { "type": "boolean", "default": false },
        "callback_url": {
            "type": "string", "format": "uri", "maxLength": MAX_URL_LENGTH,
            "description": "Called when the task has ended; see `webhooks`. `https:`, and no address of a private network, unless the \
                operator allows it.",
        },
    });
    let members = json!({
        "attributes": object(&[], attributes),
        "relationships": new_task_relationships(),
    });
    request("tasks", &["relationships"], members)
}

/// `input` or, as an addition of this service, `inputs`.
fn new_task_relationships() -> Value {
    let inputs = json!({
        "type": "array", "items": reference("FileIdentifier"), "minItems": 1, "maxItems": MAX_INPUTS,
        "uniqueItems": true,
        "description": "Images that become the pages of one PDF, in this order.",
    });
    let mut relationships = object(
        &[],
        json!({
            "input": object(&["data"], json!({ "data": reference("FileIdentifier") })),
            "inputs": object(&["data"], json!({ "data": inputs })),
        }),
    );
    relationships["oneOf"] = json!([{ "required": ["input"] }, { "required": ["inputs"] }]);
    relationships
}

fn errors() -> Value {
    object(
        &["jsonapi", "errors"],
        json!({
            "jsonapi": reference("JsonApi"),
            "errors": { "type": "array", "minItems": 1, "items": reference("Error") },
        }),
    )
}

fn error() -> Value {
    let codes: Vec<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    object(
        &["id", "status", "code", "title", "detail"],
        json!({
            "id": string(),
            "status": { "type": "string", "pattern": "^[45][0-9]{2}$" },
            "code": { "enum": codes },
            "title": string(),
            "detail": string(),
            "source": object(&[], json!({ "pointer": string(), "parameter": string(), "header": string() })),
            "meta": { "type": "object" },
        }),
    )
}

fn file() -> Value {
    object(
        &["type", "id", "attributes", "links"],
        json!({
            "type": { "const": "files" },
            "id": string(),
            "attributes": object(&["format", "size", "created_at", "updated_at"], json!({
                "format": {
                    "anyOf": [reference("MediaType"), { "const": ZIP_MEDIA_TYPE }, { "type": "null" }],
                    "description": "Null if unknown. Only the output of a task can be a ZIP archive; the task names the type of its entries.",
                },
                "size": { "type": "integer", "minimum": 0 },
                "created_at": time(),
                "updated_at": time(),
            })),
            "links": object(&["self"], json!({
                "self": uri(),
                "upload": {
                    "type": "string", "format": "uri",
                    "description": "For a PUT of the bytes: to `/v1/files/{id}/content`, or to the object store of the service. It then \
                        needs a `Content-Length`, and the file has its bytes when it is retrieved or a task is created.",
                },
                "resumable": uri(),
                "download": uri(),
            })),
            "meta": object(&[], json!({
                "expires_at": time(),
                "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" },
            })),
        }),
    )
}

fn task() -> Value {
    let attributes = [
        "public",
        "created_at",
        "updated_at",
        "settings",
        "status",
        "format",
        "started_at",
        "processed_at",
        "processing_metadata",
    ];
    object(
        &["type", "id", "attributes", "relationships", "links"],
        json!({
            "type": { "const": "tasks" },
            "id": string(),
            "attributes": object(&attributes, json!({
                "public": { "type": "boolean", "description": "The download URL stays the same until the file expires." },
                "created_at": time(),
                "updated_at": time(),
                "settings": reference("Settings"),
                "status": { "enum": Status::ALL.map(Status::as_str) },
                "format": object(&["input", "output"], json!({
                    "input": reference("MediaType"),
                    "output": reference("MediaType"),
                })),
                "started_at": nullable(time()),
                "processed_at": nullable(time()),
                "processing_metadata": reference("ProcessingMetadata"),
                "callback_url": uri(),
            })),
            "relationships": object(&["input", "output"], json!({
                "input": reference("Relationship"),
                "inputs": reference("ManyRelationship"),
                "output": reference("Relationship"),
            })),
            "links": object(&["self"], json!({ "self": uri(), "download": uri() })),
            "meta": object(&[], json!({ "callback": callback() })),
        }),
    )
}

fn callback() -> Value {
    let statuses = CallbackStatus::ALL.map(CallbackStatus::as_str);
    object(
        &["status", "attempts"],
        json!({
            "status": { "enum": statuses, "description": "WAITING until the task has ended." },
            "attempts": { "type": "integer", "minimum": 0, "description": "How often the URL was called." },
            "failure": {
                "type": "string",
                "description": "Why the last attempt failed: `status_` and the status of the response, `unknown_host`, \
                    `refused_address`, `no_connection`, `tls_failed`, `no_answer`, `timed_out`, `interrupted`, `task_deleted` or `internal`.",
            },
        }),
    )
}

fn user() -> Value {
    object(
        &["type", "id", "attributes", "links"],
        json!({
            "type": { "const": "users" },
            "id": string(),
            "attributes": object(&["email", "name", "created_at", "updated_at"], json!({
                "email": string(),
                "name": string(),
                "created_at": time(),
                "updated_at": time(),
            })),
            "links": reference("SelfLink"),
        }),
    )
}

fn processing_metadata() -> Value {
    let codes: Vec<&str> = TaskErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    json!({
        "type": "object",
        "description": "Empty while PENDING.",
        "properties": {
            "attempt": { "type": "integer", "minimum": 1 },
            "progress": { "type": "number", "minimum": 0, "maximum": 1 },
            "engine": {},
            "duration_ms": { "type": "integer", "minimum": 0 },
            "input": { "type": "object" },
            "output": { "type": "object" },
            "bytes_saved": { "type": "integer" },
            "kept_original": { "type": "boolean" },
            "warnings": {
                "type": "array",
                "items": object(&["code", "message"], json!({ "code": string(), "message": string() })),
            },
            "error": object(&["code", "title", "detail"], json!({
                "code": { "enum": codes }, "title": string(), "detail": string(),
            })),
        },
    })
}

fn single(data: Value, with_files: bool) -> Value {
    let properties = json!({ "jsonapi": reference("JsonApi"), "data": data, "links": reference("SelfLink") });
    document(&["jsonapi", "data", "links"], properties, with_files)
}

fn list(item: &str, with_files: bool) -> Value {
    let properties = json!({
        "jsonapi": reference("JsonApi"),
        "data": { "type": "array", "items": reference(item), "maxItems": 100 },
        "links": reference("PageLinks"),
        "meta": reference("ListMeta"),
    });
    document(&["jsonapi", "data", "links", "meta"], properties, with_files)
}

fn document(required: &[&str], mut properties: Value, with_files: bool) -> Value {
    if with_files {
        properties["included"] = json!({ "type": "array", "items": reference("File"), "uniqueItems": true });
    }
    object(required, properties)
}

fn request(kind: &str, required: &[&str], members: Value) -> Value {
    let mut properties = Map::from_iter([("type".to_owned(), json!({ "const": kind }))]);
    properties.extend(members.as_object().cloned().unwrap_or_default());
    let required: Vec<&str> = std::iter::once("type").chain(required.iter().copied()).collect();
    object(&["data"], json!({ "data": object(&required, Value::Object(properties)) }))
}
