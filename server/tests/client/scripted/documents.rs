//! Documents in the form that the service writes.

use serde_json::{Value, json};

use super::scripted_transport::{BASE, Step, answer, raw};

/// What only a signed address has.
pub(crate) const SIGNATURE: &str = "c2lnbmF0dXJlLW9mLXRoZS1hZGRyZXNz";

/// Where the bytes of a file come and go.
pub(crate) fn signed(id: &str, what: &str) -> String {
    format!("{BASE}/v1/files/{id}/content?for={what}&signature={SIGNATURE}")
}

/// A file of 5 bytes; `what` names the links that it has besides its own.
pub(crate) fn file(id: &str, what: &[&str]) -> Value {
    let mut file = json!({
        "type": "files",
        "id": id,
        "attributes": { "size": 5, "created_at": "2026-01-01T10:00:00Z", "updated_at": "2026-01-01T10:00:00Z" },
        "links": { "self": format!("{BASE}/v1/files/{id}") },
    });
    for what in what {
        file["links"][*what] = signed(id, what).into();
    }
    file
}

pub(crate) fn file_document(status: u16, id: &str, what: &[&str]) -> Step {
    answer(status, &json!({ "data": file(id, what) }))
}

/// A task in a state; completed, its output is the file `output`.
pub(crate) fn task(id: &str, status: &str) -> Value {
    let output = if status == "COMPLETED" { json!({ "type": "files", "id": "output" }) } else { Value::Null };
    json!({
        "type": "tasks",
        "id": id,
        "attributes": {
            "public": false,
            "created_at": "2026-01-01T10:00:00.123456Z",
            "updated_at": "2026-01-01T10:00:00.123456Z",
            "settings": {},
            "status": status,
            "format": { "input": "image/png", "output": "image/webp" },
            "started_at": null,
            "processed_at": null,
            "processing_metadata": {},
        },
        "relationships": {
            "input": { "data": { "type": "files", "id": "input" } },
            "output": { "data": output },
        },
        "links": { "self": format!("{BASE}/v1/tasks/{id}") },
    })
}

/// A task with its files.
pub(crate) fn task_document(status: u16, task: &Value) -> Step {
    let files = if task["relationships"]["output"]["data"].is_null() {
        json!([file("input", &["download"])])
    } else {
        json!([file("input", &["download"]), file("output", &["download"])])
    };
    answer(status, &json!({ "data": task, "included": files }))
}

/// A task that was just made.
pub(crate) fn created(id: &str) -> Step {
    task_document(201, &task(id, "PENDING"))
}

pub(crate) fn user_document() -> Step {
    let attributes = json!({
        "email": "one@example.org",
        "name": "One",
        "created_at": "2026-01-01T10:00:00Z",
        "updated_at": "2026-01-01T10:00:00Z",
    });
    answer(200, &json!({ "data": { "type": "users", "id": "user", "attributes": attributes } }))
}

/// Part of a list; the links are cursors.
pub(crate) fn list(path: &str, items: &[Value], prev: Option<&str>, next: Option<&str>) -> Step {
    let link = |name: &str, cursor: Option<&str>| {
        cursor.map(|cursor| format!("{BASE}{path}?page%5Bsize%5D=2&page%5B{name}%5D={cursor}"))
    };
    answer(
        200,
        &json!({
            "data": items,
            "links": { "prev": link("before", prev), "next": link("after", next) },
            "meta": { "rangeTruncated": next.is_some() },
        }),
    )
}

/// An error, as the service writes it.
pub(crate) fn refusal(status: u16, code: &str, pointer: Option<&str>) -> Step {
    let mut error = json!({
        "id": "the-request",
        "status": status.to_string(),
        "code": code,
        "title": "Title of the code",
        "detail": "What was wrong this time.",
    });
    if let Some(pointer) = pointer {
        error["source"] = json!({ "pointer": pointer });
    }
    answer(status, &json!({ "errors": [error] })).with("x-request-id", "the-request")
}

/// A task that failed.
pub(crate) fn failed_task(id: &str, reason: &str) -> Value {
    let mut task = task(id, "FAILED");
    let error = json!({ "code": reason, "title": "Title of the reason", "detail": "It breaks off." });
    task["attributes"]["processing_metadata"] = json!({ "error": error });
    task
}

/// All tasks, with their files.
pub(crate) fn task_list(tasks: &[Value]) -> Step {
    let files = [file("input", &["download"]), file("output", &["download"])];
    let links = json!({ "prev": null, "next": null });
    answer(
        200,
        &json!({ "data": tasks, "included": files, "links": links, "meta": { "rangeTruncated": false } }),
    )
}

/// Bytes of a file, or the empty answer to some.
pub(crate) fn bytes(status: u16, body: &[u8]) -> Step {
    raw(status, body)
}
