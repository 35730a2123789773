//! The contract of the client. Each test runs against the scripted transport, the router and a live service.

use std::cell::RefCell;

use filepress::remote::{
    Client, Clock, Conversion, Credentials, FileRef, NewTask, PageRequest, Step as Progress, Transport,
    Upload, output,
};
use serde_json::{Value, json};

use crate::answer::{Answer, Failure};
use crate::doc::Doc;
use crate::harness::Harness;
use crate::scripted::{
    bytes, created, failed_task, file, file_document, list, refusal, task, task_document, user_document,
};

/// A picture of one pixel.
const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\
    \xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// Runs every function of this list against each of the three.
macro_rules! contract {
    ($($name:ident),+ $(,)?) => {
        mod against_the_script {
            use crate::scripted::{Scripted, run};
            $(#[test]
            fn $name() {
                let scripted = Scripted::default();
                run(scripted.clock(), super::$name(&scripted));
                assert_eq!(scripted.left(), 0, "not asked for; seen: {:?}", scripted.seen());
            })+
        }
        mod against_the_router {
            $(#[tokio::test]
            async fn $name() {
                super::$name(&crate::routed::Routed::start().await).await;
            })+
        }
        mod over_tls {
            $(#[tokio::test]
            async fn $name() {
                super::$name(&crate::live::Live::start().await).await;
            })+
        }
    };
}

contract! {
    the_owner_of_the_key_is_read,
    a_file_is_declared_sent_and_read_back,
    a_download_goes_on_where_it_ended,
    bytes_that_have_arrived_are_not_taken_again,
    a_changed_address_is_replaced_by_a_fresh_one,
    other_bytes_than_declared_are_refused,
    one_key_creates_once,
    a_task_makes_another_file,
    a_conversion_in_one_call,
    a_damaged_file_fails_with_a_reason,
    pages_lead_to_the_oldest_and_back,
    tasks_are_listed_with_their_files,
    a_deleted_file_is_gone,
    a_task_that_has_ended_cannot_be_canceled,
    what_does_not_exist,
    what_is_refused_says_where,
    nobody_without_a_key,
}

async fn the_owner_of_the_key_is_read(harness: &impl Harness) {
    harness.script(vec![user_document()]);
    let user = data(&harness.client().me().await.unwrap());
    assert_eq!(user["attributes"]["email"], "one@example.org");
    assert!(user["id"].is_string() && user["attributes"]["created_at"].is_string());
}

async fn a_file_is_declared_sent_and_read_back(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "file", &["upload", "download"]),
        bytes(201, b""),
        file_document(200, "file", &["download"]),
        bytes(200, b"hello"),
        file_document(200, "file", &["download"]),
        bytes(200, b"hello"),
    ]);
    let declared = client.create_file(5.0, None, "a-key").await.unwrap();
    assert_eq!(data(&declared)["attributes"]["size"], 5);
    client.upload(&upload(&declared, b"hello")).await.unwrap();
    let stored = client.file(&id(&declared)).await.unwrap();
    assert_eq!((id(&stored), link(&stored, "upload")), (id(&declared), None));
    for link in [link(&stored, "download"), None] {
        let reply = client.download(&FileRef { id: id(&stored), link }, 0.0, None).await.unwrap();
        assert_eq!((reply.status, reply.body.as_slice()), (200, &b"hello"[..]));
    }
}

async fn a_download_goes_on_where_it_ended(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "file", &["upload", "download"]),
        bytes(201, b""),
        file_document(200, "file", &["download"]),
        bytes(206, b"llo").with("content-range", "bytes 2-4/5"),
        file_document(200, "file", &["download"]),
        bytes(200, b"hello"),
    ]);
    let declared = client.create_file(5.0, None, "a-key").await.unwrap();
    client.upload(&upload(&declared, b"hello")).await.unwrap();
    let place = FileRef { id: id(&declared), link: None };
    let rest = client.download(&place, 2.0, None).await.unwrap();
    assert_eq!((rest.status, rest.body.as_slice()), (206, &b"llo"[..]));
    let whole = client.download(&place, 2.0, Some("\"of-other-bytes\"".to_owned())).await.unwrap();
    assert_eq!((whole.status, whole.body.as_slice()), (200, &b"hello"[..]), "other bytes: all of them");
}

