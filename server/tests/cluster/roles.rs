//! What servers of different roles do for each other, and how they stop.

use reqwest::StatusCode;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::receiver::{Answer, Receiver};
use crate::service::{Client, eventually, new_task, noise, text};
use crate::{Cluster, LONG_LEASE, task};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_server_answers_for_what_another_one_did() {
    let mut cluster = Cluster::new().await;
    let (_one, one) = cluster.api().await;
    let (_two, two) = cluster.api().await;
    let _worker = cluster.node("worker", &LONG_LEASE).await;
    let picture = noise(1700, 1);
    let input = one.upload(&picture).await.unwrap();
    let id = two.convert(&input, "image/x-portable-anymap", json!({})).await.unwrap();
    let ended = one.ended(&id).await;
    assert_eq!(ended["data"]["attributes"]["status"], "COMPLETED", "{ended}");
    // A link that one server signed, at the other one.
    let link = text(&ended["data"]["links"]["download"]).replace(&one.url, &two.url);
    assert!(
        two.download(&Value::from(link.clone())).await
            == one.download(&ended["data"]["links"]["download"]).await
    );
    let file = one.get(&format!("/v1/files/{input}")).await.unwrap();
    let link = text(&file["data"]["links"]["download"]).replace(&one.url, &two.url);
    let part =
        reqwest::Client::new().get(&link).header("Range", "bytes=4194300-4194309").send().await.unwrap();
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.bytes().await.unwrap(), picture[4_194_300..4_194_310]);
    assert_eq!(two.delete(&format!("/v1/files/{input}")).await.unwrap().status(), StatusCode::NO_CONTENT);
    let gone = reqwest::get(link).await.unwrap();
    assert_eq!(gone.status(), StatusCode::GONE);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_is_told_to_stop_gives_its_task_back_at_once() {
    let mut cluster = Cluster::new().await;
    let (_api, api) = cluster.api().await;
    let arguments = ["--lease", "10m", "--stop-grace", "1s"];
    let first = cluster.node("worker", &arguments).await;
    let id = api.long_work().await.unwrap();
    first.signal(Signal::TERM);
    assert!(first.ended().await.success());
    let waiting = task(&api, &id).await;
    if waiting["status"] == "PROCESSING" {
        let _second = cluster.node("worker", &LONG_LEASE).await;
        assert_eq!(api.ended(&id).await["data"]["attributes"]["status"], "COMPLETED");
        assert_eq!(task(&api, &id).await["processing_metadata"]["attempt"], 2);
    } else {
        // It was done within the grace.
        assert_eq!(waiting["status"], "COMPLETED");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_is_canceled_stops_at_its_worker() {
    let mut cluster = Cluster::new().await;
    let (_api, api) = cluster.api().await;
    let _worker = cluster.node("worker", &["--lease", "10m", "--image-workers", "1"]).await;
    let id = api.long_work().await.unwrap();
    assert_eq!(api.cancel(&id).await.unwrap().status(), StatusCode::OK);
    // The only worker for long tasks has its hands free, although no heartbeat was due.
    let next = api.long_work().await.unwrap();
    assert_eq!(task(&api, &id).await["processing_metadata"]["error"]["code"], "canceled");
    assert_eq!(api.cancel(&next).await.unwrap().status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_answers_while_it_drains() {
    let mut cluster = Cluster::new().await;
    let api = cluster.node("api", &["--drain", "5s"]).await;
    let client = Client::new(&api, &cluster.key);
    let ready = format!("{}/readyz", client.url);
    assert_eq!(reqwest::get(&ready).await.unwrap().status(), StatusCode::OK);
    api.signal(Signal::TERM);
    eventually(async || {
        (reqwest::get(&ready).await.unwrap().status() == StatusCode::SERVICE_UNAVAILABLE).then_some(())
    })
    .await;
    client.upload(b"P6\n1 1\n255\nabc").await.unwrap();
    assert!(api.ended().await.success());
}

/// Each callback is called by one of the servers that answer requests, whichever ended, created or asked for the task; and by another one if
/// that is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callbacks_are_called_once_by_one_of_several_servers() {
    const TASKS: usize = 24;
    let mut cluster = Cluster::new().await;
    let arguments = ["--allow-private-callbacks", "true"];
    let one = cluster.node("api", &arguments).await;
    let _two = cluster.node("api", &arguments).await;
    let _worker = cluster.node("worker", &LONG_LEASE).await;
    let receiver = Receiver::start(|_, _| Answer::Status(200)).await;
    let client = Client::new(&one, &cluster.key);
    let input = client.upload(&noise(16, 1)).await.unwrap();
    let mut document = new_task(&input, "image/png", json!({}));
    document["data"]["attributes"]["callback_url"] = receiver.url("/").into();
    for _ in 0..TASKS {
        assert_eq!(client.post("/v1/tasks", &document).await.unwrap().status(), StatusCode::CREATED);
    }
    let delivered = async |client: &Client, count: usize| {
        eventually(async || {
            let tasks = client.all("/v1/tasks").await;
            let done = |task: &&Value| task["meta"]["callback"]["status"] == "DELIVERED";
            (tasks.iter().filter(done).count() == count).then_some(())
        })
        .await;
    };
    delivered(&client, TASKS).await;
    let told: std::collections::BTreeSet<String> =
        receiver.received().iter().map(|request| text(&request.document()["data"]["id"])).collect();
    assert_eq!((receiver.received().len(), told.len()), (TASKS, TASKS));

    // A third server joins, and the one that made the task is killed before it ends.
    let (_three, third) = (cluster.node("api", &arguments).await, cluster.key.clone());
    let third = Client::new(&_three, &third);
    let mut slow = new_task(&third.upload(&noise(640, 1)).await.unwrap(), "image/avif", json!({}));
    slow["data"]["attributes"]["callback_url"] = receiver.url("/slow").into();
    assert_eq!(client.post("/v1/tasks", &slow).await.unwrap().status(), StatusCode::CREATED);
    one.signal(Signal::KILL);
    delivered(&third, TASKS + 1).await;
    assert_eq!(receiver.received().len(), TASKS + 1);
}
