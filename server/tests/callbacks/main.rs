//! Callbacks from outside: the real binary calls a real HTTP server, which fails, is slow, answers too much or redirects; and is killed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

mod addresses;
mod deliveries;
mod hostile;
mod kills;
#[path = "../receiver/mod.rs"]
mod receiver;
#[path = "../service/mod.rs"]
mod service;

use std::path::PathBuf;

use serde_json::{Value, json};
use service::{Client, Service, key, new_task, noise, text};
use tempfile::TempDir;

/// Settings with which the receivers of tests can be called, soon again after a failure.
const LOCAL: [&str; 4] = ["--allow-private-callbacks", "true", "--callback-pause", "50ms"];

/// A service with a key.
struct Running {
    _folder: TempDir,
    data: PathBuf,
    service: Service,
    client: Client,
    key: String,
}

impl Running {
    async fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[]).await
    }

    async fn start_with(arguments: &[&str], variables: &[(String, String)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let key = key(&data).await;
        let service = Service::start_with(&data, arguments, variables).await;
        let client = Client::new(&service, &key);
        Self { _folder: folder, data, service, client, key }
    }

    /// Starts it anew after it was killed.
    async fn restart(&mut self, arguments: &[&str]) {
        self.service = Service::start(&self.data, arguments).await;
        self.client = Client::new(&self.service, &self.key);
    }

    /// The secret of its user.
    async fn secret(&self) -> String {
        service::callback_secret(&self.data, &[]).await
    }
}

/// A task that calls a URL when it has ended.
fn task_calling(input: &str, url: &str) -> Value {
    let mut document = new_task(input, "image/png", json!({}));
    document["data"]["attributes"]["callback_url"] = url.into();
    document
}

/// Converts a picture with a callback: the id of the task.
async fn convert(client: &Client, url: &str) -> String {
    let input = client.upload(&noise(16, 1)).await.unwrap();
    let answer = client.post("/v1/tasks", &task_calling(&input, url)).await.unwrap();
    let task: Value = answer.error_for_status().unwrap().json().await.unwrap();
    assert_eq!(task["data"]["attributes"]["callback_url"], url);
    text(&task["data"]["id"])
}

/// How far the callback of a task is, once it has this status.
async fn callback(client: &Client, task: &str, status: &str) -> Value {
    service::eventually(async || {
        let task = client.get(&format!("/v1/tasks/{task}")).await.unwrap();
        let callback = &task["data"]["meta"]["callback"];
        (callback["status"] == status).then(|| callback.clone())
    })
    .await
}
