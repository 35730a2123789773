//! Any responses of a service: the key goes nowhere else, every call ends, and no message contains a secret.

#![no_main]
#![allow(clippy::expect_used, reason = "a broken promise ends the run")]

use std::cell::Cell;
use std::fmt::Debug;

use filepress::remote::{
    Client, Conversion, Error, FileRef, NewTask, PageRequest, Settings, Upload, Url, output,
};
use filepress_fuzz::doc::Doc;
use filepress_fuzz::script::{Answer, BASE, KEY, Script, Waiting, poll_once};
use filepress_fuzz::seeds;
use filepress_wire::documents::{
    Document, ErrorDocument, FileResource, PageLinks, TaskResource, UserResource,
};
use libfuzzer_sys::{Corpus, fuzz_target};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// Separates two responses: a byte that UTF-8 text never contains.
const SEPARATOR: u8 = 0xFF;

fuzz_target!(init: seeds::write_if_requested(conversations), |bytes: &[u8]| -> Corpus {
    let Some((call, script)) = bytes.split_first() else { return Corpus::Reject };
    let answers: Vec<_> = script.split(|byte| *byte == SEPARATOR).filter_map(Answer::read).collect();
    answers.iter().for_each(|answer| check_round_trip(answer.body));
    let key_was_sent = Cell::new(false);
    let clock = Waiting::default();
    let base = Url::parse(BASE).expect("an address");
    let client = Client::new(Script::new(answers, &key_was_sent), &clock, base, Settings::default());
    let failed = poll_once(make(*call, &client)).err();
    if let Some(Error { code, message, reason, .. }) = failed {
        assert!(!code.is_empty() && !message.is_empty());
        assert!(!(message.contains(KEY) && key_was_sent.get() || message.contains("signature=")), "{message}");
        assert!(message.len() < 3000 && code.len() <= 100, "{} bytes of message", message.len());
        assert!(reason.is_none() || code == Error::<Doc>::TASK_FAILED, "{code}");
    }
    Corpus::Keep
});

async fn make(call: u8, client: &Client<Script<'_>, &Waiting>) -> Result<(), Error<Doc>> {
    let known = |name: &str| FileRef {
        id: "id/../?".to_owned(),
        link: Some(format!("https://b.example/{name}?signature=1")),
    };
    match call % 9 {
        0 => client.me().await.map(drop),
        1 => client.file("a b").await.map(drop),
        2 => {
            let first = client.files(&PageRequest { size: Some(2), ..PageRequest::default() }).await?;
            let link = first.0["links"]["next"].as_str().map(str::to_owned);
            client
                .tasks(&PageRequest { link, after: Some("é&".to_owned()), ..PageRequest::default() })
                .await
                .map(drop)
        }
        3 => client.upload(&Upload { file: known("up"), bytes: (), size: 5.0 }).await,
        4 => client.upload(&Upload { file: FileRef { link: None, ..known("") }, bytes: (), size: 5.0 }).await,
        5 => client.download(&known("down"), 3.0, Some("\"e\"".to_owned())).await.map(drop),
        6 => {
            let task = NewTask {
                input: "1".to_owned(),
                inputs: None,
                format: Some(Doc(json!({ "output": "video/mp4" }))),
                settings: Some(Doc(json!({ "crf": 30 }))),
                public: None,
                callback_url: Some(Doc(json!("https://example.com/ended"))),
            };
            client.create_task(&task, "key").await.map(drop)
        }
        7 => {
            let ratio = |ratio: f64| assert!((0.0..=1.0).contains(&ratio), "{ratio}");
            let done = client.wait("t", Some(90_000.0), &ratio).await?;
            client.download(&output(&done), 0.0, None).await.map(drop)
        }
        _ => {
            let conversion = Conversion {
                bytes: (),
                size: 9.0,
                input: "video/mp4".to_owned(),
                output: None,
                settings: None,
                key: "k".to_owned(),
            };
            let done = client.convert(conversion, &|_| {}).await?;
            client.download(&output(&done), 0.0, None).await.map(drop)
        }
    }
}

