//! JSON Schemas of the documents.

use filepress_wire::documents::VERSION;
use filepress_wire::{ErrorCode, MediaType};
use serde_json::{Map, Value, json};

use super::schema_types::{nullable, object, reference, string, time, uri};
use crate::http::document::ZIP_MEDIA_TYPE;

pub(super) fn schemas() -> Value {
    let formats: Vec<&str> = MediaType::ALL.into_iter().map(MediaType::as_str).collect();
    json!({
        "JsonApi": object(&["version"], json!({ "version": { "const": VERSION } })),
        "MediaType": { "enum": formats },
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
        "RelationshipLinks": object(&["self", "related"], json!({ "self": uri(), "related": uri() })),
        "SelfLink": object(&["self"], json!({ "self": uri() })),
        "PageLinks": object(&["prev", "next"], json!({ "prev": nullable(uri()), "next": nullable(uri()) })),
        "ListMeta": object(&["rangeTruncated"], json!({ "rangeTruncated": { "type": "boolean" } })),
        "FileDocument": single(reference("File"), false),
        "OptionalFileDocument": single(json!({ "anyOf": [reference("File"), { "type": "null" }] }), false),
        "TaskDocument": single(reference("Task"), true),
        "UserDocument": single(reference("User"), false),
        "RelationshipDocument": object(&["jsonapi", "data", "links"], json!({
            "jsonapi": reference("JsonApi"),
            "data": { "anyOf": [reference("FileIdentifier"), { "type": "null" }] },
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
        "NewTask": request("tasks", &["relationships"], json!({
            "attributes": object(&[], json!({
                "format": object(&[], json!({ "input": reference("MediaType"), "output": reference("MediaType") })),
                "settings": reference("Settings"),
                "public": { "type": "boolean", "default": false },
            })),
            "relationships": object(&["input"], json!({
                "input": object(&["data"], json!({ "data": reference("FileIdentifier") })),
            })),
        })),
        "TaskCancellation": request("tasks", &["id", "attributes"], json!({
            "id": string(),
            "attributes": object(&["status"], json!({ "status": { "const": "FAILED" } })),
        })),
        "Errors": errors(),
        "Error": error(),
    })
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
            "links": object(&["self"], json!({ "self": uri(), "upload": uri(), "download": uri() })),
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
                "status": { "enum": ["PENDING", "PROCESSING", "COMPLETED", "FAILED"] },
                "format": object(&["input", "output"], json!({
                    "input": reference("MediaType"),
                    "output": reference("MediaType"),
                })),
                "started_at": nullable(time()),
                "processed_at": nullable(time()),
                "processing_metadata": reference("ProcessingMetadata"),
            })),
            "relationships": object(&["input", "output"], json!({
                "input": reference("Relationship"),
                "output": reference("Relationship"),
            })),
            "links": object(&["self"], json!({ "self": uri(), "download": uri() })),
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

/// All settings. Each pair of types accepts some of them and refuses the others.
fn settings() -> Value {
    let side = json!({ "type": "integer", "minimum": 1, "maximum": 16383 });
    let mut settings = object(
        &[],
        json!({
            "optimize": { "type": "boolean" },
            "resize": object(&[], json!({
                "width": side, "height": side, "max_width": side, "max_height": side,
                "fit": { "enum": ["fill", "inside", "cover"], "default": "fill" },
            })),
            "strip_metadata": { "type": "boolean", "default": true },
            "target_size": { "type": "integer", "minimum": 1, "description": "Bytes." },
            "quality": whole(1, 100),
            "lossless": { "type": "boolean", "default": false },
            "effort": whole(0, 9),
            "background": { "type": "string", "description": "#rgb, #rrggbb, white or black." },
            "codec": string(),
            "crf": whole(0, 63),
            "preset": string(),
            "video_bitrate": { "type": "integer", "description": "Bits per second." },
            "fps": { "type": "number", "minimum": 1, "maximum": 120 },
            "mute": { "type": "boolean", "default": false },
            "audio": {
                "type": ["integer", "string"],
                "description": "Audio streams: a number from 0, a language, \"default\", \"all\" or \"none\".",
            },
            "subtitles": {
                "type": ["integer", "string"],
                "description": "Subtitle streams: a number from 0, a language, \"default\", \"all\" or \"none\".",
            },
            "trim": object(&[], json!({
                "start": { "type": "number", "minimum": 0 }, "end": { "type": "number", "minimum": 0 },
            })),
            "bitrate": { "type": "integer", "description": "Bits per second." },
            "sample_rate": { "type": "integer", "description": "Hertz." },
            "channels": whole(1, 8),
            "dpi": whole(36, 600),
            "pages": {
                "type": "string",
                "description": "`all`, or a list such as 1-3,5,8-. Several pages as images produce a ZIP archive (application/zip).",
            },
            "password": {
                "type": "string",
                "maxLength": 127,
                "writeOnly": true,
                "description": "The password of a PDF. Never shown; erased when the task ends.",
            },
            "page": { "type": "integer", "minimum": 1 },
        }),
    );
    settings["description"] =
        json!("The allowed members depend on the pair of formats; others are refused (422).");
    settings
}

fn whole(minimum: u32, maximum: u32) -> Value {
    json!({ "type": "integer", "minimum": minimum, "maximum": maximum })
}

fn processing_metadata() -> Value {
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
            "warnings": { "type": "array" },
            "error": object(&["code", "title", "detail"], json!({
                "code": string(), "title": string(), "detail": string(),
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
