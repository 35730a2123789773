//! The servers of the kill test, and what happens to them.

use std::time::Duration;

use rustix::process::Signal;
use sqlx::{Connection, FromRow, PgConnection};
use tokio::time::{sleep, timeout};

use crate::balancer::Balancer;
use crate::proxy::Proxy;
use crate::service::{Service, eventually, read_log};
use crate::{Cluster, postgres, scaled};

/// How often each event happens, and how often at `FILEPRESS_SCALE=1`, where 60 servers are killed.
const EVENTS: [(Event, usize, usize); 5] = [
    (Event::Api, 2, 20),
    (Event::Worker, 4, 40),
    (Event::Postgres, 1, 5),
    (Event::Objects, 1, 5),
    (Event::Cut, 1, 10),
];
pub(crate) const APIS: usize = 2;
/// The first one is connected to the database by a line that can be cut.
pub(crate) const WORKERS: usize = 3;
const LEASE: Duration = Duration::from_secs(2);
/// An event that should hit a task under way does not wait longer for one.
const MAX_WAIT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Event {
    Api,
    Worker,
    Postgres,
    Objects,
    Cut,
}

/// Numerical Recipes' linear congruential generator.
pub(crate) struct Random(pub(crate) u32);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % end
    }
}

/// All events, in a random order.
pub(crate) fn events(random: &mut Random) -> Vec<Event> {
    let mut events = Vec::new();
    for (event, few, whole) in EVENTS {
        events.extend(vec![event; scaled(few, whole)]);
    }
    for index in (1..events.len()).rev() {
        events.swap(index, random.below(index + 1));
    }
    events
}

/// The servers.
pub(crate) struct Nodes {
    pub(crate) cluster: Cluster,
    postgres: postgres::Server,
    line: Proxy,
    pub(crate) apis: Vec<Service>,
    pub(crate) workers: Vec<Service>,
}

impl Nodes {
    pub(crate) async fn start() -> Self {
        let postgres = postgres::Server::start();
        let cluster = Cluster::at(&postgres).await;
        let line = Proxy::to(postgres.port).await;
        let mut nodes = Self { cluster, postgres, line, apis: Vec::new(), workers: Vec::new() };
        for index in 0..APIS {
            nodes.apis.push(nodes.api(index).await);
        }
        for index in 0..WORKERS {
            nodes.workers.push(nodes.worker(index).await);
        }
        nodes
    }

    pub(crate) async fn api(&self, index: usize) -> Service {
        let arguments = ["--max-pending-per-user", "2000"];
        self.cluster.start(index, "api", &self.cluster.database, &arguments).await
    }

    async fn worker(&self, index: usize) -> Service {
        let (port, line) = (format!(":{}/", self.postgres.port), format!(":{}/", self.line.port));
        let database = &self.cluster.database;
        let database = if index == 0 { database.replace(&port, &line) } else { database.clone() };
        let lease = format!("{}s", LEASE.as_secs());
        let arguments = ["--lease", &lease, "--image-workers", "1", "--heavy-workers", "0"];
        self.cluster.start(APIS + index, "worker", &database, &arguments).await
    }

    pub(crate) fn logs(&self) -> Vec<String> {
        (0..APIS + WORKERS)
            .map(|number| read_log(&self.cluster.folder.path().join(number.to_string())))
            .collect()
    }

    pub(crate) async fn happen(&mut self, event: Event, random: &mut Random, balancer: &Balancer) {
        match event {
            Event::Api => {
                let index = random.below(APIS);
                sleep(Duration::from_millis(random.below(200) as u64)).await;
                kill(&self.apis[index]).await;
                self.apis[index] = self.api(index).await;
                balancer.moved(index, &self.apis[index].url);
            }
            Event::Worker => {
                let index = self.busy_worker(random.below(WORKERS)).await;
                kill(&self.workers[index]).await;
                self.workers[index] = self.worker(index).await;
            }
            Event::Postgres => tokio::task::block_in_place(|| self.postgres.crash()),
            Event::Objects => {
                self.cluster.objects.kill().await;
                self.cluster.objects.resume().await;
            }
            Event::Cut => {
                let worker = self.workers[0].id();
                let _ = timeout(MAX_WAIT, self.until_busy(&[worker])).await;
                self.line.cut();
                sleep(LEASE * 2).await;
                self.line.mend(random.below(2) == 0);
            }
        }
    }

    /// A worker that has a task which no other one has lost before: a task that is lost three times fails.
    async fn busy_worker(&self, otherwise: usize) -> usize {
        let workers: Vec<u32> = self.workers.iter().map(Service::id).collect();
        timeout(MAX_WAIT, self.until_busy(&workers)).await.unwrap_or(otherwise)
    }

    /// The first of these processes that has such a task.
    async fn until_busy(&self, processes: &[u32]) -> usize {
        loop {
            let claims: Vec<(String, i64)> =
                rows(&self.cluster.database, "SELECT worker, faults FROM tasks WHERE worker IS NOT NULL")
                    .await;
            let busy = processes.iter().position(|process| {
                // A worker is named after its machine and its process.
                let name = format!(" {process} ");
                let mut own = claims.iter().filter(|(worker, _)| worker.contains(&name)).peekable();
                own.peek().is_some() && own.all(|(_, faults)| *faults == 0)
            });
            if let Some(index) = busy {
                return index;
            }
            sleep(Duration::from_millis(5)).await;
        }
    }
}

async fn kill(service: &Service) {
    service.signal(Signal::KILL);
    let folder = format!("/proc/{}/fd/0", service.id());
    // What it had open is closed when it is gone.
    eventually(async || (!std::path::Path::new(&folder).exists()).then_some(())).await;
}

/// What a query finds, once the database answers.
pub(crate) async fn rows<T>(database: &str, query: &str) -> Vec<T>
where
    T: Send + Unpin + for<'r> FromRow<'r, sqlx::postgres::PgRow>,
{
    eventually(async || {
        let mut connection = PgConnection::connect(database).await.ok()?;
        sqlx::query_as(query).fetch_all(&mut connection).await.ok()
    })
    .await
}