/// A document that can be read is equal after it is written and read again.
fn check_round_trip(body: &[u8]) {
    same::<Document<FileResource>>(body);
    same::<Document<TaskResource>>(body);
    same::<Document<UserResource>>(body);
    same::<Document<Vec<FileResource>, PageLinks>>(body);
    same::<Document<Vec<TaskResource>, PageLinks>>(body);
    same::<ErrorDocument>(body);
}

fn same<D: DeserializeOwned + Serialize + PartialEq + Debug>(body: &[u8]) {
    let Ok(document) = serde_json::from_slice::<D>(body) else { return };
    let written = serde_json::to_vec(&document).expect("a document can be written");
    assert_eq!(serde_json::from_slice::<D>(&written).ok(), Some(document));
}

/// The responses of normal conversations, for every call.
fn conversations() -> Vec<Vec<u8>> {
    let file = r#"{"data":{"type":"files","id":"f1","attributes":{"size":9,"format":"video/mp4","created_at":"2026-01-01T00:00:00Z"},
"links":{"self":"/v1/files/f1","upload":{"href":"https://b.example/up?signature=1"},"download":"/down?signature=2"},"meta":{"sha256":"a"}}}"#;
    let task = |status: &str| {
        format!(
            r#"{{"data":{{"type":"tasks","id":"t1","attributes":{{"status":"{status}","created_at":"2026-01-01T00:00:00Z","format":{{"input":"video/mp4","output":"video/mp4"}},
"settings":{{}},"public":false,"processing_metadata":{{"progress":0.5,"error":{{"code":"internal","title":"T","detail":"D {KEY} https://b.example/x?signature=1"}}}}}},
"relationships":{{"input":{{"data":{{"type":"files","id":"f1"}}}},"output":{{"data":{{"type":"files","id":"f2"}}}}}},"links":{{"download":"https://b.example/d?signature=3"}}}},
"included":[{{"type":"files","id":"f2","attributes":{{"size":3}},"links":{{"download":"/d2?signature=4"}}}}]}}"#
        )
    };
    let user = r#"{"jsonapi":{"version":"1.1"},"data":{"type":"users","id":"u1","attributes":{"email":"a@b.example","name":"A"},"links":{"self":"/v1/users/me"}}}"#;
    let list = r#"{"data":[{"type":"files","id":"f1","attributes":{"size":9}}],"links":{"prev":null,"next":"/v1/files?page[after]=1"},"meta":{"rangeTruncated":true}}"#;
    let tasks = r#"{"data":[{"type":"tasks","id":"t1","attributes":{"status":"PENDING"}}],"links":{"next":"https://evil.example/v1/tasks"}}"#;
    let error = r#"{"errors":[{"id":"r1","status":"429","code":"rate_limited","title":"Slow","detail":"Bearer fp_live_secret https://b.example/x?signature=1","source":{"pointer":"/data","parameter":"page","header":"Accept"}}]}"#;
    let answer = |status: u8, flags: u8, body: &str| [&[status, flags], body.as_bytes()].concat();
    let conversation = [
        answer(17, 1, error),
        answer(1, 0, file),
        answer(1, 0, ""),
        answer(1, 5, &task("PENDING")),
        answer(0, 0xC0, ""),
        answer(0, 3, &task("PROCESSING")),
        answer(0, 0, &task("COMPLETED")),
        answer(10, 0, error),
        answer(0, 4, file),
        answer(4, 0xE0, ""),
    ];
    let mut seeds = Vec::new();
    for (call, bodies) in
        [[user, error].as_slice(), &[error, file], &[list, tasks], &[error, file, ""]].into_iter().enumerate()
    {
        let answers: Vec<_> = bodies
            .iter()
            .enumerate()
            .map(|(at, body)| answer(if *body == error { 9 } else { at as u8 }, 0, body))
            .collect();
        seeds.push([vec![call as u8], answers.join(&SEPARATOR)].concat());
    }
    for call in 0..9 {
        seeds.push([vec![call], conversation.join(&SEPARATOR)].concat());
        seeds.push(
            [vec![call], [answer(0, 0, &task("FAILED")), answer(12, 2, error)].join(&SEPARATOR)].concat(),
        );
    }
    seeds
}
