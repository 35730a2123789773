//! Broken connections, malformed responses, and services that do not respond.

use filepress::remote::{FileRef, PageRequest, Settings};
use serde_json::{Value, json};

use super::documents::{file, signed, task, user_document};
use super::manual_clock::run;
use super::scripted_transport::{BASE, KEY, Scripted, Step, answer, raw};
use crate::answer::{End, Failure};
use crate::harness::Harness;

#[test]
fn what_breaks_is_tried_again() {
    for step in [Step::Fault("connection reset"), Step::Silence] {
        let scripted = Scripted::new(vec![step, user_document()]);
        run(scripted.clock(), scripted.client().me()).unwrap();
    }
    for end in [End::Cut, End::Never] {
        let scripted = Scripted::new(vec![user_document().ending(end), user_document()]);
        run(scripted.clock(), scripted.client().me()).unwrap();
    }
}

#[test]
fn what_goes_on_breaking_is_told() {
    let broken = [
        (Step::Fault("connection reset"), Failure::NETWORK),
        (user_document().ending(End::Cut), Failure::NETWORK),
        (Step::Silence, Failure::TIMEOUT),
        (user_document().ending(End::Never), Failure::TIMEOUT),
    ];
    for (step, code) in broken {
        let scripted = Scripted::new(vec![step]);
        let error = run(scripted.clock(), scripted.once().me()).unwrap_err();
        assert_eq!((error.code.as_ref(), error.retryable), (code, true));
    }
}

#[test]
fn a_refusal_whose_body_breaks_off_is_tried_again() {
    for end in [End::Cut, End::Never] {
        let scripted = Scripted::new(vec![raw(503, "{").ending(end), user_document()]);
        run(scripted.clock(), scripted.client().me()).unwrap();
        let place = FileRef { id: String::new(), link: Some(signed("file", "download")) };
        let scripted = Scripted::new(vec![raw(404, "{").ending(end)]);
        let error = run(scripted.clock(), scripted.client().download(&place, 0.0, None)).unwrap_err();
        assert_eq!((error.status, error.code.as_ref()), (Some(404), Failure::HTTP_ERROR));
    }
}

#[test]
fn an_answer_has_the_time_that_was_given() {
    let settings = Settings { timeout: 1234.0, ..Settings::default() };
    let scripted = Scripted::new(vec![Step::Silence, user_document()]);
    run(scripted.clock(), scripted.client_with(BASE, settings).me()).unwrap();
    assert_eq!(scripted.clock().slept()[0], 1234.0);
}

/// Bodies of a success that can be none.
fn garbage() -> Vec<Vec<u8>> {
    let mut bodies: Vec<Vec<u8>> = [
        "",
        "<!doctype html><title>Log in</title>",
        "{\"data\":{\"type\":\"users\",\"id\":\"us",
        "5",
        "null",
        "[]",
        "\"text\"",
        "{}",
        "{\"data\":null}",
        "{\"data\":{}}",
        "{\"data\":[{}]}",
        "{\"data\":{\"type\":\"users\"}}",
        "{\"data\":[null]}",
        "{\"data\":{\"type\":5,\"id\":{},\"attributes\":[],\"links\":\"no\",\"relationships\":7}}",
        "{\"data\":{\"type\":\"cats\",\"id\":\"a\",\"attributes\":{}}}",
        "{\"errors\":[]}",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into();
    bodies.push(vec![0xff, 0xfe, 0, 0xc3, 0x28]);
    bodies.push([vec![b'['; 3000], vec![b']'; 3000]].concat());
    bodies.push(b"[".repeat(1_000_000));
    bodies
}

#[test]
fn garbage_is_no_answer_and_is_not_asked_for_again() {
    for body in garbage() {
        let scripted = Scripted::new((0..6).map(|_| raw(200, body.clone())).collect());
        let client = scripted.client();
        let outcomes = run(scripted.clock(), async {
            [
                client.me().await.unwrap_err(),
                client.create_file(5.0, None, "key").await.unwrap_err(),
                client.file("file").await.unwrap_err(),
                client.task("task").await.unwrap_err(),
                client.files(&PageRequest::default()).await.unwrap_err(),
                client.tasks(&PageRequest::default()).await.unwrap_err(),
            ]
        });
        for error in outcomes {
            assert_eq!((error.code.as_ref(), error.status), (Failure::BAD_ANSWER, Some(200)));
            assert!(!error.retryable && error.message.len() < 200, "{error:?}");
        }
    }
}

#[test]
fn a_list_is_no_resource_and_a_resource_is_no_list() {
    let empty = answer(200, &json!({ "data": [] }));
    let files = answer(200, &json!({ "data": [file("file", &[])] }));
    let one = answer(200, &json!({ "data": file("file", &[]) }));
    let code = |step: &Step, list: bool| {
        let scripted = Scripted::new(vec![step.clone()]);
        let client = scripted.client();
        let outcome = run(scripted.clock(), async {
            if list { client.files(&PageRequest::default()).await } else { client.file("file").await }
        });
        outcome.err().map(|error| error.code.into_owned())
    };
    let bad = Some(Failure::BAD_ANSWER.to_owned());
    assert_eq!([code(&empty, true), code(&files, true), code(&one, false)], [None, None, None]);
    assert_eq!(code(&empty, false), bad);
    assert_eq!(code(&files, false), bad);
    assert_eq!(code(&one, true), bad);
}

#[test]
fn another_resource_than_the_one_asked_for_is_no_answer() {
    for document in [json!({ "data": task("file", "PENDING") }), json!({ "data": [task("file", "PENDING")] })]
    {
        let scripted = Scripted::new(vec![answer(200, &document), answer(200, &document)]);
        let client = scripted.client();
        run(scripted.clock(), async {
            assert_eq!(client.file("file").await.unwrap_err().code, Failure::BAD_ANSWER);
            assert_eq!(client.files(&PageRequest::default()).await.unwrap_err().code, Failure::BAD_ANSWER);
        });
    }
}

#[test]
fn what_is_not_known_is_passed_over() {
    let mut more = file("file", &["download"]);
    more["surprise"] = json!({ "a": [1] });
    more["attributes"]["surprise"] = Value::Null;
    more["links"]["surprise"] = json!(5);
    more["links"]["download"] = json!({ "href": "https://cdn.example.com/b", "meta": {} });
    let document = json!({ "data": more, "surprise": 1, "included": [{ "type": "cats", "id": "tom" }] });
    let scripted = Scripted::new(vec![answer(203, &document)]);
    let read = run(scripted.clock(), scripted.client().file("file")).unwrap();
    assert_eq!(read.0["data"]["id"], "file");
    assert!(scripted.sent()[0].header("authorization").unwrap().ends_with(KEY));
}
