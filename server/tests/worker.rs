//! Workers and the results of tasks, seen through the API.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

mod service;

use std::process::Stdio;

use reqwest::StatusCode;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use service::reach::Binary;
use service::{Client, Service, blobs, eventually, key, key_of, new_task, noise, read_log, text};
use tempfile::TempDir;
use tokio::process::Command;

async fn start() -> (TempDir, Service, Client) {
    let folder = tempfile::tempdir().unwrap();
    let key = key(&folder.path().join("data")).await;
    let service = Service::start(&folder.path().join("data"), &[]).await;
    let client = Client::new(&service, &key);
    (folder, service, client)
}

fn attributes(task: &Value) -> &Value {
    &task["data"]["attributes"]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_task_has_metadata_and_a_downloadable_output() {
    let (_folder, _service, client) = start().await;
    let input = client.upload(&noise(64, 1)).await.unwrap();
    let task = client.convert(&input, "image/png", json!({})).await.unwrap();
    let task = client.ended(&task).await;
    assert_eq!(attributes(&task)["status"], "COMPLETED");
    let shown = &attributes(&task)["processing_metadata"];
    assert_eq!((&shown["attempt"], &shown["progress"]), (&json!(1), &json!(1.0)));
    for member in ["engine", "duration_ms", "input", "output", "bytes_saved", "warnings"] {
        assert!(!shown[member].is_null(), "{member} in {shown}");
    }
    let output = text(&task["data"]["relationships"]["output"]["data"]["id"]);
    let file = client.get(&format!("/v1/files/{output}")).await.unwrap();
    let bytes = client.download(&file["data"]["links"]["download"]).await;
    assert!(bytes.starts_with(b"\x89PNG"));
    assert_eq!(file["data"]["attributes"]["size"], bytes.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_incompressible_input_is_returned_as_a_new_file() {
    let (folder, _service, client) = start().await;
    // Smaller than any other picture of its type.
    let picture = b"P4\n1 1\n\x80".to_vec();
    let input = client.upload(&picture).await.unwrap();
    let task = json!({ "data": {
        "type": "tasks",
        "attributes": { "settings": { "optimize": true } },
        "relationships": { "input": { "data": { "type": "files", "id": input } } },
    } });
    let answer = client.post("/v1/tasks", &task).await.unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);
    let task: Value = answer.json().await.unwrap();
    let task = client.ended(&text(&task["data"]["id"])).await;
    assert_eq!(attributes(&task)["status"], "COMPLETED", "{task}");
    assert_eq!(attributes(&task)["processing_metadata"]["kept_original"], true);
    let output = text(&task["data"]["relationships"]["output"]["data"]["id"]);
    assert_ne!(output, input);
    let file = client.get(&format!("/v1/files/{output}")).await.unwrap();
    assert!(client.download(&file["data"]["links"]["download"]).await == picture);
    assert_eq!(blobs(&folder.path().join("data")).len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_error_fails_without_retry() {
    let (folder, _service, client) = start().await;
    let mut picture = noise(64, 1);
    picture.truncate(500);
    let input = client.upload(&picture).await.unwrap();
    let task = client.convert(&input, "image/png", json!({})).await.unwrap();
    let task = client.ended(&task).await;
    assert_eq!(attributes(&task)["status"], "FAILED");
    let shown = &attributes(&task)["processing_metadata"];
    assert_eq!((&shown["attempt"], &shown["error"]["code"]), (&json!(1), &json!("corrupt_file")));
    for member in ["title", "detail"] {
        assert!(shown["error"][member].is_string(), "{member} in {shown}");
    }
    assert!(task["data"]["relationships"]["output"]["data"].is_null());
    assert_eq!(blobs(&folder.path().join("data")).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_infrastructure_failure_is_retried_three_times() {
    let (folder, _service, client) = start().await;
    let data = &folder.path().join("data");
    let input = client.upload(&noise(64, 1)).await.unwrap();
    for blob in blobs(data) {
        std::fs::remove_file(data.join("blobs").join(&blob[..2]).join(blob)).unwrap();
    }
    let task = client.convert(&input, "image/png", json!({})).await.unwrap();
    let task = client.ended(&task).await;
    assert_eq!(attributes(&task)["status"], "FAILED");
    let shown = &attributes(&task)["processing_metadata"];
    assert_eq!((&shown["attempt"], &shown["error"]["code"]), (&json!(3), &json!("internal")), "{shown}");
    assert!(!shown.to_string().contains(folder.path().to_str().unwrap()), "{shown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_finds_the_storage_quota_used_up_says_so_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let picture = noise(64, 1);
    let quota = (picture.len() + 1).to_string();
    let service = Service::start(data, &["--max-bytes-per-user", &quota, "--image-workers", "0"]).await;
    let client = Client::new(&service, &key);
    let input = client.upload(&picture).await.unwrap();
    let task = client.convert(&input, "image/png", json!({})).await.unwrap();
    client.declare(1).await.unwrap();
    service.signal(Signal::TERM);
    service.ended().await;

    let service = Service::start(data, &["--max-bytes-per-user", &quota, "--image-workers", "1"]).await;
    let task = Client::new(&service, &key).ended(&task).await;
    let shown = &attributes(&task)["processing_metadata"];
    assert_eq!(
        (&shown["attempt"], &shown["error"]["code"]),
        (&json!(1), &json!("output_too_large")),
        "{shown}"
    );
    assert!(text(&shown["error"]["detail"]).contains("quota"), "{shown}");
}

/// A service manager, or a guard against full memory, may end any process: here one tool, and all that the service has started.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_is_ended_from_outside_is_no_fault_of_the_file() {
    let (folder, service, client) = start().await;
    let film = folder.path().join("film.mkv");
    let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=d=10:s=320x240"];
    assert!(Command::new("ffmpeg").args(source).arg(&film).status().await.unwrap().success());
    let film = client.upload(&std::fs::read(film).unwrap()).await.unwrap();
    for (tool, all) in [("ffmpeg", false), ("ffmpeg", true), ("filepress-server", false)] {
        let task = match tool {
            "ffmpeg" => client.convert(&film, "video/mp4", json!({ "preset": "veryslow" })).await.unwrap(),
            _ => client.long_work().await.unwrap(),
        };
        let mut processes = eventually(async || {
            let processes = started_by(service.id());
            let name = |id: &u32| std::fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
            // The kernel keeps 15 bytes of a name.
            let runs =
                processes.last().is_some_and(|last| name(last).trim_end() == &tool[..tool.len().min(15)]);
            runs.then_some(processes)
        })
        .await;
        for id in if all { processes } else { processes.split_off(processes.len() - 1) } {
            let id = Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
            // One that is gone with the others needs no signal.
            let _ = kill_process(id, Signal::TERM);
        }
        let task = client.ended(&task).await;
        assert_eq!(attributes(&task)["status"], "COMPLETED", "{tool}, {all}: {task}");
        assert_eq!(attributes(&task)["processing_metadata"]["attempt"], 2, "{tool}, {all}");
    }
}

/// The processes that a process has started and that they have, the last of them last.
fn started_by(process: u32) -> Vec<u32> {
    let mut found = vec![process];
    for next in 0.. {
        let Some(parent) = found.get(next) else { break };
        for thread in std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            found.extend(children.split_whitespace().map(|child| child.parse::<u32>().unwrap()));
        }
    }
    found.split_off(1)
}

/// An attempt that fails is charged as well.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attempts_are_charged_to_their_owner() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let service = Service::start(data, &["--max-cpu-per-user", "1ms"]).await;
    let client = Client::new(&service, &key);
    let mut picture = noise(64, 1);
    picture.truncate(500);
    let input = client.upload(&picture).await.unwrap();
    let task = client.convert(&input, "image/png", json!({})).await.unwrap();
    assert_eq!(attributes(&client.ended(&task).await)["status"], "FAILED");
    let refused = client.post("/v1/tasks", &new_task(&input, "image/png", json!({}))).await.unwrap();
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    let refusal: Value = refused.json().await.unwrap();
    assert_eq!(refusal["errors"][0]["code"], "processing_quota_exceeded");
}

/// At the asked effort it would take longer than it may.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_effort_that_would_take_too_long_is_lowered() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let service = Service::start(data, &["--image-time", "60s"]).await;
    let client = Client::new(&service, &key);
    let input = client.upload(&noise(1200, 1)).await.unwrap();
    let task = client.convert(&input, "image/png", json!({ "effort": 9 })).await.unwrap();
    let task = client.ended(&task).await;
    assert_eq!(attributes(&task)["status"], "COMPLETED", "{task}");
    let warnings = attributes(&task)["processing_metadata"]["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["code"] == "effort_lowered"), "{warnings:?}");
    assert_eq!(attributes(&task)["settings"]["effort"], 9);
}

/// One worker for long tasks, and a user who keeps it busy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_short_task_does_not_wait_for_long_tasks_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let (one, two) = (key(data).await, key_of(data, "two@example.org").await);
    let service = Service::start(data, &["--image-workers", "1"]).await;
    let (one, two) = (Client::new(&service, &one), Client::new(&service, &two));
    let input = one.upload(&noise(1000, 1)).await.unwrap();
    let mut long = Vec::new();
    for _ in 0..10 {
        long.push(one.convert(&input, "image/avif", json!({ "effort": 6 })).await.unwrap());
    }
    let input = two.upload(&noise(64, 2)).await.unwrap();
    let short = two.ended(&two.convert(&input, "image/png", json!({})).await.unwrap()).await;
    assert_eq!(attributes(&short)["status"], "COMPLETED");
    let mut ended = 0;
    for task in &long {
        let now = one.get(&format!("/v1/tasks/{task}")).await.unwrap();
        ended += usize::from(attributes(&now)["status"] == "COMPLETED");
        one.cancel(task).await.unwrap();
    }
    assert!(ended <= 1, "{ended} of ten long tasks came first");
}

/// The conversion would take longer than the test may, and the lease is too long for a heartbeat to notice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_canceled_conversion_ends_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let arguments = ["--image-workers", "1", "--image-time", "5h", "--lease", "5h"];
    let service = Service::start(data, &arguments).await;
    let client = Client::new(&service, &key);
    let input = client.upload(&noise(2800, 1)).await.unwrap();
    let settings = json!({ "effort": 9, "quality": 95 });
    let task = client.convert(&input, "image/avif", settings).await.unwrap();
    let scratch = || std::fs::read_dir(data.join("scratch")).unwrap().count();
    eventually(async || (scratch() == 1).then_some(())).await;
    assert_eq!(client.cancel(&task).await.unwrap().status(), StatusCode::OK);
    eventually(async || (scratch() == 0).then_some(())).await;
    eventually(async || read_log(data).contains("outcome=\"canceled\"").then_some(())).await;
    // The one worker for long tasks is free again.
    let input = client.upload(&noise(1000, 2)).await.unwrap();
    let next = client.convert(&input, "image/avif", json!({ "effort": 0 })).await.unwrap();
    let next = client.ended(&next).await;
    assert_eq!(attributes(&next)["status"], "COMPLETED");
    let canceled = client.get(&format!("/v1/tasks/{task}")).await.unwrap();
    assert_eq!(attributes(&canceled)["processing_metadata"]["error"]["code"], "canceled");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_output_that_the_storage_quota_has_no_room_for_fails() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let service = Service::start(data, &["--max-bytes-per-user", "100000"]).await;
    let client = Client::new(&service, &key);
    // A farbfeld has eight bytes a pixel.
    let input = client.upload(&noise(150, 1)).await.unwrap();
    let task = client.convert(&input, "image/x-farbfeld", json!({})).await.unwrap();
    let task = client.ended(&task).await;
    assert_eq!(attributes(&task)["status"], "FAILED", "{task}");
    assert_eq!(attributes(&task)["processing_metadata"]["error"]["code"], "output_too_large");
    assert_eq!(blobs(data).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_do_not_get_into_the_log_by_any_way() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    let key = key(data).await;
    let service = Service::start(data, &[]).await;
    let client = Client::new(&service, &key);
    let url = |path: &str| format!("{}{path}", service.url);
    let plain = reqwest::Client::new();
    for path in [format!("/v1/files/{key}.png"), format!("/v1/files/Bearer-{key}"), format!("/{key}/x")] {
        plain.get(url(&path)).send().await.unwrap();
    }
    plain.get(url("/v1/users/me")).header("x-request-id", format!("Bearer.{key}")).send().await.unwrap();
    let method = reqwest::Method::from_bytes(key.as_bytes()).unwrap();
    plain.request(method, url("/v1/users/me")).send().await.unwrap();
    client.get("/v1/users/me").await.unwrap();
    eventually(async || read_log(data).contains("method=\"other\"").then_some(())).await;
    assert!(!read_log(data).contains(&key));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_process_on_the_same_data_is_refused() {
    let (folder, service, client) = start().await;
    let binary = Binary::find();
    let mut command = Command::new(&binary.path);
    if rustix::process::geteuid().is_root() {
        command.env("FILEPRESS_USER", "nobody");
    }
    command.args(["serve", "--dev", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path().join("data"));
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output().await.unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("another process"));
    // The first one has not noticed.
    client.upload(&noise(8, 1)).await.unwrap();
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());
}
