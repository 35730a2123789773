//! No error contains a key or a signed URL, whatever its source.

use filepress::remote::{FileRef, Upload};
use serde_json::json;

use super::documents::{SIGNATURE, failed_task, signed, task_document};
use super::manual_clock::run;
use super::scripted_transport::{KEY, Scripted, Step, answer};
use crate::answer::Failure;
use crate::harness::Harness;

fn discreet(error: &Failure) {
    let whole = format!("{error} {error:?}");
    for secret in [KEY, SIGNATURE, "signature="] {
        assert!(!whole.contains(secret), "{secret} is in {whole}");
    }
}

fn place(what: &str) -> FileRef {
    FileRef { id: "file".to_owned(), link: Some(signed("file", what)) }
}

#[test]
fn hosts_quote_addresses_and_headers() {
    let words: Vec<String> = vec![
        format!("error sending request for url ({})", signed("file", "upload")),
        format!("\"{}\": connection refused", signed("file", "upload")),
        format!("Headers.append: \"Bearer {KEY}\" is an invalid header value."),
        format!("fetch {}, then {}.", signed("a", "upload"), signed("b", "download")),
    ];
    for words in words {
        let words: &'static str = words.leak();
        let scripted = Scripted::new(vec![Step::Fault(words); 3]);
        let client = scripted.once();
        let upload = Upload { file: place("upload"), bytes: b"hello".to_vec(), size: 5.0 };
        discreet(&run(scripted.clock(), client.me()).unwrap_err());
        discreet(&run(scripted.clock(), client.upload(&upload)).unwrap_err());
        discreet(&run(scripted.clock(), client.download(&place("download"), 0.0, None)).unwrap_err());
    }
}

#[test]
fn services_quote_them_as_well() {
    let words = [
        format!("The key {KEY} is not known."),
        format!("Authorization: Bearer {KEY}"),
        format!("{} has expired.", signed("file", "upload")),
        format!("/v1/files/file/content?for=upload&signature={SIGNATURE} has expired."),
    ];
    for words in words {
        for member in ["detail", "title", "code", "id"] {
            let error = json!({ "errors": [{ "code": "some_code", member: words }] });
            let scripted = Scripted::new((0..3).map(|_| answer(403, &error)).collect());
            let client = scripted.once();
            let anonymous = |what: &str| FileRef { id: String::new(), ..place(what) };
            let upload = Upload { file: anonymous("upload"), bytes: b"hello".to_vec(), size: 5.0 };
            discreet(&run(scripted.clock(), client.me()).unwrap_err());
            discreet(&run(scripted.clock(), client.upload(&upload)).unwrap_err());
            discreet(&run(scripted.clock(), client.download(&anonymous("download"), 0.0, None)).unwrap_err());
        }
    }
}

#[test]
fn reasons_of_tasks_may_quote_them_too() {
    let mut failed = failed_task("task", "corrupt_file");
    let words = format!("ffmpeg: {}: Invalid data for {KEY}", signed("file", "download"));
    failed["attributes"]["processing_metadata"]["error"]["detail"] = words.into();
    let scripted = Scripted::new(vec![task_document(200, &failed)]);
    let error = run(scripted.clock(), scripted.client().wait("task", None, &|_| {})).unwrap_err();
    for secret in [KEY, SIGNATURE] {
        assert!(!error.message.contains(secret), "{}", error.message);
    }
}
