//! Uploads that are too large to be kept until they are complete, through a server into an object store.

use std::time::Duration;

use filepress_server::clock::{Clock, SystemClock};
use filepress_server::store::{FileContent, Store, UploadResult};
use reqwest::header::RETRY_AFTER;
use reqwest::{Response, StatusCode};
use rustix::process::Signal;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::Cluster;
use crate::service::{Client, eventually};

const LONG: usize = 30_000_001;
/// More than is kept so that it can be sent again.
const HALF: usize = 20_000_000;

fn pattern() -> Vec<u8> {
    (0..LONG).map(|at| (at % 251) as u8 ^ (at / 251 % 241) as u8).collect()
}

/// A PUT that has sent so many bytes of [`LONG`], from a client that waits.
async fn begin(client: &Client, url: &str, bytes: usize) -> TcpStream {
    let (host, path) = (client.url.split_once("//").unwrap().1, url.split_once("/v1/").unwrap().1);
    let head = format!("PUT /v1/{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {LONG}\r\n\r\n");
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&pattern()[..bytes]).await.unwrap();
    stream
}

/// Waits until the store keeps so many files, notes of its own and parts included.
async fn keeps(cluster: &Cluster, files: usize) {
    let kept = async {
        while cluster.objects.kept().len() != files {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(120), kept).await.unwrap();
}

async fn sha256(client: &Client, id: &str) -> Value {
    client.get(&format!("/v1/files/{id}")).await.unwrap()["data"]["meta"]["sha256"].take()
}

/// The same PUT does it, and there is nothing but what it has stored.
async fn arrives(cluster: &Cluster, client: &Client, (id, url): (&str, &str)) {
    assert!(sha256(client, id).await.is_null());
    assert!(cluster.objects.names().is_empty());
    assert_eq!(client.put(url, &pattern()).await.unwrap().status(), StatusCode::CREATED);
    let expected: String = Sha256::digest(pattern()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(sha256(client, id).await, expected);
    assert_eq!(cluster.objects.names().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_vanishes_leaves_nothing() {
    let mut cluster = Cluster::new().await;
    let (_service, client) = cluster.api().await;
    let (id, url) = client.declare(LONG).await.unwrap();
    for bytes in [HALF, LONG - 1] {
        let stream = begin(&client, &url, bytes).await;
        keeps(&cluster, 1).await;
        drop(stream);
        keeps(&cluster, 0).await;
    }
    // One that only says that no more comes is told how many came.
    let mut stream = begin(&client, &url, LONG - 1).await;
    stream.shutdown().await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 4") && answer.contains("size_mismatch"), "{answer}");
    keeps(&cluster, 0).await;
    arrives(&cluster, &client, (&id, &url)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_size_is_refused_before_the_store_hears_of_it() {
    let mut cluster = Cluster::new().await;
    let (_service, client) = cluster.api().await;
    let (id, url) = client.declare(LONG).await.unwrap();
    let longer = [&pattern()[..], b"x"].concat();
    for (bytes, status) in
        [(&longer[..LONG - 1], StatusCode::BAD_REQUEST), (&longer, StatusCode::PAYLOAD_TOO_LARGE)]
    {
        // The connection may end while the client is still sending.
        if let Ok(answer) = client.put(&url, bytes).await {
            assert_eq!(answer.status(), status);
        }
        assert_eq!(cluster.objects.kept().len(), 0);
    }
    arrives(&cluster, &client, (&id, &url)).await;
}

async fn is_unavailable(answer: Response) {
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.headers().contains_key(RETRY_AFTER));
    assert_eq!(answer.json::<Value>().await.unwrap()["errors"][0]["code"], "storage_unavailable");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_gives_up_is_unavailable() {
    let mut cluster = Cluster::new().await;
    cluster.objects.guard().await;
    let (_service, client) = cluster.api().await;
    let (id, url) = client.declare(LONG).await.unwrap();
    for (status, after) in [(503, HALF), (400, HALF), (503, LONG), (307, LONG)] {
        cluster.objects.refuse(StatusCode::from_u16(status).unwrap(), 1, after);
        is_unavailable(client.put(&url, &pattern()).await.unwrap()).await;
        assert_eq!(cluster.objects.to_refuse(), 0);
    }
    arrives(&cluster, &client, (&id, &url)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_is_killed_is_unavailable() {
    let mut cluster = Cluster::new().await;
    let (_service, client) = cluster.api().await;
    let (id, url) = client.declare(LONG).await.unwrap();
    let mut stream = begin(&client, &url, HALF).await;
    keeps(&cluster, 1).await;
    cluster.objects.kill().await;
    // The server may answer before it has everything.
    let _ = stream.write_all(&pattern()[HALF..]).await;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("retry-after"), "{answer}");
    cluster.objects.resume().await;
    arrives(&cluster, &client, (&id, &url)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_leaves_no_object() {
    let mut cluster = Cluster::new().await;
    let (one, first) = cluster.api().await;
    let (_two, second) = cluster.api().await;
    let (id, url) = first.declare(LONG).await.unwrap();
    let stream = begin(&first, &url, HALF).await;
    keeps(&cluster, 1).await;
    one.signal(Signal::KILL);
    keeps(&cluster, 0).await;
    drop(stream);
    arrives(&cluster, &second, (&id, &url)).await;
}

/// A store dates an object that was sent in parts by the beginning of its upload, so that it is old as soon as it is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_object_that_is_recorded_during_a_sweep_stays() {
    let mut cluster = Cluster::new().await;
    let (_one, client) = cluster.api().await;
    let (file, _) = client.declare(3).await.unwrap();
    let names = [(); 2].map(|()| filepress_server::ids::uuid().unwrap());
    for name in &names {
        cluster.objects.plant(name, b"abc");
    }
    cluster.objects.age(Duration::from_secs(3 * 3600));
    let store = Store::connect(&cluster.database).await.unwrap();
    // A server sweeps as it starts.
    let _sweeper = cluster.api().await;
    let [blob, orphan] = names;
    let content = FileContent { blob: blob.clone(), size: 3, sha256: "ab".repeat(32), sniffed: None };
    let now = SystemClock.now();
    let kept = store.upload(&file, content, now.after(Duration::from_secs(3600)), now).await.unwrap();
    assert!(matches!(kept, UploadResult::Kept(_)), "{kept:?}");
    eventually(async || (!cluster.objects.names().contains(&orphan)).then_some(())).await;
    assert!(cluster.objects.names().contains(&blob));
}
