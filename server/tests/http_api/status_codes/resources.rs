//! The status table, part 3: requests refused because of existing resources or missing capacity.

use reqwest::StatusCode;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::connections::Raw;
use crate::service::{HOUR, MEDIA_TYPE, PNG, Service, expect, file_of, header, id, refused, task_on};

const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

#[tokio::test]
async fn unknown_ids_and_ids_of_other_users_give_the_same_404() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let task = service.task(&file).await["data"].clone();
    let other = service.other_key().await;
    let mut bodies = Vec::new();
    for (file, task) in [(id(&file), id(&task)), (NOBODY, NOBODY)] {
        let paths = [
            format!("/v1/files/{file}"),
            format!("/v1/tasks/{task}"),
            format!("/v1/tasks/{task}/input"),
            format!("/v1/tasks/{task}/relationships/output"),
        ];
        for path in paths {
            let url = format!("{}{path}", service.running.url);
            let response = service.client.get(url).bearer_auth(&other).send().await.unwrap();
            bodies.push(without_id(refused(response, 404, "not_found").await));
        }
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:#?}");
}

fn without_id(mut error: Value) -> Value {
    error["id"] = Value::Null;
    error
}

#[tokio::test]
async fn malicious_ids_are_404() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let upper = id(&file).to_uppercase();
    let slashed = format!("{}%2f", id(&file));
    for id in [
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "%FF",
        "%2e%2e",
        "'%20OR%201=1--",
        "*",
        "%25",
        &upper,
        &slashed,
        "ä",
    ] {
        for path in ["/v1/files/ID", "/v1/tasks/ID", "/v1/tasks/ID/input", "/v1/tasks/ID/relationships/input"]
        {
            refused(service.get(&path.replace("ID", id)).send().await.unwrap(), 404, "not_found").await;
        }
        let content = service.get(&format!("/v1/files/{id}/content")).send().await.unwrap();
        assert!([403, 404].contains(&content.status().as_u16()), "{id}");
    }
}

#[tokio::test]
async fn a_task_on_a_file_that_does_not_exist_is_404() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let pointer = "/data/relationships/input/data/id";
    for id in [NOBODY, "../files", ""] {
        let error =
            refused(service.post("/v1/tasks", &task_on(id)).send().await.unwrap(), 404, "not_found").await;
        assert_eq!(error["source"]["pointer"], pointer);
    }
    let url = format!("{}/v1/tasks", service.running.url);
    let theirs =
        service.client.post(url).bearer_auth(service.other_key().await).header(CONTENT_TYPE, MEDIA_TYPE);
    let response = theirs.body(task_on(id(&file)).to_string()).send().await.unwrap();
    refused(response, 404, "not_found").await;
    service.clock.advance(49 * HOUR);
    refused(service.post("/v1/tasks", &task_on(id(&file))).send().await.unwrap(), 404, "not_found").await;
}

#[tokio::test]
async fn a_task_on_a_file_without_bytes_is_409() {
    let service = Service::start().await;
    let file = service.new_file(10).await;
    refused(service.post("/v1/tasks", &task_on(id(&file))).send().await.unwrap(), 409, "file_not_uploaded")
        .await;
}

#[tokio::test]
async fn a_format_that_differs_from_the_file_is_422() {
    let service = Service::start().await;
    let png = service.file(PNG).await;
    let mut stated = task_on(id(&png));
    stated["data"]["attributes"] = json!({ "format": { "input": "image/jpeg" } });
    let error =
        refused(service.post("/v1/tasks", &stated).send().await.unwrap(), 422, "format_mismatch").await;
    assert_eq!(error["source"]["pointer"], "/data/attributes/format/input");

    let mut declared = file_of(PNG.len());
    declared["data"]["attributes"]["format"] = json!("video/mp4");
    let response = service.post("/v1/files", &declared).send().await.unwrap();
    let file = expect(response, StatusCode::CREATED, "FileDocument").await["data"].clone();
    assert_eq!(service.put(&file, PNG).await.status(), StatusCode::CREATED);
    refused(service.post("/v1/tasks", &task_on(id(&file))).send().await.unwrap(), 422, "format_mismatch")
        .await;

    let unknown = service.file(b"neither fish nor fowl").await;
    assert_eq!(unknown["attributes"].get("format"), Some(&Value::Null));
    refused(service.post("/v1/tasks", &task_on(id(&unknown))).send().await.unwrap(), 422, "unknown_format")
        .await;
}

#[tokio::test]
async fn an_unsupported_pair_and_wrong_settings_are_422() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let attempt = async |attributes: Value, code: &str| {
        let mut document = task_on(id(&file));
        document["data"]["attributes"] = attributes;
        refused(service.post("/v1/tasks", &document).send().await.unwrap(), 422, code).await
    };
    let error = attempt(json!({ "format": { "output": "audio/flac" } }), "unsupported_pair").await;
    assert_eq!(error["source"]["pointer"], "/data/attributes/format/output");
    assert!(error["detail"].as_str().unwrap().contains("image/webp"), "names what is allowed: {error}");
    let error = attempt(json!({ "settings": { "optimse": true } }), "unknown_setting").await;
    assert_eq!(error["source"]["pointer"], "/data/attributes/settings/optimse");
    let error = attempt(json!({ "settings": { "resize": { "width": 0 } } }), "invalid_setting").await;
    assert_eq!(error["source"]["pointer"], "/data/attributes/settings/resize/width");
}

#[tokio::test]
async fn too_many_unfinished_tasks_of_a_user_are_429() {
    let service = Service::with(|config| config.max_pending_per_user = 1).await;
    let file = service.file(PNG).await;
    service.task(&file).await;
    let response = service.post("/v1/tasks", &task_on(id(&file))).send().await.unwrap();
    assert!(!header(response.headers(), "retry-after").is_empty());
    refused(response, 429, "too_many_pending_tasks").await;
    service.complete(PNG).await;
    service.task(&file).await;
}

#[tokio::test]
async fn a_full_queue_is_503() {
    let service = Service::with(|config| config.max_queue = 0).await;
    let file = service.file(PNG).await;
    let response = service.post("/v1/tasks", &task_on(id(&file))).send().await.unwrap();
    assert!(!header(response.headers(), "retry-after").is_empty());
    refused(response, 503, "queue_full").await;
}

#[tokio::test]
async fn a_full_disk_is_503_and_reading_still_works() {
    let service = Service::with(|config| config.min_free_disk = u64::MAX).await;
    let response = service.post("/v1/files", &file_of(1)).send().await.unwrap();
    assert!(!header(response.headers(), "retry-after").is_empty());
    refused(response, 503, "disk_full").await;
    service.read("/v1/files", "FileList").await;
}

#[tokio::test]
async fn a_stopping_service_is_503() {
    let service = Service::with(|config| config.dev = true).await;
    let body = file_of(1).to_string();
    let mut raw = Raw::connect(&service).await;
    let authorization = format!("Authorization: Bearer {}", service.key);
    let content =
        format!("Content-Type: {MEDIA_TYPE}\r\nContent-Length: {}\r\nExpect: 100-continue", body.len());
    raw.send(&format!("POST /v1/files HTTP/1.1\r\nHost: a\r\n{authorization}\r\n{content}\r\n\r\n")).await;
    assert_eq!(raw.head().await.0, 100, "the request is being read");
    service.running.app.stopping.cancel();
    raw.send(&body).await;
    let (status, head) = raw.head().await;
    assert_eq!(status, 503);
    assert!(head.contains("retry-after: "), "{head}");
    assert!(raw.rest().await.contains("\"shutting_down\""));
}