async fn bytes_that_have_arrived_are_not_taken_again(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "file", &["upload", "download"]),
        bytes(201, b""),
        refusal(409, "already_uploaded", None),
        file_document(200, "file", &["download"]),
    ]);
    let declared = client.create_file(5.0, None, "a-key").await.unwrap();
    client.upload(&upload(&declared, b"hello")).await.unwrap();
    let again = client.upload(&upload(&declared, b"hello")).await.unwrap_err();
    assert_eq!((again.code.as_ref(), again.status), ("already_uploaded", Some(409)));
    let place = FileRef { id: id(&declared), link: None };
    let fresh = client.upload(&Upload { file: place, bytes: b"hello".to_vec(), size: 5.0 }).await;
    assert_eq!(fresh.unwrap_err().code, "already_uploaded");
}

async fn a_changed_address_is_replaced_by_a_fresh_one(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "file", &["upload", "download"]),
        refusal(403, "invalid_signature", None),
        file_document(200, "file", &["upload"]),
        bytes(201, b""),
        refusal(403, "invalid_signature", None),
        file_document(200, "file", &["download"]),
        bytes(200, b"hello"),
    ]);
    let declared = client.create_file(5.0, None, "a-key").await.unwrap();
    let spoilt = |name: &str| {
        let link = link(&declared, name).unwrap();
        let (before, signature) = link.split_once("signature=").unwrap();
        let link = format!("{before}signature={}", "A".repeat(signature.len()));
        FileRef { id: id(&declared), link: Some(link) }
    };
    let upload = Upload { file: spoilt("upload"), bytes: b"hello".to_vec(), size: 5.0 };
    client.upload(&upload).await.unwrap();
    let reply = client.download(&spoilt("download"), 0.0, None).await.unwrap();
    assert_eq!(reply.body, b"hello");
}

async fn other_bytes_than_declared_are_refused(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "file", &["upload", "download"]),
        refusal(400, "size_mismatch", None),
        refusal(400, "size_mismatch", None),
        refusal(413, "upload_too_large", None),
    ]);
    let declared = client.create_file(5.0, None, "a-key").await.unwrap();
    for (sent, status, code) in [(&b"four"[..], 400, "size_mismatch"), (b"six by", 413, "upload_too_large")] {
        let error = client.upload(&upload(&declared, sent)).await.unwrap_err();
        assert_eq!((error.status, error.code.as_ref()), (Some(status), code));
    }
}

async fn one_key_creates_once(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "file", &["upload", "download"]),
        file_document(201, "file", &["upload", "download"]),
        file_document(201, "another", &["upload", "download"]),
        refusal(422, "idempotency_mismatch", None),
    ]);
    let first = client.create_file(5.0, None, "one").await.unwrap();
    assert_eq!(id(&client.create_file(5.0, None, "one").await.unwrap()), id(&first));
    assert_ne!(id(&client.create_file(5.0, None, "two").await.unwrap()), id(&first));
    assert_eq!(client.create_file(6.0, None, "one").await.unwrap_err().code, "idempotency_mismatch");
}

async fn a_task_makes_another_file(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "input", &["upload", "download"]),
        bytes(201, b""),
        created("task"),
        task_document(200, &task("task", "PENDING")),
        task_document(200, &task("task", "PROCESSING")),
        task_document(200, &task("task", "COMPLETED")),
        task_document(200, &task("task", "COMPLETED")),
        bytes(200, b"RIFF....WEBP"),
    ]);
    let input = sent(&client, PNG).await;
    let made = client.create_task(&new_task(&id(&input), Some("image/webp")), "task-key").await.unwrap();
    assert_eq!(data(&made)["relationships"]["input"]["data"]["id"], id(&input));
    let shares = RefCell::new(Vec::new());
    let done = client.wait(&id(&made), None, &|share| shares.borrow_mut().push(share)).await.unwrap();
    assert_eq!(data(&done)["attributes"]["status"], "COMPLETED");
    let shares = shares.into_inner();
    assert!(!shares.is_empty() && shares.is_sorted(), "{shares:?}");
    let place = output(&client.task(&id(&made)).await.unwrap());
    assert_eq!(place.id, output(&done).id);
    let body = client.download(&place, 0.0, None).await.unwrap().body;
    assert!(body.starts_with(b"RIFF") && body[8..].starts_with(b"WEBP"), "{body:?}");
}

