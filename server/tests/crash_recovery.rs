//! Kills the service at random moments: accepted tasks complete once, and no files are orphaned.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

mod service;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use filepress_server::config::database;
use filepress_server::store::Store;
use reqwest::StatusCode;
use rustix::process::Signal;
use serde_json::json;
use service::seed::seed;
use service::{Client, Service, blobs, eventually, key, new_file, new_task, noise, read_log, text};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

const TASKS: usize = 200;
const KILLS: usize = 20;
const OUTPUTS: [&str; 4] = ["image/png", "image/webp", "image/jpeg", "image/qoi"];
/// A kill comes at some time within this after the service accepts requests.
const WITHIN: u64 = 400;

/// Uploads and queues until there are that many tasks, or the service is gone. Whatever was cut off is asked for again.
async fn order(client: &Client, tasks: &mut Vec<String>, until: usize) -> reqwest::Result<()> {
    while tasks.len() < until {
        let (number, output) = (tasks.len() / OUTPUTS.len(), tasks.len() % OUTPUTS.len());
        let seed = number as u32;
        let picture = noise(24 + seed, seed);
        let file = client.once("/v1/files", &new_file(picture.len()), &format!("file {number}")).await?;
        // Asked for again, a file that has its bytes has no link for them.
        if let Some(upload) = file["data"]["links"]["upload"].as_str() {
            let put = client.put(upload, &picture).await?.status();
            assert!([StatusCode::CREATED, StatusCode::CONFLICT].contains(&put), "{put}");
        }
        let task = new_task(&text(&file["data"]["id"]), OUTPUTS[output], json!({}));
        let task = client.once("/v1/tasks", &task, &format!("task {}", tasks.len())).await?;
        tasks.push(text(&task["data"]["id"]));
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_task_completes_once_although_the_service_is_killed_repeatedly() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let arguments = ["--max-pending-per-user", "1000"];
    let mut tasks = Vec::new();
    let mut state = seed(1) as u32;
    for round in 1..=KILLS {
        let service = Service::start(data, &arguments).await;
        let client = Client::new(&service, &key);
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let moment = tokio::time::sleep(Duration::from_millis(u64::from(state >> 16) % WITHIN));
        let work = async {
            order(&client, &mut tasks, round * TASKS / KILLS).await.unwrap();
            std::future::pending::<()>().await
        };
        tokio::select! { () = moment => {}, () = work => {} }
        service.signal(Signal::KILL);
        assert!(!service.ended().await.success());
    }

    // One more, which is sure to come while a task is worked at.
    let service = Service::start(data, &arguments).await;
    let client = Client::new(&service, &key);
    order(&client, &mut tasks, TASKS).await.unwrap();
    tasks.push(client.long_work().await.unwrap());
    service.signal(Signal::KILL);
    assert!(!service.ended().await.success());

    let service = Service::start(data, &arguments).await;
    let client = Client::new(&service, &key);
    for task in &tasks {
        client.ended(task).await;
    }
    assert!(read_log(data).contains("returned tasks to the queue"));
    let blobs_in_use = check(&client, data, &tasks).await;
    // Whatever the killed ones left is swept as the next one starts.
    eventually(async || (BTreeSet::from_iter(blobs(data)) == blobs_in_use).then_some(())).await;
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());
    for half in ["incoming", "scratch"] {
        assert_eq!(std::fs::read_dir(data.join(half)).unwrap().count(), 0, "{half}");
    }
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(database(data));
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&pool).await.unwrap();
    assert_eq!(sound, "ok");
}

/// That every task, and no other, has its one output with its bytes. Gives the blobs of all files.
async fn check(client: &Client, data: &Path, tasks: &[String]) -> BTreeSet<String> {
    let all = client.all("/v1/tasks").await;
    let known: BTreeSet<_> = all.iter().map(|task| text(&task["id"])).collect();
    assert_eq!(known, tasks.iter().cloned().collect());
    assert_eq!(known.len(), TASKS + 1);
    let mut outputs = BTreeSet::new();
    for task in &all {
        assert_eq!(task["attributes"]["status"], "COMPLETED", "{task}");
        assert!(outputs.insert(text(&task["relationships"]["output"]["data"]["id"])));
    }
    let files = client.all("/v1/files").await;
    assert_eq!(files.len(), known.len() + TASKS / OUTPUTS.len() + 1);
    assert!(outputs.is_subset(&files.iter().map(|file| text(&file["id"])).collect()));
    let store = Store::open(&database(data)).await.unwrap();
    let mut owned = BTreeSet::new();
    for file in &files {
        let bytes = client.download(&file["links"]["download"]).await;
        assert_eq!(file["attributes"]["size"], bytes.len());
        owned.extend(store.file_by_id(&text(&file["id"])).await.unwrap().unwrap().blob);
    }
    owned
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_canceled_right_before_a_crash_stays_canceled() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let service = Service::start(data, &["--image-workers", "1"]).await;
    let client = Client::new(&service, &key);
    let running = client.long_work().await.unwrap();
    let input = client.upload(&noise(1000, 2)).await.unwrap();
    let waiting = client.convert(&input, "image/avif", json!({ "effort": 6 })).await.unwrap();
    for task in [&running, &waiting] {
        assert_eq!(client.cancel(task).await.unwrap().status(), StatusCode::OK);
    }
    assert_eq!(client.delete(&format!("/v1/files/{input}")).await.unwrap().status(), StatusCode::NO_CONTENT);
    service.signal(Signal::KILL);
    assert!(!service.ended().await.success());

    let service = Service::start(data, &[]).await;
    let client = Client::new(&service, &key);
    // Whatever the queue still holds comes before this one.
    let input = client.upload(&noise(16, 3)).await.unwrap();
    client.ended(&client.convert(&input, "image/png", json!({})).await.unwrap()).await;
    for task in [&running, &waiting] {
        let attributes = &client.get(&format!("/v1/tasks/{task}")).await.unwrap()["data"]["attributes"];
        assert_eq!(attributes["status"], "FAILED");
        assert_eq!(attributes["processing_metadata"]["error"]["code"], "canceled");
    }
    assert_eq!(client.all("/v1/files").await.len(), 3);
    eventually(async || (blobs(data).len() == 3).then_some(())).await;
}

