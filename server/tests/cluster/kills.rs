//! Servers of both roles, the database and the object store are killed while they work, and a worker is cut off from the database for
//! longer than its lease: every task ends once, with a whole output, and nothing is left behind.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::balancer::Balancer;
use crate::nodes::{APIS, Nodes, Random, WORKERS, events, rows};
use crate::scaled;
use crate::service::seed::seed;
use crate::service::{eventually, new_file, new_task, noise, text};

/// How many tasks there are, and how many at `FILEPRESS_SCALE=1`.
const TASKS: (usize, usize) = (60, 1000);
const PICTURES: usize = 10;
const OUTPUTS: [&str; 5] = ["image/png", "image/webp", "image/avif", "image/qoi", "image/avif"];
const CLIENTS: usize = 4;

/// What the clients and the events know of each other.
struct Work {
    balancer: Balancer,
    pictures: Vec<Vec<u8>>,
    tasks: usize,
    events: usize,
    next: AtomicUsize,
    ordered: AtomicUsize,
    happened: AtomicUsize,
    /// The ids of the input file and of the task, by the number of the task.
    made: Mutex<BTreeMap<usize, (String, String)>>,
}

impl Work {
    /// A client: uploads and orders while there is something left. No more than the tasks of one event are ordered before that event.
    async fn order(&self) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.tasks {
                return;
            }
            while number * self.events >= (self.happened.load(Ordering::Relaxed) + 1) * self.tasks {
                sleep(Duration::from_millis(20)).await;
            }
            let picture = &self.pictures[number % PICTURES];
            let file =
                self.balancer.create("/v1/files", &new_file(picture.len()), &format!("file {number}")).await;
            let input = text(&file["data"]["id"]);
            if let Some(link) = file["data"]["links"]["upload"].as_str() {
                self.balancer.upload(link, picture).await;
            }
            let new = new_task(&input, output_type(number), json!({}));
            let task = self.balancer.create("/v1/tasks", &new, &format!("task {number}")).await;
            self.made.lock().unwrap().insert(number, (input, text(&task["data"]["id"])));
            self.ordered.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until half of the tasks before an event are there.
    async fn until(&self, event: usize) {
        while self.ordered.load(Ordering::Relaxed) * self.events < event * self.tasks + self.tasks / 2 {
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// A task when it has ended.
    async fn ended(&self, task: &str) -> Value {
        eventually(async || {
            let task = self.balancer.get(&format!("/v1/tasks/{task}")).await["data"].take();
            let ended = ["COMPLETED", "FAILED"].contains(&task["attributes"]["status"].as_str().unwrap());
            ended.then_some(task)
        })
        .await
    }
}

/// Every picture and type several times, if there are enough tasks.
fn output_type(number: usize) -> &'static str {
    OUTPUTS[(number + number / PICTURES) % OUTPUTS.len()]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_task_ends_once_whatever_is_killed() {
    let mut random = Random(seed(7) as u32);
    let mut nodes = Nodes::start().await;
    let events = events(&mut random);
    let urls = nodes.apis.iter().map(|api| api.url.clone()).collect();
    let work = Arc::new(Work {
        balancer: Balancer::new(urls, &nodes.cluster.key),
        pictures: (0..PICTURES as u32).map(|number| noise(150 + 17 * number, number)).collect(),
        tasks: scaled(TASKS.0, TASKS.1),
        events: events.len(),
        next: AtomicUsize::new(0),
        ordered: AtomicUsize::new(0),
        happened: AtomicUsize::new(0),
        made: Mutex::new(BTreeMap::new()),
    });
    let mut clients: JoinSet<()> = (0..CLIENTS)
        .map(|_| {
            let work = Arc::clone(&work);
            async move { work.order().await }
        })
        .collect();
    let ordering = async {
        while let Some(client) = clients.join_next().await {
            client.unwrap();
        }
    };
    let killing = async {
        for (index, event) in events.iter().enumerate() {
            work.until(index).await;
            nodes.happen(*event, &mut random, &work.balancer).await;
            work.happened.fetch_add(1, Ordering::Relaxed);
        }
    };
    tokio::join!(ordering, killing);
    check(&nodes, &work).await;
    finish(nodes, &work).await;
}

/// That every task, and no other, has ended with an output of its own, and that all bytes are what they should be.
async fn check(nodes: &Nodes, work: &Work) {
    let made = work.made.lock().unwrap().clone();
    let database = &nodes.cluster.database;
    let mut outputs = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for (number, (input, task)) in &made {
        let ended = work.ended(task).await;
        assert_eq!(ended["attributes"]["status"], "COMPLETED", "{ended}");
        let bytes = work.balancer.download(&text(&ended["links"]["download"])).await;
        let same = outputs.entry((number % PICTURES, output_type(*number))).or_insert_with(|| bytes.clone());
        assert!(bytes == *same, "the output of {task} is another one than that of the same picture");
        let id = text(&ended["relationships"]["output"]["data"]["id"]);
        ids.extend([(id, hash(&bytes)), (input.clone(), hash(&work.pictures[number % PICTURES]))]);
    }
    assert_eq!(made.len(), work.tasks);
    let stored: Vec<(String, String)> = rows(database, "SELECT id, sha256 FROM files").await;
    assert_eq!(BTreeSet::from_iter(stored), ids);
    assert_eq!(ids.len(), 2 * work.tasks);
    let known: Vec<(String,)> = rows(database, "SELECT id FROM tasks").await;
    let known: BTreeSet<String> = known.into_iter().map(|(id,)| id).collect();
    assert_eq!(known, made.values().map(|(_, task)| task.clone()).collect());
    for (input, _) in made.values() {
        let file = work.balancer.get(&format!("/v1/files/{input}")).await;
        let bytes = work.balancer.download(&text(&file["data"]["links"]["download"])).await;
        assert!(ids.contains(&(input.clone(), hash(&bytes))));
    }
    let again: Vec<(i64, i64)> =
        rows(database, "SELECT CAST(sum(attempt - 1) AS bigint), CAST(sum(faults) AS bigint) FROM tasks")
            .await;
    assert!(again[0].1 > 0, "no task was hit");
    let fenced = nodes.logs().iter().map(|log| log.matches("\"fenced\"").count()).sum::<usize>();
    let _ = writeln!(
        std::io::stderr(),
        "{} tasks; {} more attempts, {} after a worker was lost; {fenced} attempts fenced; {} requests without an answer, {} with 503",
        work.tasks,
        again[0].0,
        again[0].1,
        work.balancer.lost.load(Ordering::Relaxed),
        work.balancer.unavailable.load(Ordering::Relaxed),
    );
}

/// That the worker which was cut off works on, that all servers end in order, and that a sweep leaves no object without a row.
async fn finish(mut nodes: Nodes, work: &Work) {
    for other in nodes.workers.drain(1..) {
        other.signal(Signal::TERM);
        assert!(other.ended().await.success());
    }
    let last = new_task(&work.made.lock().unwrap()[&0].0, "image/png", json!({}));
    let last = work.balancer.create("/v1/tasks", &last, "the last task").await;
    let last = work.ended(&text(&last["data"]["id"])).await;
    assert_eq!(last["attributes"]["status"], "COMPLETED", "{last}");
    for server in nodes.workers.drain(..).chain(nodes.apis.drain(..)) {
        server.signal(Signal::TERM);
        assert!(server.ended().await.success());
    }
    for log in nodes.logs() {
        assert!(!log.contains("panicked"), "{log}");
    }
    for number in 0..APIS + WORKERS {
        for half in ["incoming", "scratch"] {
            let folder = nodes.cluster.folder.path().join(number.to_string()).join(half);
            assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{}", folder.display());
        }
    }
    let stored: Vec<(String,)> = rows(&nodes.cluster.database, "SELECT blob FROM files").await;
    let stored: BTreeSet<String> = stored.into_iter().map(|(blob,)| blob).collect();
    let before = nodes.cluster.objects.names();
    assert!(before.is_superset(&stored));
    let orphans = before.len() - stored.len();
    let _ = writeln!(std::io::stderr(), "{orphans} objects without a row before the sweep");
    // A server sweeps as it starts, what is older than an hour.
    nodes.cluster.objects.age(Duration::from_secs(3 * 3600));
    let _sweeper = nodes.api(0).await;
    eventually(async || (nodes.cluster.objects.names() == stored).then_some(())).await;
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
