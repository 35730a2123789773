//! Links that a service sends: which addresses get requests, and which get the key.

use filepress::remote::{FileRef, PageRequest, Settings, Upload, output};
use serde_json::{Value, json};

use super::documents::{bytes, file, list, task};
use super::manual_clock::run;
use super::scripted_transport::{BASE, Scripted, answer};
use crate::answer::Failure;
use crate::doc::Doc;
use crate::harness::Harness;

/// Where no bytes may come from or go to, beside a service on `https`.
const HOSTILE: [&str; 16] = [
    "javascript:alert(1)",
    "javascript://files.example.com/%0aalert(1)",
    "data:text/plain,hello",
    "file:///etc/passwd",
    "blob:https://files.example.com/1",
    "ftp://files.example.com/a",
    "http://files.example.com/v1/files/file/content",
    "http://other.example.com/",
    "http://127.0.0.1:8080/admin",
    "http://localhost/admin",
    "http://[::1]/admin",
    "https://user:password@files.example.com/",
    "https://",
    "//other.example.com/a",
    "not an address",
    "https://files.example.com/a b\n",
];

fn place(link: &str) -> FileRef {
    FileRef { id: "file".to_owned(), link: Some(link.to_owned()) }
}

#[test]
fn bytes_travel_over_safe_addresses_alone() {
    for link in HOSTILE {
        let scripted = Scripted::default();
        let client = scripted.client();
        let upload = Upload { file: place(link), bytes: b"hello".to_vec(), size: 5.0 };
        let sent = run(scripted.clock(), client.upload(&upload));
        let read = run(scripted.clock(), client.download(&place(link), 0.0, None)).map(|_| ());
        for outcome in [sent, read] {
            let error = outcome.unwrap_err();
            assert_eq!((error.code.as_ref(), error.retryable), (Failure::FOREIGN_LINK, false), "{link}");
            assert!(!error.message.contains("password") && !error.message.contains("admin"), "{error}");
        }
        assert!(scripted.sent().is_empty(), "{link}");
    }
}

#[test]
fn bytes_may_be_with_somebody_else_who_is_not_given_the_key() {
    let elsewhere = "https://bucket.s3.example.com/b?X-Amz-Signature=1";
    let scripted = Scripted::new(vec![bytes(200, b""), bytes(200, b"hello")]);
    let client = scripted.client();
    let upload = Upload { file: place(elsewhere), bytes: b"hello".to_vec(), size: 5.0 };
    run(scripted.clock(), client.upload(&upload)).unwrap();
    run(scripted.clock(), client.download(&place(elsewhere), 0.0, None)).unwrap();
    for sent in scripted.sent() {
        assert_eq!((sent.url.as_str(), sent.header("authorization")), (elsewhere, None));
        assert!(sent.headers.is_empty(), "{:?}", sent.headers);
    }
}

#[test]
fn on_loopback_plain_http_is_enough() {
    let scripted = Scripted::new(vec![bytes(200, b"hello")]);
    let client = scripted.client_with("http://127.0.0.1:8080", Settings::default());
    run(scripted.clock(), client.download(&place("http://127.0.0.1:8080/b"), 0.0, None)).unwrap();
}

fn next_page(base: &str, link: &str) -> (Result<(), Failure>, Scripted) {
    let scripted = Scripted::new(vec![list("/v1/files", &[], None, None)]);
    let client = scripted.client_with(base, Settings::default());
    let request = PageRequest { link: Some(link.to_owned()), ..PageRequest::default() };
    let outcome = run(scripted.clock(), client.files(&request)).map(|_| ());
    (outcome, scripted)
}

#[test]
fn the_key_goes_to_the_own_origin_alone() {
    let foreign = [
        "https://other.example.com/v1/files",
        "https://files.example.com.other.example/v1/files",
        "https://files.example.com:8443/v1/files",
        "https://files.example.com@other.example/",
        "https://example.com/v1/files",
    ];
    for link in foreign.into_iter().chain(HOSTILE) {
        let (outcome, scripted) = next_page(BASE, link);
        assert_eq!(outcome.unwrap_err().code, Failure::FOREIGN_LINK, "{link}");
        assert!(scripted.sent().is_empty(), "{link}");
    }
}

#[test]
fn the_own_origin_is_known_however_it_is_written() {
    let own = "https://files.example.com/v1/files?page%5Bafter%5D=a";
    for link in [
        own,
        "/v1/files?page%5Bafter%5D=a",
        "https://files.example.com:443/v1/files",
        "https://FILES.Example.com/v1/files",
    ] {
        let (outcome, scripted) = next_page(BASE, link);
        assert_eq!(outcome, Ok(()), "{link}");
        assert!(scripted.sent()[0].header("authorization").is_some());
    }
}

#[test]
fn redirections_are_followed_only_without_the_key() {
    let mut done = task("task", "COMPLETED");
    done["links"]["download"] = json!("https://cdn.example.com/b");
    let scripted =
        Scripted::new(vec![answer(200, &json!({ "data": done })), bytes(200, b"hello"), bytes(200, b"")]);
    let client = scripted.client();
    run(scripted.clock(), async {
        client.task("task").await.unwrap();
        client.download(&place("https://cdn.example.com/b"), 0.0, None).await.unwrap();
        let upload = Upload { file: place("https://cdn.example.com/b"), bytes: Vec::new(), size: 0.0 };
        client.upload(&upload).await.unwrap();
    });
    for sent in scripted.sent() {
        assert!(!(sent.follows && sent.header("authorization").is_some()), "{sent:?}");
    }
}

#[test]
fn the_link_of_the_output_goes_before_that_of_the_task() {
    let read = |with_file: Option<&[&str]>, on_task: bool| {
        let mut done = task("task", "COMPLETED");
        if on_task {
            done["links"]["download"] = json!("https://cdn.example.com/task");
        }
        let files: Vec<Value> = with_file.iter().map(|what| file("output", what)).collect();
        output(&Doc(json!({ "data": done, "included": files }))).link
    };
    let of_file = read(Some(&["download"]), false).unwrap();
    assert_eq!(read(Some(&["download"]), true), Some(of_file));
    assert_eq!(read(None, true).as_deref(), Some("https://cdn.example.com/task"));
    assert_eq!(read(Some(&[]), true).as_deref(), Some("https://cdn.example.com/task"));
    assert_eq!(read(None, false), None);
}
