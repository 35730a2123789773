//! The service is killed between the end of a task and its callback, and in the middle of a call: the receiver is told all the same.

use rustix::process::Signal;
use serde_json::Value;

use crate::receiver::{Answer, Receiver};
use crate::service::{eventually, noise, text};
use crate::{LOCAL, Running, callback, task_calling};

const TASKS: usize = 6;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_receiver_is_told_although_the_service_is_killed() {
    // Until the service was killed, no call is answered.
    let receiver =
        Receiver::start(|number, _| if number < 4 { Answer::Silence } else { Answer::Status(200) }).await;
    let arguments = [&LOCAL[..], &["--callback-timeout", "5m"]].concat();
    let mut running = Running::start(&arguments).await;
    let input = running.client.upload(&noise(16, 1)).await.unwrap();
    let mut tasks = Vec::new();
    for _ in 0..TASKS {
        let answer =
            running.client.post("/v1/tasks", &task_calling(&input, &receiver.url("/"))).await.unwrap();
        let task: Value = answer.error_for_status().unwrap().json().await.unwrap();
        tasks.push(text(&task["data"]["id"]));
    }
    // Four calls are under way, and two callbacks wait for them.
    for task in &tasks {
        running.client.ended(task).await;
    }
    eventually(async || (receiver.received().len() == 4).then_some(())).await;
    running.service.signal(Signal::KILL);
    running.restart(&arguments).await;
    for task in &tasks {
        callback(&running.client, task, "DELIVERED").await;
    }
    let secret = running.secret().await;
    let mut told: Vec<_> = receiver.received()[4..]
        .iter()
        .map(|request| {
            assert!(request.is_signed_by(&secret));
            assert_eq!(request.document()["data"]["attributes"]["status"], "COMPLETED");
            text(&request.document()["data"]["id"])
        })
        .collect();
    told.sort();
    tasks.sort();
    assert_eq!(told, tasks);
    // A delivery that is made again has the id that it had.
    let ids = |range: std::ops::Range<usize>| -> std::collections::BTreeSet<String> {
        receiver.received()[range].iter().map(|request| request.headers["webhook-id"].clone()).collect()
    };
    assert_eq!(ids(4..4 + TASKS).len(), TASKS);
    assert!(ids(0..4).is_subset(&ids(4..4 + TASKS)));

    // Nothing is called again after another crash.
    running.service.signal(Signal::KILL);
    running.restart(&arguments).await;
    let last = crate::convert(&running.client, &receiver.url("/")).await;
    callback(&running.client, &last, "DELIVERED").await;
    assert_eq!(receiver.received().len(), 4 + TASKS + 1);
}
