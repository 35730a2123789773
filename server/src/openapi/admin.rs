//! The operations of the operator's page.

use filepress_wire::ErrorCode::{self, *};
use serde_json::{Value, json};

use super::errors::{DOCUMENT_ERRORS, KEY_ERRORS};
use super::operation::{document, header, operation, parameter};
use super::schema_types::{nullable, object, reference, string, time};
use crate::store::records::Status;

/// Adds the paths.
pub(super) fn add_paths(paths: &mut Value) {
    let id = parameter("Id");
    let about = "Only at the address `admin-listen` of the server.";
    let described = [
        (
            "/v1/admin/status",
            json!({ "get": read("The queue and what is stored", "AdminStatusDocument", &[]) }),
        ),
        (
            "/v1/admin/tasks",
            json!({ "get": read(
                "List the tasks of all users, newest first", "AdminTaskList", &["PageSize", "AdminAfter", "AdminTaskStatus"],
            ) }),
        ),
        ("/v1/admin/tasks/{id}", json!({ "parameters": [id], "patch": cancel() })),
        (
            "/v1/admin/keys",
            json!({
                "get": read("List the API keys of all users, newest first", "AdminKeyList", &["PageSize", "AdminAfter"]),
                "post": create(),
            }),
        ),
        ("/v1/admin/keys/{id}", json!({ "parameters": [id], "delete": revoke() })),
    ];
    for (path, mut item) in described {
        item["description"] = json!(about);
        paths[path] = item;
    }
}

/// Adds the parameters.
pub(super) fn add_parameters(parameters: &mut Value) {
    parameters["AdminAfter"] = json!({
        "name": "page[after]", "in": "query", "description": "From `links.next`: the page begins with the next older item.",
        "schema": { "type": "string" },
    });
    parameters["AdminTaskStatus"] = json!({
        "name": "filter[status]", "in": "query", "description": "Only tasks with this status.",
        "schema": { "enum": Status::ALL.map(Status::as_str) },
    });
}

/// Adds the schemas.
pub(super) fn add_schemas(schemas: &mut Value) {
    schemas["AdminStatusDocument"] = single(status());
    schemas["AdminTask"] = task();
    schemas["AdminTaskDocument"] = single(reference("AdminTask"));
    schemas["AdminTaskList"] = list("AdminTask");
    schemas["AdminKey"] = key();
    schemas["AdminKeyDocument"] = single(reference("AdminKey"));
    schemas["AdminKeyList"] = list("AdminKey");
    schemas["NewAdminKey"] = new_key();
}

fn headers() -> Value {
    json!({
        "X-Request-Id": header("RequestId"),
        "X-RateLimit-Limit": header("RateLimit"),
        "X-RateLimit-Remaining": header("RateRemaining"),
    })
}

fn answer(schema: &str) -> Value {
    json!({ "description": "The document", "headers": headers(), "content": document(schema) })
}

fn read(summary: &str, schema: &str, parameters: &[&str]) -> Value {
    operation(summary, parameters, ("200", answer(schema)), &[KEY_ERRORS])
}

fn cancel() -> Value {
    let codes = [NotFound, IdMismatch, ReadOnlyMember, TaskEnded];
    let summary = "Cancel a task of any user";
    with_body(summary, ("200", answer("AdminTaskDocument")), &codes, "TaskCancellation")
}

fn create() -> Value {
    let summary = "Create an API key without the scope `admin`; `data.meta.key` is shown only here, so `Idempotency-Key` is refused";
    with_body(
        summary,
        ("201", answer("AdminKeyDocument")),
        &[ClientGeneratedId, ReadOnlyMember],
        "NewAdminKey",
    )
}

fn with_body(summary: &str, success: (&str, Value), codes: &[ErrorCode], request: &str) -> Value {
    let mut operation = operation(summary, &[], success, &[KEY_ERRORS, DOCUMENT_ERRORS, codes]);
    operation["requestBody"] = json!({ "required": true, "content": document(request) });
    operation
}

fn revoke() -> Value {
    let success = json!({ "description": "The key was revoked", "headers": headers() });
    let summary = "Revoke an API key; 404 if no key that is not revoked has this id";
    operation(summary, &[], ("204", success), &[KEY_ERRORS, &[NotFound, DiskFull]])
}

fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn status() -> Value {
    let lane = json!({
        "lane": { "enum": ["image", "heavy"] }, "pending": count(), "processing": count(), "oldest_age_seconds": nullable(count()),
    });
    let storage = json!({
        "contents": { "enum": ["folder", "object store"] }, "files": count(), "bytes": count(), "awaited_files": count(),
        "free_disk_bytes": { "type": "integer", "minimum": 0, "description": "Of the machine that answers." },
    });
    let attributes = json!({
        "version": string(),
        "time": time(),
        "queue": { "type": "array", "items": all_of(lane) },
        "callbacks_pending": count(),
        "users": count(),
        "storage": all_of(storage),
    });
    all_of(
        json!({ "type": { "const": "status" }, "id": { "const": "now" }, "attributes": all_of(attributes) }),
    )
}

fn task() -> Value {
    let attributes = json!({
        "email": string(),
        "status": { "enum": Status::ALL.map(Status::as_str) },
        "lane": { "enum": ["image", "heavy"] },
        "format": all_of(json!({ "input": reference("MediaType"), "output": reference("MediaType") })),
        "inputs": count(),
        "attempt": count(),
        "progress": nullable(json!({ "type": "number", "minimum": 0, "maximum": 1 })),
        "error": nullable(all_of(json!({ "code": string(), "title": string(), "detail": string() }))),
        "created_at": time(),
        "started_at": nullable(time()),
        "processed_at": nullable(time()),
    });
    all_of(json!({ "type": { "const": "tasks" }, "id": string(), "attributes": all_of(attributes) }))
}

fn key() -> Value {
    let attributes = json!({
        "email": string(),
        "name": string(),
        "prefix": { "type": "string", "description": "The first characters of the key." },
        "scopes": { "type": "string", "description": "`all`, or names that are separated by commas." },
        "created_at": time(),
        "expires_at": nullable(time()),
        "used_at": nullable(time()),
        "revoked_at": nullable(time()),
    });
    let mut key =
        all_of(json!({ "type": { "const": "keys" }, "id": string(), "attributes": all_of(attributes) }));
    key["properties"]["meta"] = object(&["key"], json!({ "key": string() }));
    key
}

fn new_key() -> Value {
    let attributes = json!({
        "email": { "type": "string", "description": "Of the owner, who is created if there is none." },
        "name": { "type": "string", "maxLength": crate::key_input::LONGEST_NAME },
        "scopes": { "type": "string", "default": "all", "description": "`all`, or names that are separated by commas; not `admin`." },
        "expires_at": time(),
    });
    let data = json!({ "type": { "const": "keys" }, "attributes": object(&["email"], attributes) });
    object(&["data"], json!({ "data": all_of(data) }))
}

/// An object with all of these members.
fn all_of(properties: Value) -> Value {
    let names: Vec<&str> =
        properties.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    object(&names, properties.clone())
}

fn single(data: Value) -> Value {
    let properties = json!({ "jsonapi": reference("JsonApi"), "data": data, "links": object(&["self"], json!({ "self": string() })) });
    all_of(properties)
}

fn list(item: &str) -> Value {
    all_of(json!({
        "jsonapi": reference("JsonApi"),
        "data": { "type": "array", "items": reference(item), "maxItems": 100 },
        "links": object(&["next"], json!({ "next": nullable(string()) })),
        "meta": reference("ListMeta"),
    }))
}
