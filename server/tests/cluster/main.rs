//! Several servers as one service: some answer requests and some work, at one PostgreSQL database and one S3 store; and the way there.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

mod balancer;
mod commit;
mod direct;
mod kills;
mod migrate;
mod nodes;
#[path = "../postgres/mod.rs"]
mod postgres;
mod proxy;
#[path = "../receiver/mod.rs"]
mod receiver;
mod resumable;
mod roles;
#[path = "../s3/mod.rs"]
mod s3;
#[path = "../service/mod.rs"]
mod service;
mod upgrade;
mod uploads;

use serde_json::Value;
use service::{Client, Service};
use tempfile::TempDir;

/// A lease that no test waits for.
const LONG_LEASE: [&str; 2] = ["--lease", "10m"];

/// What the servers share.
struct Cluster {
    database: String,
    objects: s3::Server,
    key: String,
    folder: TempDir,
    nodes: usize,
}

impl Cluster {
    async fn new() -> Self {
        Self::at(postgres::server()).await
    }

    async fn at(postgres: &postgres::Server) -> Self {
        let database = postgres.database().await;
        let folder = tempfile::tempdir().unwrap();
        let key = service::key_in(&database).await;
        Self { database, objects: s3::Server::start().await, key, folder, nodes: 0 }
    }

    /// A new server.
    async fn node(&mut self, role: &str, arguments: &[&str]) -> Service {
        self.nodes += 1;
        self.start(self.nodes, role, &self.database, arguments).await
    }

    /// Starts the server with this number, which finds what an earlier one left in its folder. It may reach the database by another
    /// URL than others do.
    async fn start(&self, number: usize, role: &str, database: &str, arguments: &[&str]) -> Service {
        let data = self.folder.path().join(number.to_string());
        let store = self.objects.config();
        let url = String::from(store.url);
        let arguments = [&["--role", role, "--database", database, "--blobs", &url], arguments].concat();
        Service::start_with(&data, &arguments, &store.variables).await
    }

    async fn api(&mut self) -> (Service, Client) {
        let service = self.node("api", &[]).await;
        let client = Client::new(&service, &self.key);
        (service, client)
    }
}

/// How many cases a run makes: the share of `whole` that `FILEPRESS_SCALE` says, at least one; `few` where it says nothing.
#[allow(clippy::disallowed_methods, reason = "a test runs natively")]
fn scaled(few: usize, whole: usize) -> usize {
    let Ok(share) = std::env::var("FILEPRESS_SCALE") else { return few };
    ((whole as f64 * share.parse::<f64>().unwrap()).round() as usize).max(1)
}

/// The attributes of a task.
async fn task(client: &Client, task: &str) -> Value {
    client.get(&format!("/v1/tasks/{task}")).await.unwrap()["data"]["attributes"].take()
}
