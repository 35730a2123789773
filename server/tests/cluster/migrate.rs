//! `migrate`: from SQLite and a folder to PostgreSQL and S3, also when it is interrupted.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use futures_util::StreamExt;
use rustix::process::Signal;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tokio::process::Command;

use crate::service::{Client, Service, new_task, noise, text};
use crate::{postgres, s3, scaled, service};

/// How many files are uploaded, and how many at `FILEPRESS_SCALE=1`. Every second one is converted: with the outputs, those are 7,500
/// files and 2,500 tasks.
const FILES: (usize, usize) = (60, 5000);
const KILLS: usize = 3;

fn migrate(data: &Path, database: &str, store: &filepress_server::config::ObjectStoreConfig) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_filepress-server"));
    command
        .args(["migrate", "--database", database, "--blobs", &String::from(store.url.clone()), "--data"])
        .arg(data);
    command.envs(store.variables.iter().cloned()).kill_on_drop(true);
    command
}

/// What a client sees of its files and tasks, without links, which name a server.
async fn seen(client: &Client) -> Vec<Value> {
    let mut all = client.all("/v1/files").await;
    all.extend(client.all("/v1/tasks").await);
    for item in &mut all {
        item.as_object_mut().unwrap().retain(|name, _| ["id", "attributes"].contains(&name.as_str()));
    }
    all
}

/// Uploads a picture of 1 to 150 kB: its id and its bytes. Every second one is converted, with a callback that nobody takes: the id of the task.
async fn make(client: &Client, number: usize) -> ((String, Vec<u8>), Option<String>) {
    let picture = noise(20 + (number % 200) as u32, number as u32);
    let input = client.upload(&picture).await.unwrap();
    let task = match number % 2 {
        0 => {
            let mut task = new_task(&input, "image/png", json!({}));
            task["data"]["attributes"]["callback_url"] = format!("http://127.0.0.1:1/{number}").into();
            let answer = client.post("/v1/tasks", &task).await.unwrap().error_for_status().unwrap();
            Some(text(&answer.json::<Value>().await.unwrap()["data"]["id"]))
        }
        _ => None,
    };
    ((input, picture), task)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_there_after_a_migration_that_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let key = service::key(&data).await;
    let many = ["--max-pending-per-user", "10000", "--max-callbacks-per-user", "10000"];
    let arguments = [&many[..], &["--allow-private-callbacks", "true"]].concat();
    let service = Service::start(&data, &arguments).await;
    let client = Client::new(&service, &key);
    let files = scaled(FILES.0, FILES.1);
    let made = futures_util::stream::iter(0..files).map(|number| make(&client, number)).buffered(4);
    let (pictures, tasks): (Vec<_>, Vec<_>) = made.unzip().await;
    let tasks: Vec<String> = tasks.into_iter().flatten().collect();
    for task in &tasks {
        client.ended(task).await;
    }
    let before = seen(&client).await;
    let link =
        client.get(&format!("/v1/files/{}", pictures[0].0)).await.unwrap()["data"]["links"]["download"]
            .take();
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());

    let (database, objects) = (postgres::server().database().await, s3::Server::start().await);
    let store = objects.config();
    let contents = files + tasks.len();
    for part in 1..=KILLS {
        let mut running = migrate(&data, &database, &store).stdout(Stdio::null()).spawn().unwrap();
        // Early, and at once: most is still to come.
        while objects.objects() < contents * part / 8 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        running.kill().await.unwrap();
        assert!(objects.objects() < contents, "it was not interrupted");
    }
    let output = migrate(&data, &database, &store).output().await.unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let counts: Vec<(&str, usize)> = printed
        .lines()
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(name, count)| (name.trim_end(), count.parse().unwrap()))
        .collect();
    let count = |name: &str| counts.iter().find(|(other, _)| *other == name).unwrap().1;
    assert_eq!(
        (count("users"), count("keys"), count("files"), count("tasks"), count("callbacks")),
        (1, 1, contents, tasks.len(), tasks.len())
    );
    assert_eq!(count("contents copied") + count("contents there before"), contents);
    assert!(count("contents copied") > 0 && count("contents there before") > 0);
    assert_eq!(count("contents missing"), 0);

    let url = String::from(store.url.clone());
    let arguments = ["--database", &database, "--blobs", &url];
    let service = Service::start_with(&folder.path().join("new"), &arguments, &store.variables).await;
    let client = Client::new(&service, &key);
    assert_eq!(seen(&client).await, before);
    for (id, picture) in &pictures {
        let file = client.get(&format!("/v1/files/{id}")).await.unwrap();
        assert!(client.download(&file["data"]["links"]["download"]).await == *picture);
    }
    // A link from before, at the new address.
    let (_, path) = link.as_str().unwrap().split_once("/v1/").unwrap();
    assert!(client.download(&Value::from(format!("{}/v1/{path}", client.url))).await == pictures[0].1);
    let another = client.upload(&pictures[0].1).await.unwrap();
    let task = client.convert(&another, "image/png", json!({})).await.unwrap();
    assert_eq!(client.ended(&task).await["data"]["attributes"]["status"], "COMPLETED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_contradict_those_of_the_target_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    service::key(&data).await;
    let (database, objects) = (postgres::server().database().await, s3::Server::start().await);
    // Somebody else with the same address.
    service::key_in(&database).await;
    let output = migrate(&data, &database, &objects.config()).output().await.unwrap();
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("1 rows of users contradict rows that are in the target already"), "{error}");
    let mut connection = PgConnection::connect(&database).await.unwrap();
    let keys: i64 = sqlx::query_scalar("SELECT count(*) FROM keys").fetch_one(&mut connection).await.unwrap();
    assert_eq!(keys, 1);

    // The same row in another state, as when the target is served already.
    let database = postgres::server().database().await;
    assert!(migrate(&data, &database, &objects.config()).status().await.unwrap().success());
    let mut connection = PgConnection::connect(&database).await.unwrap();
    sqlx::query("UPDATE keys SET revoked_at = 1").execute(&mut connection).await.unwrap();
    let output = migrate(&data, &database, &objects.config()).output().await.unwrap();
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("1 rows of keys contradict rows that are in the target already"), "{error}");
}

