//! The service with its rows in PostgreSQL: keys without a data folder, conversions, rotation of the signing keys, recovery by lease, and
//! lost connections.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

mod postgres;
mod service;

use std::path::PathBuf;

use reqwest::StatusCode;
use rustix::process::Signal;
use serde_json::{Value, json};
use service::{Client, Service, eventually, noise, read_log};
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;
use tokio::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_filepress-server");

struct Setup {
    url: String,
    key: String,
    folder: TempDir,
}

impl Setup {
    async fn new() -> Self {
        let url = postgres::server().database().await;
        let key = command(&["keys", "create", "--email", "one@example.org", "--database", &url]).await;
        Self { url, key, folder: tempfile::tempdir().unwrap() }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    async fn start(&self) -> (Service, Client) {
        let service = Service::start(&self.data(), &["--database", &self.url, "--lease", "3s"]).await;
        let client = Client::new(&service, &self.key);
        (service, client)
    }
}

/// What a command of the operator prints.
async fn command(arguments: &[&str]) -> String {
    let output = Command::new(BINARY).args(arguments).output().await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// The link to a task's output, once there is one.
async fn output(client: &Client, task: &str) -> Value {
    let task = client.ended(task).await;
    assert_eq!(task["data"]["attributes"]["status"], "COMPLETED", "{task}");
    task["data"]["links"]["download"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_converted_and_links_outlive_the_key_that_signed_them() {
    let setup = Setup::new().await;
    let (service, client) = setup.start().await;
    let input = client.upload(&noise(24, 1)).await.unwrap();
    let task = client.convert(&input, "image/png", json!({})).await.unwrap();
    let before = output(&client, &task).await;
    let bytes = client.download(&before).await;
    assert_eq!(bytes[..4], *b"\x89PNG");
    assert!(
        !setup.data().join("filepress.sqlite").exists() && !setup.data().join("signing-keys.json").exists()
    );

    let data = setup.data();
    let rotate = ["signing", "rotate", "--database", &setup.url, "--data", data.to_str().unwrap()];
    assert_eq!(command(&rotate).await, "rotated the signing key");
    let after = eventually(async || {
        let after = output(&client, &task).await;
        let key = |url: &Value| url.as_str().unwrap().split("kid=").nth(1).unwrap()[..8].to_owned();
        (key(&after) != key(&before)).then_some(after)
    })
    .await;
    assert_eq!(client.download(&after).await, bytes);
    assert_eq!(client.download(&before).await, bytes);
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());
    assert!(!read_log(&data).contains(&setup.url), "the password is in the log");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_task_of_a_killed_process_is_done_when_its_lease_ends() {
    let setup = Setup::new().await;
    let (service, client) = setup.start().await;
    let task = client.long_work().await.unwrap();
    service.signal(Signal::KILL);
    assert!(!service.ended().await.success());
    let (_service, client) = setup.start().await;
    output(&client, &task).await;
    let task = client.get(&format!("/v1/tasks/{task}")).await.unwrap();
    assert_eq!(task["data"]["attributes"]["processing_metadata"]["attempt"], 2);
    assert!(!read_log(&setup.data()).contains("returned tasks to the queue"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_connections_are_a_temporary_error_at_most() {
    let setup = Setup::new().await;
    let (_service, client) = setup.start().await;
    let input = client.upload(&noise(24, 1)).await.unwrap();
    let mut operator = PgConnection::connect(&setup.url).await.unwrap();
    for round in 0..5 {
        sqlx::query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
            .execute(&mut operator)
            .await
            .unwrap();
        let task = eventually(async || {
            let document = service::new_task(&input, "image/png", json!({}));
            let answer = client.post("/v1/tasks", &document).await.unwrap();
            if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
                assert!(answer.headers().contains_key("retry-after"));
                assert!(answer.text().await.unwrap().contains("storage_unavailable"));
                return None;
            }
            assert_eq!(answer.status(), StatusCode::CREATED, "round {round}");
            Some(answer.json::<Value>().await.unwrap()["data"]["id"].as_str().unwrap().to_owned())
        })
        .await;
        output(&client, &task).await;
    }
}
