//! Retries of uploads: when, to which URL, and when not.

use filepress::remote::{FileRef, Upload};

use super::documents::{SIGNATURE, bytes, file_document, refusal};
use super::manual_clock::run;
use super::scripted_transport::{BASE, Scripted, Step, raw};
use crate::answer::Failure;
use crate::harness::Harness;

fn upload() -> Upload<Vec<u8>> {
    let file = FileRef { id: "file".to_owned(), link: Some(format!("{BASE}/stale?signature={SIGNATURE}")) };
    Upload { file, bytes: b"hello".to_vec(), size: 5.0 }
}

fn sends(steps: Vec<Step>) -> (Result<(), Failure>, Vec<String>) {
    let scripted = Scripted::new(steps);
    let outcome = run(scripted.clock(), scripted.client().upload(&upload()));
    assert_eq!(scripted.left(), 0, "seen: {:?}", scripted.seen());
    for sent in scripted.sent().iter().filter(|sent| sent.method == "PUT") {
        assert_eq!((sent.content.as_slice(), sent.header("authorization")), (&b"hello"[..], None));
    }
    (outcome, scripted.seen())
}

const STALE: &str = "PUT /stale";
const FRESH: &str = "PUT /v1/files/file/content";
const ASK: &str = "GET /v1/files/file";

fn fresh() -> Step {
    file_document(200, "file", &["upload"])
}

#[test]
fn an_address_that_has_expired_is_replaced_once() {
    for code in ["url_expired", "invalid_signature"] {
        let (outcome, seen) = sends(vec![refusal(403, code, None), fresh(), bytes(201, b"")]);
        assert_eq!((outcome, seen), (Ok(()), [STALE, ASK, FRESH].map(str::to_owned).to_vec()));
    }
    let (outcome, seen) =
        sends(vec![refusal(403, "url_expired", None), fresh(), refusal(403, "url_expired", None)]);
    assert_eq!((outcome.unwrap_err().code.as_ref(), seen.len()), ("url_expired", 3));
}

#[test]
fn the_fresh_address_is_kept_for_the_attempts_that_follow() {
    let (outcome, seen) =
        sends(vec![refusal(403, "url_expired", None), fresh(), raw(503, ""), bytes(201, b"")]);
    assert_eq!(outcome, Ok(()), "{seen:?}");
    assert!(!seen[1..].contains(&STALE.to_owned()), "{seen:?}");
}

#[test]
fn a_download_keeps_the_fresh_address_too() {
    let scripted = Scripted::new(vec![
        refusal(403, "url_expired", None),
        file_document(200, "file", &["download"]),
        raw(503, ""),
        bytes(200, b"hello"),
    ]);
    let place = FileRef { id: "file".to_owned(), link: Some(format!("{BASE}/stale?signature=x")) };
    let reply = run(scripted.clock(), scripted.client().download(&place, 0.0, None));
    assert_eq!(reply.unwrap().body, b"hello", "{:?}", scripted.seen());
}

#[test]
fn what_is_too_busy_is_asked_again_at_the_same_address() {
    let busy = raw(503, "").with("retry-after", "1");
    let (outcome, seen) = sends(vec![busy, refusal(429, "rate_limited", None), bytes(200, b"")]);
    assert_eq!((outcome, seen), (Ok(()), [STALE; 3].map(str::to_owned).to_vec()));
}

#[test]
fn after_a_broken_connection_it_is_asked_whether_the_bytes_arrived() {
    for broken in [Step::Fault("reset"), Step::Silence] {
        let (outcome, seen) = sends(vec![broken.clone(), file_document(200, "file", &["download"])]);
        assert_eq!((outcome, seen), (Ok(()), [STALE, ASK].map(str::to_owned).to_vec()));
        let (outcome, seen) = sends(vec![broken.clone(), fresh(), bytes(201, b"")]);
        assert_eq!((outcome, seen), (Ok(()), [STALE, ASK, FRESH].map(str::to_owned).to_vec()));
        let (outcome, _) = sends(vec![broken, fresh(), refusal(409, "already_uploaded", None)]);
        assert_eq!(outcome, Ok(()), "the first attempt arrived in the meantime");
    }
}

#[test]
fn bytes_that_are_there_already_are_an_error_where_nothing_was_sent_before() {
    let (outcome, _) = sends(vec![refusal(409, "already_uploaded", None)]);
    assert_eq!(outcome.unwrap_err().code, "already_uploaded");
}

#[test]
fn bytes_that_were_cut_off_are_sent_once_more() {
    let (outcome, _) = sends(vec![refusal(400, "size_mismatch", None), bytes(201, b"")]);
    assert_eq!(outcome, Ok(()));
    let (outcome, _) = sends(vec![refusal(400, "size_mismatch", None), refusal(400, "size_mismatch", None)]);
    assert_eq!(outcome.unwrap_err().code, "size_mismatch");
}

#[test]
fn what_was_deleted_is_told() {
    let (outcome, _) = sends(vec![refusal(410, "file_expired", None), refusal(404, "not_found", None)]);
    assert_eq!(outcome.unwrap_err().status, Some(404));
}

#[test]
fn large_files_have_more_time() {
    let size = 1.6e9;
    let large = Upload { size, ..upload() };
    let scripted = Scripted::new(vec![Step::Silence]);
    let error = run(scripted.clock(), scripted.once().upload(&large)).unwrap_err();
    assert_eq!(error.code, Failure::TIMEOUT);
    assert!(scripted.clock().slept()[0] > 3.6e6, "a slow line is no fault");
}