/// Whoever tries the target before the migration gives it keys of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signed_urls_stay_valid_if_the_target_has_signed_some_too() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let key = service::key(&data).await;
    let service = Service::start(&data, &[]).await;
    let client = Client::new(&service, &key);
    let picture = noise(20, 1);
    let file = client.upload(&picture).await.unwrap();
    let link = client.get(&format!("/v1/files/{file}")).await.unwrap()["data"]["links"]["download"].take();
    let (_, path) = link.as_str().unwrap().split_once("/v1/").unwrap();
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());

    let (database, objects) = (postgres::server().database().await, s3::Server::start().await);
    let (store, new) = (objects.config(), folder.path().join("new"));
    let url = String::from(store.url.clone());
    let arguments = ["--database", &database, "--blobs", &url];
    let service = Service::start_with(&new, &arguments, &store.variables).await;
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());

    let mut connection = PgConnection::connect(&database).await.unwrap();
    let mut keys = Vec::new();
    for _ in 0..2 {
        assert!(migrate(&data, &database, &store).status().await.unwrap().success());
        let document = sqlx::query_scalar::<_, String>("SELECT document FROM signing_keys");
        keys.push(document.fetch_one(&mut connection).await.unwrap());
    }
    assert!(keys[0] == keys[1], "the second time there is nothing to add");
    let service = Service::start_with(&new, &arguments, &store.variables).await;
    let client = Client::new(&service, &key);
    assert!(client.download(&Value::from(format!("{}/v1/{path}", client.url))).await == picture);
}
