//! What a receiver gets, and when.

use filepress_server::clock::{Clock, SystemClock};

use reqwest::StatusCode;
use serde_json::json;

use crate::receiver::{Answer, Receiver};
use crate::service::{self, eventually, noise, text};
use crate::{LOCAL, Running, callback, convert, task_calling};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_fails_twice_gets_the_third_attempt_with_a_valid_signature() {
    let running = Running::start(&LOCAL).await;
    let receiver = Receiver::start(|number, _| Answer::Status([500, 503, 204][number])).await;
    let task = convert(&running.client, &receiver.url("/hook?token=t0ken")).await;
    let seen = callback(&running.client, &task, "DELIVERED").await;
    assert_eq!(seen, json!({ "status": "DELIVERED", "attempts": 3 }));
    let (received, secret) = (receiver.received(), running.secret().await);
    assert_eq!(received.len(), 3);
    for request in &received {
        assert_eq!(request.line, "POST /hook?token=t0ken HTTP/1.1");
        assert_eq!(request.headers["host"], format!("127.0.0.1:{}", receiver.port));
        assert_eq!(request.headers["content-type"], "application/vnd.api+json");
        assert_eq!(request.headers["webhook-id"], received[0].headers["webhook-id"]);
        assert!(request.is_signed_by(&secret));
        assert!(!request.is_signed_by("whsec_AAAA"));
        let now = SystemClock.now().seconds();
        assert!((now - 600..=now).contains(&request.time()));
        let mut changed = request.clone();
        changed.body.push(b' ');
        assert!(!changed.is_signed_by(&secret));
    }
    // It is the document of the task, whose links work.
    let document = received[2].document();
    assert_eq!(document["data"]["id"], task);
    assert_eq!(document["data"]["attributes"]["status"], "COMPLETED");
    assert_eq!(document["links"]["self"], format!("{}/v1/tasks/{task}", running.client.url));
    let output = running.client.download(&document["data"]["links"]["download"]).await;
    assert!(output.starts_with(b"\x89PNG"));
    let log = service::read_log(&running.data);
    assert!(log.contains("a callback was called"), "{log}");
    for secret in ["t0ken", "/hook", secret.as_str()] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_that_fail_or_are_canceled_are_told_of_too() {
    let running = Running::start(&LOCAL).await;
    let receiver = Receiver::start(|_, _| Answer::Status(200)).await;
    let client = &running.client;
    // A picture that is cut off in its middle.
    let picture = noise(64, 1);
    let input = client.upload(&picture[..picture.len() / 2]).await.unwrap();
    let answer = client.post("/v1/tasks", &task_calling(&input, &receiver.url("/failed"))).await.unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);
    let input = client.upload(&noise(2000, 2)).await.unwrap();
    let mut document = task_calling(&input, &receiver.url("/canceled"));
    document["data"]["attributes"]["format"]["output"] = "image/avif".into();
    let answer = client.post("/v1/tasks", &document).await.unwrap();
    let task: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(client.cancel(&text(&task["data"]["id"])).await.unwrap().status(), StatusCode::OK);
    eventually(async || (receiver.received().len() == 2).then_some(())).await;
    for request in receiver.received() {
        let attributes = request.document()["data"]["attributes"].clone();
        assert_eq!(attributes["status"], "FAILED");
        let code = attributes["processing_metadata"]["error"]["code"].as_str().unwrap();
        assert_eq!(code == "canceled", request.line.contains("/canceled"), "{code}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_is_gone_is_not_called_again() {
    let running = Running::start(&LOCAL).await;
    let receiver = Receiver::start(|_, _| Answer::Status(410)).await;
    let task = convert(&running.client, &receiver.url("/")).await;
    let seen = callback(&running.client, &task, "FAILED").await;
    assert_eq!(seen, json!({ "status": "FAILED", "attempts": 1, "failure": "status_410" }));
    assert_eq!(receiver.received().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_always_fails_is_given_up() {
    let running = Running::start(&["--allow-private-callbacks", "--callback-pause", "1ms"]).await;
    let receiver = Receiver::start(|_, _| Answer::Status(500)).await;
    let task = convert(&running.client, &receiver.url("/")).await;
    let seen = callback(&running.client, &task, "FAILED").await;
    assert_eq!(seen, json!({ "status": "FAILED", "attempts": 10, "failure": "status_500" }));
    assert_eq!(receiver.received().len(), 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replaced_secret_signs_too_for_a_while() {
    let running = Running::start(&LOCAL).await;
    let receiver = Receiver::start(|_, _| Answer::Status(200)).await;
    let first = running.secret().await;
    assert_eq!(running.secret().await, first);
    let second = service::callback_secret(&running.data, &["--rotate"]).await;
    assert_ne!(first, second);
    let task = convert(&running.client, &receiver.url("/")).await;
    callback(&running.client, &task, "DELIVERED").await;
    let request = &receiver.received()[0];
    assert!(request.is_signed_by(&first) && request.is_signed_by(&second));
    assert_eq!(request.headers["webhook-signature"].split(' ').count(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_are_checked() {
    let (receiver, certificate) = Receiver::start_tls(|_, _| Answer::Status(200)).await;
    let url = format!("https://localhost:{}/", receiver.port);
    let folder = tempfile::tempdir().unwrap();
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path(), open).unwrap();
    let trusted = folder.path().join("trusted.pem");
    std::fs::write(&trusted, certificate).unwrap();
    let variables = [("SSL_CERT_FILE".to_owned(), trusted.display().to_string())];
    let running = Running::start_with(&LOCAL, &variables).await;
    let task = convert(&running.client, &url).await;
    callback(&running.client, &task, "DELIVERED").await;
    assert_eq!(receiver.received().len(), 1);

    let running = Running::start(&LOCAL).await;
    let task = convert(&running.client, &url).await;
    eventually(async || {
        let task = running.client.get(&format!("/v1/tasks/{task}")).await.unwrap();
        (task["data"]["meta"]["callback"]["failure"] == "tls_failed").then_some(())
    })
    .await;
    assert_eq!(receiver.received().len(), 1);
}