async fn a_conversion_in_one_call(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "input", &["upload", "download"]),
        bytes(201, b""),
        created("task"),
        task_document(200, &task("task", "COMPLETED")),
        bytes(200, b"RIFF....WEBP"),
    ]);
    let (steps, shares) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    let conversion = Conversion {
        bytes: PNG.to_vec(),
        size: PNG.len() as f64,
        input: "image/png".to_owned(),
        output: Some("image/webp".to_owned()),
        settings: Some(Doc(json!({ "lossless": true }))),
        key: "conversion".to_owned(),
    };
    let notify = |step: Progress<'_>| match step {
        Progress::Upload(id) => steps.borrow_mut().push(("upload", id.to_owned())),
        Progress::Task(id) => steps.borrow_mut().push(("task", id.to_owned())),
        Progress::Process(share) => shares.borrow_mut().push(share),
    };
    let converted = client.convert(conversion, &notify).await.unwrap();
    let input = data(&converted)["relationships"]["input"]["data"]["id"].as_str().unwrap().to_owned();
    assert_eq!(steps.into_inner(), [("upload", input), ("task", id(&converted))]);
    let shares = shares.into_inner();
    assert!(shares[0] == 0.0 && shares.is_sorted(), "{shares:?}");
    let reply = client.download(&output(&converted), 0.0, None).await.unwrap();
    assert!(reply.body.starts_with(b"RIFF"));
}

async fn a_damaged_file_fails_with_a_reason(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "input", &["upload", "download"]),
        bytes(201, b""),
        created("task"),
        task_document(200, &failed_task("task", "corrupt_file")),
    ]);
    let input = sent(&client, &PNG[..40]).await;
    let made = client.create_task(&new_task(&id(&input), Some("image/webp")), "task-key").await.unwrap();
    let error = client.wait(&id(&made), None, &|_| {}).await.unwrap_err();
    assert_eq!((error.code.as_ref(), error.reason.as_deref()), (Failure::TASK_FAILED, Some("corrupt_file")));
    assert!(!error.retryable && error.status.is_none(), "{error:?}");
    let task = error.task.unwrap();
    assert_eq!((id(&task), &data(&task)["attributes"]["status"]), (id(&made), &json!("FAILED")));
}

