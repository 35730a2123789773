//! Receivers that mean harm: they redirect into the private network, never answer, or never stop answering.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;

use crate::receiver::{Answer, Receiver};
use crate::service::{Client, eventually, key_of, noise};
use crate::{LOCAL, Running, callback, convert, task_calling};

/// More than the buffers of two sockets hold, and far less than a receiver can send in the time of a call.
const BUFFERS: usize = 32 << 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redirects_are_not_followed() {
    let running = Running::start(&[&LOCAL[..2], &["--callback-pause", "1ms"]].concat()).await;
    let inside = Receiver::start(|_, _| Answer::Status(200)).await;
    let target = inside.url("/inside");
    let receiver = Receiver::start(move |_, _| Answer::Redirect(target.clone())).await;
    let task = convert(&running.client, &receiver.url("/")).await;
    let seen = callback(&running.client, &task, "FAILED").await;
    assert_eq!(seen, json!({ "status": "FAILED", "attempts": 10, "failure": "status_307" }));
    assert_eq!((receiver.received().len(), inside.received().len()), (10, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_receiver_holds_up_nobody_else() {
    let running = Running::start(&[&LOCAL[..], &["--callback-timeout", "5m"]].concat()).await;
    let (slow, quick) =
        (Receiver::start(|_, _| Answer::Silence).await, Receiver::start(|_, _| Answer::Status(200)).await);
    let input = running.client.upload(&noise(16, 1)).await.unwrap();
    for _ in 0..20 {
        let answer = running.client.post("/v1/tasks", &task_calling(&input, &slow.url("/"))).await.unwrap();
        answer.error_for_status().unwrap();
    }
    // The calls that one user may have under way.
    eventually(async || (slow.received().len() == 4).then_some(())).await;
    let other = Client::new(&running.service, &key_of(&running.data, "other@example.org").await);
    for _ in 0..5 {
        let task = convert(&other, &quick.url("/")).await;
        callback(&other, &task, "DELIVERED").await;
    }
    assert_eq!((slow.received().len(), quick.received().len()), (4, 5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_not_answered_times_out() {
    let running = Running::start(&[&LOCAL[..], &["--callback-timeout", "1s"]].concat()).await;
    let receiver =
        Receiver::start(|number, _| if number == 0 { Answer::Silence } else { Answer::Status(200) }).await;
    let task = convert(&running.client, &receiver.url("/")).await;
    assert_eq!(callback(&running.client, &task, "DELIVERED").await["attempts"], 2);
    let log = crate::service::read_log(&running.data);
    assert!(log.contains("timed_out"), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_without_end_is_not_read_to_its_end() {
    let running = Running::start(&LOCAL).await;
    let receiver = Receiver::start(|_, _| Answer::Endless(200)).await;
    let task = convert(&running.client, &receiver.url("/")).await;
    assert_eq!(callback(&running.client, &task, "DELIVERED").await["attempts"], 1);
    let receiver_of_heads =
        Receiver::start(|number, _| if number == 0 { Answer::EndlessHead } else { Answer::Status(200) })
            .await;
    let task = convert(&running.client, &receiver_of_heads.url("/")).await;
    assert_eq!(callback(&running.client, &task, "DELIVERED").await["attempts"], 2);
    // The connections are closed, and nothing is written any more.
    let mut before = usize::MAX;
    eventually(async || {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let written =
            receiver.written.load(Ordering::SeqCst) + receiver_of_heads.written.load(Ordering::SeqCst);
        (std::mem::replace(&mut before, written) == written).then_some(())
    })
    .await;
    assert!(before < BUFFERS, "{before}");
}
