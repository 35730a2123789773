//! Which addresses are called: refused when the task is created as far as the URL shows it, else when the name was resolved.

use std::time::Duration;

use filepress_server::callbacks::{CallError, CallbackUrl, Caller};
use http::HeaderMap;
use serde_json::Value;

use crate::receiver::{Answer, Receiver};
use crate::service::noise;
use crate::{LOCAL, Running, callback, convert, task_calling};

const NEVER: [&str; 6] = [
    "https://169.254.169.254/latest/meta-data",
    "https://[fe80::1]/",
    "https://0.0.0.0/",
    "https://224.0.0.1/",
    "https://[::ffff:10.0.0.1]/",
    "https://[64:ff9b::a00:1]/",
];

async fn code(running: &Running, input: &str, url: &str) -> (u16, Value) {
    let answer = running.client.post("/v1/tasks", &task_calling(input, url)).await.unwrap();
    let (status, document) = (answer.status().as_u16(), answer.json::<Value>().await.unwrap());
    if status == 422 {
        assert_eq!(document["errors"][0]["source"]["pointer"], "/data/attributes/callback_url");
        assert!(!document.to_string().contains("secret"), "{document}");
    }
    (status, document["errors"][0]["code"].clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn private_and_special_addresses_are_refused_when_a_task_is_created() {
    let running = Running::start(&["--image-workers", "0"]).await;
    let input = running.client.upload(&noise(16, 1)).await.unwrap();
    let private = [
        "https://10.0.0.1/?secret",
        "https://10.255.255.255:8443/hook",
        "https://172.16.0.1/",
        "https://192.168.0.1/",
        "https://100.64.0.1/",
        "https://127.0.0.1/",
        "https://0x7f.1/",
        "https://2130706433/",
        "https://localhost/",
        "https://[::1]/",
        "https://[fd00::1]/",
        "http://example.org/",
    ];
    for url in private.into_iter().chain(NEVER) {
        assert_eq!(code(&running, &input, url).await, (422, "callback_not_allowed".into()), "{url}");
    }
    let long = format!("https://example.org/{}", "a".repeat(2048));
    for url in
        ["", "hook", "ftp://example.org/", "https://me:secret@example.org/", "https://example.org/#a", &long]
    {
        assert_eq!(code(&running, &input, url).await, (422, "invalid_value".into()), "{url}");
    }
    assert_eq!(code(&running, &input, "https://example.org/hook").await, (201, Value::Null));
    assert_eq!(running.client.all("/v1/tasks").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn special_addresses_are_refused_although_private_ones_are_allowed() {
    let running = Running::start(&[&LOCAL[..], &["--image-workers", "0"]].concat()).await;
    let input = running.client.upload(&noise(16, 1)).await.unwrap();
    for url in
        NEVER.into_iter().chain(["http://1.1.1.1/", "https://[fd00:ec2::254]/", "https://100.100.100.200/"])
    {
        assert_eq!(code(&running, &input, url).await, (422, "callback_not_allowed".into()), "{url}");
    }
    for url in ["http://10.0.0.1/", "https://10.0.0.1/", "http://localhost/", "http://[fd00::1]:8080/"] {
        assert_eq!(code(&running, &input, url).await, (201, Value::Null), "{url}");
    }
}

/// A name shows only when it is resolved that it leads to a private address.
#[tokio::test]
async fn a_name_that_leads_to_a_private_address_is_not_called() {
    let receiver = Receiver::start(|_, _| Answer::Status(200)).await;
    let call = async |caller: Caller, scheme: &str| {
        let url = CallbackUrl::parse(&format!("{scheme}://localhost:{}/", receiver.port), true).unwrap();
        caller.post(&url, HeaderMap::new(), "{}".into()).await.map(|status| status.as_u16())
    };
    let time = Duration::from_secs(10);
    for scheme in ["http", "https"] {
        assert_eq!(call(Caller::new(false, time), scheme).await, Err(CallError::RefusedAddress));
    }
    assert_eq!(receiver.received().len(), 0);
    assert_eq!(call(Caller::new(true, time), "http").await, Ok(200));
    let url = CallbackUrl::parse("https://no-such-host.invalid/", false).unwrap();
    let answer = Caller::new(false, time).post(&url, HeaderMap::new(), "{}".into()).await;
    assert_eq!(answer, Err(CallError::UnknownHost));
}

/// What was allowed when the task was created may not be any more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_allowed_is_asked_again_when_a_callback_is_called() {
    let mut running = Running::start(&[&LOCAL[..], &["--image-workers", "0"]].concat()).await;
    let receiver = Receiver::start(|_, _| Answer::Status(200)).await;
    let task = convert(&running.client, &receiver.url("/")).await;
    running.service.signal(rustix::process::Signal::KILL);
    running.restart(&["--callback-pause", "1ms"]).await;
    let seen = callback(&running.client, &task, "FAILED").await;
    assert_eq!((&seen["failure"], receiver.received().len()), (&"refused_address".into(), 0));
}
