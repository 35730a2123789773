//! A full disk: requests that need space get 503, existing files are not harmed, and service resumes when there is
//! space.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

mod service;

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use reqwest::StatusCode;
use rustix::process::Signal;
use serde_json::json;
use service::{Client, Service, eventually, new_file, new_task, noise, read_log, text};
use tempfile::TempDir;

const DISK: u64 = 32 << 20;

/// A server whose data directory is a disk of its own.
struct SmallDisk {
    _folder: TempDir,
    data: PathBuf,
    service: Service,
    client: Client,
}

impl SmallDisk {
    /// With so much as `min-free-disk`. `None` where the machine has no such disks.
    async fn keeping_free(least: &str) -> Option<Self> {
        if !Service::has_disks() {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let service = Service::start_on_disk(&data, DISK, &["--min-free-disk", least]).await;
        let client = Client::new(&service, &service.key(&data).await);
        Some(Self { _folder: folder, data, service, client })
    }
}

/// Fills the disk to its last byte.
fn fill(path: &Path) {
    let mut file = File::create(path).unwrap();
    for size in [1 << 16, 1] {
        let block = vec![0; size];
        loop {
            match file.write_all(&block) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::StorageFull => break,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_gives_503_and_loses_no_data() {
    let Some(SmallDisk { _folder, data, service, client }) = SmallDisk::keeping_free("0").await else {
        return;
    };
    let inside = &service.inside(&data);
    let picture = noise(64, 1);
    let input = client.upload(&picture).await.unwrap();
    let done = client.convert(&input, "image/png", json!({})).await.unwrap();
    client.ended(&done).await;
    let (waiting, upload) = client.declare(2_000_000).await.unwrap();

    let filler = &inside.join("filler");
    fill(filler);
    let refused = client.put(&upload, &vec![7; 2_000_000]).await.unwrap();
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(std::fs::read_dir(inside.join("incoming")).unwrap().count(), 0);

    // The log of the database has some room of its own; then there is none for a row either.
    let mut files = Vec::new();
    let refusal = loop {
        let answer = client.post("/v1/files", &new_file(3)).await.unwrap();
        match answer.status() {
            StatusCode::CREATED => files.push(answer.json::<serde_json::Value>().await.unwrap()),
            _ => break answer,
        }
    };
    assert_eq!(refusal.status(), StatusCode::SERVICE_UNAVAILABLE);
    let refusal: serde_json::Value = refusal.json().await.unwrap();
    assert_eq!(refusal["errors"][0]["code"], "disk_full");
    let refused = client.post("/v1/tasks", &new_task(&input, "image/webp", json!({}))).await.unwrap();
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);

    // What is there can be read.
    let ended = client.get(&format!("/v1/tasks/{done}")).await.unwrap();
    assert_eq!(ended["data"]["attributes"]["status"], "COMPLETED");
    let file = client.get(&format!("/v1/files/{input}")).await.unwrap();
    assert!(client.download(&file["data"]["links"]["download"]).await == picture);
    for file in files {
        client.get(&format!("/v1/files/{}", text(&file["data"]["id"]))).await.unwrap();
    }

    std::fs::remove_file(filler).unwrap();
    let kept = client.put(&upload, &vec![7; 2_000_000]).await.unwrap();
    assert_eq!(kept.status(), StatusCode::CREATED);
    let file = client.get(&format!("/v1/files/{waiting}")).await.unwrap();
    assert_eq!(client.download(&file["data"]["links"]["download"]).await.len(), 2_000_000);
    let task = client.convert(&input, "image/webp", json!({})).await.unwrap();
    assert_eq!(client.ended(&task).await["data"]["attributes"]["status"], "COMPLETED");
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());
}

/// The room that an upload found when it began is taken by others while it comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_stops_when_too_little_would_stay_free() {
    let Some(SmallDisk { _folder, data, service, client }) = SmallDisk::keeping_free("8MiB").await else {
        return;
    };
    let inside = &service.inside(&data);
    let (_, upload) = client.declare(8 << 20).await.unwrap();
    let incoming = || {
        let files = std::fs::read_dir(inside.join("incoming")).unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).collect::<Vec<_>>()
    };
    let (sender, body) = tokio::sync::mpsc::channel::<Result<Vec<u8>, std::io::Error>>(1);
    let body = futures_util::stream::unfold(body, async |mut body| Some((body.recv().await?, body)));
    let put = reqwest::Client::new().put(&upload).header("content-length", 8 << 20);
    let put = tokio::spawn(put.body(reqwest::Body::wrap_stream(body)).send());
    sender.send(Ok(vec![7; 4 << 20])).await.unwrap();
    eventually(async || (incoming().first()? > &(3 << 20)).then_some(())).await;
    let disk = rustix::fs::statvfs(inside).unwrap();
    let free = (disk.f_bavail * disk.f_frsize) as usize;
    std::fs::write(inside.join("filler"), vec![7; free - (7 << 20)]).unwrap();
    let _ = sender.send(Ok(vec![7; 4 << 20])).await;
    drop(sender);
    let refused = put.await.unwrap().unwrap();
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    let refusal: serde_json::Value = refused.json().await.unwrap();
    assert_eq!(refusal["errors"][0]["code"], "disk_full");
    eventually(async || incoming().is_empty().then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_waits_while_the_disk_is_full() {
    let Some(SmallDisk { _folder, data, service, client }) = SmallDisk::keeping_free("4MiB").await else {
        return;
    };
    let inside = &service.inside(&data);
    let task = client.long_work().await.unwrap();
    let get = async || client.get(&format!("/v1/tasks/{task}")).await.unwrap();

    let filler = &inside.join("filler");
    fill(filler);
    // Its output finds no room, which is not its fault, however often it is tried.
    eventually(async || read_log(&data).contains("the disk is full").then_some(())).await;
    assert_eq!(get().await["data"]["attributes"]["status"], "PROCESSING");
    std::fs::remove_file(filler).unwrap();
    assert_eq!(client.ended(&task).await["data"]["attributes"]["status"], "COMPLETED");
}