async fn pages_lead_to_the_oldest_and_back(harness: &impl Harness) {
    let client = harness.client();
    let item = |name: &str| file(name, &["upload"]);
    let names = ["five", "four", "three", "two", "one"];
    let declared = names.iter().rev().map(|name| file_document(201, name, &["upload"]));
    harness.script(declared.collect());
    harness.script(vec![
        list("/v1/files", &[item("five"), item("four")], None, Some("four")),
        list("/v1/files", &[item("three"), item("two")], Some("three"), Some("two")),
        list("/v1/files", &[item("one")], Some("one"), None),
        list("/v1/files", &[item("three"), item("two")], Some("three"), Some("two")),
        list("/v1/files", &[item("five"), item("four")], None, Some("four")),
    ]);
    let mut made = Vec::new();
    for number in 1..=5 {
        made.insert(0, client.create_file(5.0, None, &format!("key-{number}")).await.unwrap());
    }
    let made: Vec<String> = made.iter().map(id).collect();
    let ids = |page: &Doc| {
        let items = data(page).as_array().unwrap().clone();
        items.iter().map(|file| file["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let neighbor = |page: &Doc, name: &str| page.0["links"][name].as_str().map(str::to_owned);
    let at = |page: &Doc, name| PageRequest { link: neighbor(page, name), ..PageRequest::default() };
    let first = client.files(&PageRequest { size: Some(2), ..PageRequest::default() }).await.unwrap();
    let second = client.files(&at(&first, "next")).await.unwrap();
    let third = client.files(&at(&second, "next")).await.unwrap();
    assert_eq!([ids(&first), ids(&second), ids(&third)].concat(), made);
    assert_eq!((neighbor(&first, "prev"), neighbor(&third, "next")), (None, None));
    let more = [&first, &second, &third].map(|page| page.0["meta"]["rangeTruncated"].clone());
    assert_eq!(more, [true, true, false].map(Value::from));
    let back = client.files(&at(&third, "prev")).await.unwrap();
    let start = client.files(&at(&back, "prev")).await.unwrap();
    assert_eq!([ids(&start), ids(&back)].concat(), made[..4]);
    assert_eq!(neighbor(&start, "prev"), None);
}

async fn tasks_are_listed_with_their_files(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "input", &["upload", "download"]),
        bytes(201, b""),
        created("task"),
        task_document(200, &task("task", "COMPLETED")),
        crate::scripted::task_list(&[task("task", "COMPLETED")]),
    ]);
    let input = sent(&client, PNG).await;
    let made = client.create_task(&new_task(&id(&input), Some("image/webp")), "task-key").await.unwrap();
    client.wait(&id(&made), None, &|_| {}).await.unwrap();
    let page = client.tasks(&PageRequest::default()).await.unwrap();
    let tasks = data(&page).as_array().unwrap().clone();
    assert_eq!((tasks.len(), &tasks[0]["id"]), (1, &data(&made)["id"]));
    let files = page.0["included"].as_array().unwrap();
    assert!(files.iter().any(|file| file["id"] == data(&input)["id"]));
    assert_eq!(files.len(), 2, "{files:?}");
}

async fn a_deleted_file_is_gone(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "input", &["upload", "download"]),
        bytes(201, b""),
        bytes(204, b""),
        refusal(404, "not_found", None),
        refusal(404, "not_found", None),
    ]);
    let input = id(&sent(&client, PNG).await);
    client.delete_file(&input).await.unwrap();
    assert_eq!(client.file(&input).await.unwrap_err().status, Some(404));
    assert_eq!(client.delete_file(&input).await.unwrap_err().status, Some(404));
}

async fn a_task_that_has_ended_cannot_be_canceled(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        file_document(201, "input", &["upload", "download"]),
        bytes(201, b""),
        created("task"),
        task_document(200, &task("task", "COMPLETED")),
        refusal(409, "task_ended", None),
    ]);
    let input = sent(&client, PNG).await;
    let made = id(&client.create_task(&new_task(&id(&input), Some("image/webp")), "task-key").await.unwrap());
    client.wait(&made, None, &|_| {}).await.unwrap();
    let error = client.cancel_task(&made).await.unwrap_err();
    assert_eq!((error.code.as_ref(), error.status), ("task_ended", Some(409)));
}

async fn what_does_not_exist(harness: &impl Harness) {
    let client = harness.client();
    harness.script((0..6).map(|_| refusal(404, "not_found", None)).collect());
    let task = client.create_task(&new_task(NOBODY, None), "a-key").await.map(|_| ());
    let file = client.file(NOBODY).await.map(|_| ());
    let odd = client.file("../users/me?a=b#c").await.map(|_| ());
    let wait = client.wait(NOBODY, None, &|_| {}).await.map(|_| ());
    let delete = client.delete_file(NOBODY).await.map(|_| ());
    let cancel = client.cancel_task(NOBODY).await.map(|_| ());
    for outcome in [task, file, odd, wait, delete, cancel] {
        let error = outcome.unwrap_err();
        assert_eq!((error.status, error.code.as_ref()), (Some(404), "not_found"));
        assert!(!error.retryable && error.request_id.is_some());
    }
}