/// The document that a killed process had begun is not continued but made anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_of_several_images_is_whole_although_the_service_is_killed() {
    const PAGES: u32 = 40;
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let service = Service::start(data, &["--heavy-workers", "1"]).await;
    let client = Client::new(&service, &key);
    let mut inputs = Vec::new();
    for page in 1..=PAGES {
        inputs.push(client.upload(&noise(200 + page, page)).await.unwrap());
    }
    let task = client.once("/v1/tasks", &combined(&inputs), "document").await.unwrap();
    let task = text(&task["data"]["id"]);
    eventually(async || {
        let now = client.get(&format!("/v1/tasks/{task}")).await.unwrap();
        let progress = now["data"]["attributes"]["processing_metadata"]["progress"].as_f64();
        let scratch = std::fs::read_dir(data.join("scratch")).unwrap().flatten();
        let begun = scratch.filter_map(|entry| std::fs::metadata(entry.path().join("work/output.pdf")).ok());
        (begun.count() > 0 && progress.is_some_and(|progress| progress < 1.0)).then_some(())
    })
    .await;
    service.signal(Signal::KILL);
    assert!(!service.ended().await.success());

    let service = Service::start(data, &["--heavy-workers", "1"]).await;
    let client = Client::new(&service, &key);
    let again = client.once("/v1/tasks", &combined(&inputs), "document").await.unwrap();
    assert_eq!(again["data"]["id"], task);
    let ended = client.ended(&task).await;
    let attributes = &ended["data"]["attributes"];
    assert_eq!(attributes["status"], "COMPLETED", "{ended}");
    assert_eq!(attributes["processing_metadata"]["attempt"], 2);
    assert_eq!(attributes["processing_metadata"]["output"]["pages"], PAGES);
    let output = &ended["data"]["links"]["download"];
    let document = client.download(output).await;
    let pages = document.windows(11).filter(|window| *window == b"/Type /Page").count();
    // The tree of the pages begins alike.
    assert_eq!(pages, PAGES as usize + 1);
    assert_eq!(client.all("/v1/files").await.len(), PAGES as usize + 1);
    eventually(async || (blobs(data).len() == PAGES as usize + 1).then_some(())).await;
}

/// A task that makes one document of these files.
fn combined(inputs: &[String]) -> serde_json::Value {
    let inputs: Vec<_> = inputs.iter().map(|id| json!({ "type": "files", "id": id })).collect();
    json!({ "data": {
        "type": "tasks",
        "attributes": { "format": { "output": "application/pdf" } },
        "relationships": { "inputs": { "data": inputs } },
    } })
}

/// Stops the service's process while it holds no lock of the database: a lock of a stopped process would never be freed.
async fn suspend_between_transactions(service: &Service, data: &Path) {
    let options = SqliteConnectOptions::new().filename(database(data)).busy_timeout(Duration::from_secs(30));
    let mut connection = options.connect().await.unwrap();
    let transaction = connection.begin_with("BEGIN IMMEDIATE").await.unwrap();
    service.signal(Signal::STOP);
    transaction.rollback().await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_suspended_past_its_lease_writes_nothing() {
    use filepress_server::clock::{Clock, SystemClock};
    use filepress_server::store::records::Lane;

    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let service = Service::start(data, &["--lease", "2s", "--image-workers", "1"]).await;
    let client = Client::new(&service, &key);
    let task = client.long_work().await.unwrap();
    let store = Store::open(&database(data)).await.unwrap();
    suspend_between_transactions(&service, data).await;

    let lease = Duration::from_secs(600);
    let claim = eventually(async || {
        store.claim(Lane::Image, "another", false, lease, None, SystemClock.now()).await.unwrap()
    })
    .await;
    assert_eq!((claim.task.id.as_str(), claim.task.attempt), (task.as_str(), 2));
    service.signal(Signal::CONT);
    eventually(async || read_log(data).contains("fenced").then_some(())).await;

    let seen = store.task(&claim.task.user, &task).await.unwrap().unwrap();
    assert_eq!(seen, claim.task);
    assert_eq!(blobs(data), [claim.input.blob.clone().unwrap()]);
    // Whoever holds the claim goes on undisturbed.
    assert!(store.release(&claim, SystemClock.now()).await.unwrap());
    let ended = client.ended(&task).await;
    assert_eq!(ended["data"]["attributes"]["status"], "COMPLETED");
    assert_eq!(ended["data"]["attributes"]["processing_metadata"]["attempt"], 3);
    assert_eq!(client.all("/v1/files").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopping_service_returns_its_tasks_to_the_queue() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let service = Service::start(data, &["--stop-grace", "0s"]).await;
    let client = Client::new(&service, &key);
    let task = client.long_work().await.unwrap();
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());
    assert!(read_log(data).contains("released"));
    assert_eq!(std::fs::read_dir(data.join("scratch")).unwrap().count(), 0);

    let service = Service::start(data, &[]).await;
    let ended = Client::new(&service, &key).ended(&task).await;
    assert_eq!(ended["data"]["attributes"]["status"], "COMPLETED");
    assert_eq!(ended["data"]["attributes"]["processing_metadata"]["attempt"], 2);
}
