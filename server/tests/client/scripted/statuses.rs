//! Every HTTP status for each call: the error, and whether it is retried.

use filepress::remote::{FileRef, NewTask, PageRequest, Upload};
use filepress_wire::ErrorCode;

use super::documents::{refusal, signed};
use super::manual_clock::run;
use super::scripted_transport::{Scripted, ScriptedClient, raw};
use crate::answer::Failure;
use crate::harness::Harness;

/// The statuses after which a request is made again.
const TRANSIENT: [u16; 7] = [408, 425, 429, 500, 502, 503, 504];

/// What each call comes to that the next answers refuse; `who` names the call.
async fn each_call(client: &ScriptedClient, mut held: impl FnMut(&str, Failure)) {
    let task = NewTask {
        input: "file".to_owned(),
        inputs: None,
        format: None,
        settings: None,
        public: None,
        callback_url: None,
    };
    let page = PageRequest::default();
    let place = |what| FileRef { id: String::new(), link: Some(signed("file", what)) };
    let upload = Upload { file: place("upload"), bytes: b"hello".to_vec(), size: 5.0 };
    held("create_file", client.create_file(5.0, None, "key").await.unwrap_err());
    held("file", client.file("file").await.unwrap_err());
    held("files", client.files(&page).await.unwrap_err());
    held("create_task", client.create_task(&task, "key").await.unwrap_err());
    held("task", client.task("task").await.unwrap_err());
    held("tasks", client.tasks(&page).await.unwrap_err());
    held("wait", client.wait("task", None, &|_| {}).await.unwrap_err());
    held("me", client.me().await.unwrap_err());
    held("upload", client.upload(&upload).await.unwrap_err());
    held("download", client.download(&place("download"), 0.0, None).await.unwrap_err());
}

const CALLS: usize = 10;

#[test]
fn each_code_of_the_service_is_told_with_its_status() {
    for code in ErrorCode::ALL {
        let (status, text) = (code.status(), code.as_str());
        let pointer = Some("/data/attributes/size");
        let scripted = Scripted::new((0..CALLS).map(|_| refusal(status, text, pointer)).collect());
        let transient = TRANSIENT.contains(&status);
        let held = |who: &str, error: Failure| {
            let what = format!("{who}, {status} {text}: {error:?}");
            assert_eq!((error.status, error.code.as_ref()), (Some(status), text), "{what}");
            assert_eq!(error.request_id.as_deref(), Some("the-request"), "{what}");
            assert_eq!(error.source.pointer.as_deref(), pointer, "{what}");
            assert!(error.message.contains("What was wrong this time."), "{what}");
            // What is being made already, or what stopped on the way, may succeed with the next attempt.
            if !["idempotency_in_flight", "size_mismatch"].contains(&text) {
                assert_eq!(error.retryable, transient, "{what}");
            }
        };
        run(scripted.clock(), each_call(&scripted.once(), held));
        assert_eq!(scripted.left(), 0);
    }
}

#[test]
fn statuses_alone_are_errors_of_http() {
    for status in (300..600).step_by(1) {
        let scripted = Scripted::new((0..CALLS).map(|_| raw(status, "<html>no words")).collect());
        let held = |who: &str, error: Failure| {
            assert_eq!((error.status, error.code.as_ref()), (Some(status), Failure::HTTP_ERROR), "{who}");
            assert_eq!(error.retryable, TRANSIENT.contains(&status), "{who}, {status}");
            assert!(error.message.contains(&status.to_string()), "{who}: {}", error.message);
            assert!(!error.message.contains("html"), "{who}: {}", error.message);
        };
        run(scripted.clock(), each_call(&scripted.once(), held));
    }
}

#[test]
fn what_may_succeed_later_is_tried_again_and_nothing_else_is() {
    for status in 300..600 {
        let attempts = if TRANSIENT.contains(&status) { 6 } else { 1 };
        let scripted = Scripted::new((0..attempts).map(|_| raw(status, "")).collect());
        let error = run(scripted.clock(), scripted.client().me()).unwrap_err();
        assert_eq!((error.status, scripted.left()), (Some(status), 0));
        assert_eq!(scripted.sent().len(), attempts, "{status}");
    }
}

#[test]
fn what_is_being_made_already_is_asked_for_again() {
    let steps =
        vec![refusal(409, "idempotency_in_flight", None), super::file_document(201, "file", &["upload"])];
    let scripted = Scripted::new(steps);
    let made = run(scripted.clock(), scripted.client().create_file(5.0, None, "key")).unwrap();
    assert_eq!(made.0["data"]["id"], "file");
}
