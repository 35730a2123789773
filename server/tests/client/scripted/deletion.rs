//! Deletions and cancellations whose response is lost take effect once.

use super::documents::{failed_task, refusal, task_document};
use super::scripted_transport::{Scripted, Step};
use super::{bytes, run};
use crate::harness::Harness;

#[test]
fn a_file_whose_deletion_was_not_heard_of_is_deleted() {
    let scripted = Scripted::new(vec![
        Step::Fault("the connection broke"),
        refusal(404, "not_found", None),
        bytes(204, b""),
    ]);
    run(scripted.clock(), async {
        scripted.client().delete_file("a file").await.unwrap();
        scripted.client().delete_file("another").await.unwrap();
    });
    let seen = ["DELETE /v1/files/a%20file", "DELETE /v1/files/a%20file", "DELETE /v1/files/another"];
    assert_eq!(scripted.seen(), seen);
    let sent = scripted.sent();
    assert!(sent.iter().all(|sent| sent.content.is_empty() && sent.header("idempotency-key").is_none()));
}

#[test]
fn a_file_that_is_in_use_stays() {
    let scripted = Scripted::new(vec![refusal(409, "file_in_use", None)]);
    let error = run(scripted.clock(), async { scripted.client().delete_file("file").await.unwrap_err() });
    assert_eq!((error.code.as_ref(), error.status, error.retryable), ("file_in_use", Some(409), false));
}

#[test]
fn a_task_is_ended_by_its_status() {
    let scripted = Scripted::new(vec![task_document(200, &failed_task("task", "canceled"))]);
    run(scripted.clock(), async { scripted.client().cancel_task("task").await.unwrap() });
    let sent = scripted.sent().remove(0);
    assert_eq!((sent.method, sent.header("content-type")), ("PATCH", Some("application/vnd.api+json")));
    let document: serde_json::Value = serde_json::from_slice(&sent.content).unwrap();
    let expected = serde_json::json!({ "type": "tasks", "id": "task", "attributes": { "status": "FAILED" } });
    assert_eq!(document["data"], expected);
}