async fn what_is_refused_says_where(harness: &impl Harness) {
    let client = harness.client();
    harness.script(vec![
        refusal(422, "invalid_value", Some("/data/attributes/size")),
        refusal(400, "max_file_size_exceeded", Some("/data/attributes/size")),
        file_document(201, "file", &["upload", "download"]),
        refusal(409, "file_not_uploaded", None),
        file_document(201, "input", &["upload", "download"]),
        bytes(201, b""),
        refusal(422, "unsupported_pair", Some("/data/attributes/format/output")),
        refusal(422, "unknown_setting", Some("/data/attributes/settings/optimse")),
    ]);
    let refused = |error: Failure, status: u16, code: &str, pointer: Option<&str>| {
        assert_eq!((error.status, error.code.as_ref()), (Some(status), code));
        if let Some(pointer) = pointer {
            assert_eq!(error.source.pointer.as_deref(), Some(pointer));
        }
        assert!(!error.retryable && error.request_id.is_some_and(|id| !id.is_empty()));
        assert!(error.message.contains(&status.to_string()), "{}", error.message);
    };
    let size = Some("/data/attributes/size");
    refused(client.create_file(0.0, None, "a").await.unwrap_err(), 422, "invalid_value", size);
    let most = client.create_file(1e15, None, "b").await.unwrap_err();
    refused(most, 400, "max_file_size_exceeded", size);
    let empty = client.create_file(5.0, None, "c").await.unwrap();
    let early = client.create_task(&new_task(&id(&empty), None), "d").await.unwrap_err();
    refused(early, 409, "file_not_uploaded", None);
    let input = sent(&client, PNG).await;
    let pair = client.create_task(&new_task(&id(&input), Some("audio/flac")), "e").await.unwrap_err();
    refused(pair, 422, "unsupported_pair", Some("/data/attributes/format/output"));
    let mut task = new_task(&id(&input), None);
    task.settings = Some(Doc(json!({ "optimse": true })));
    let setting = client.create_task(&task, "f").await.unwrap_err();
    refused(setting, 422, "unknown_setting", Some("/data/attributes/settings/optimse"));
}

async fn nobody_without_a_key(harness: &impl Harness) {
    let wrong = "fp_wrong".to_owned();
    // A token may be stale, so that it is asked for once more.
    harness.script((0..4).map(|_| refusal(401, "unauthorized", None)).collect());
    for credentials in [Credentials::None, Credentials::Key(wrong.clone()), Credentials::Token(wrong)] {
        let error = harness.client_as(credentials).me().await.unwrap_err();
        assert_eq!((error.status, error.code.as_ref()), (Some(401), "unauthorized"));
        assert!(!error.retryable && !error.message.contains("fp_wrong"), "{}", error.message);
    }
}

/// A file that has its bytes.
async fn sent<T, C>(client: &Client<T, C>, bytes: &[u8]) -> Doc
where
    T: Transport<Json = Doc, Bytes = Vec<u8>, Response = Answer>,
    C: Clock,
{
    let declared = client.create_file(bytes.len() as f64, None, "the-input").await.unwrap();
    client.upload(&upload(&declared, bytes)).await.unwrap();
    declared
}

fn upload(file: &Doc, bytes: &[u8]) -> Upload<Vec<u8>> {
    let file = FileRef { id: id(file), link: link(file, "upload") };
    Upload { file, bytes: bytes.to_vec(), size: bytes.len() as f64 }
}

fn new_task(input: &str, output: Option<&str>) -> NewTask<Doc> {
    NewTask {
        input: input.to_owned(),
        inputs: None,
        format: output.map(|output| Doc(json!({ "output": output }))),
        settings: None,
        public: None,
        callback_url: None,
    }
}

fn data(document: &Doc) -> Value {
    document.0["data"].clone()
}

fn id(document: &Doc) -> String {
    document.0["data"]["id"].as_str().unwrap().to_owned()
}

fn link(document: &Doc, name: &str) -> Option<String> {
    document.0["data"]["links"][name].as_str().map(str::to_owned)
}
