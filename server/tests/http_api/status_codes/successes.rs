//! The status table, part 4: successful requests.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::service::{Advanced, HOUR, PNG, Service, expect, file_of, header, id, link, task_on};

#[tokio::test]
async fn creating_a_file_is_201_with_its_location() {
    let service = Service::start().await;
    let response = service.post("/v1/files", &file_of(12)).send().await.unwrap();
    let location = header(response.headers(), "location").to_owned();
    let document = expect(response, StatusCode::CREATED, "FileDocument").await;
    let file = &document["data"];
    assert_eq!(location, link(file, "self"));
    assert_eq!(link(&document, "self"), location);
    assert_eq!(file["attributes"]["size"], 12);
    assert_eq!(file["attributes"]["created_at"], "2026-01-01T00:00:00Z");
    assert_eq!(file["meta"]["expires_at"], "2026-01-02T00:00:00Z");
    assert!(link(file, "upload").starts_with(&location));
    assert!(link(file, "download").starts_with(&location));
    let document = expect(
        service.client.get(&location).bearer_auth(&service.key).send().await.unwrap(),
        StatusCode::OK,
        "FileDocument",
    )
    .await;
    assert!(document["data"]["links"].get("download").is_none(), "only with bytes");
}

#[tokio::test]
async fn creating_a_task_is_201_with_its_location() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let response = service.post("/v1/tasks", &task_on(id(&file))).send().await.unwrap();
    let location = header(response.headers(), "location").to_owned();
    let document = expect(response, StatusCode::CREATED, "TaskDocument").await;
    let task = &document["data"];
    assert_eq!(location, link(task, "self"));
    assert_eq!(task["attributes"]["status"], "PENDING");
    assert_eq!(task["attributes"]["started_at"], Value::Null);
    assert_eq!(task["attributes"]["processed_at"], Value::Null);
    assert_eq!(task["attributes"]["processing_metadata"], json!({}));
    assert_eq!(task["attributes"]["public"], false);
    assert_eq!(task["attributes"]["settings"]["optimize"], true);
    assert_eq!(task["attributes"]["format"], json!({ "input": "image/png", "output": "image/png" }));
    assert_eq!(task["relationships"]["input"]["data"], json!({ "type": "files", "id": id(&file) }));
    assert_eq!(task["relationships"]["output"]["data"], Value::Null);
    assert_eq!(document["included"].as_array().unwrap().len(), 1);
    assert_eq!(document["included"][0], file);
}

#[tokio::test]
async fn a_task_in_any_state_is_200_and_retry_after_is_there_until_it_is_terminal() {
    let service = Service::start().await;
    let store = &service.running.app.store;
    let file = service.file(PNG).await;
    let state = async |task: &Value| {
        let response = service.get(&format!("/v1/tasks/{}", id(task))).send().await.unwrap();
        let retry_after = header(response.headers(), "retry-after").to_owned();
        let document = expect(response, StatusCode::OK, "TaskDocument").await;
        (document["data"]["attributes"]["status"].as_str().unwrap().to_owned(), retry_after)
    };
    let lane = filepress_server::store::records::Lane::Image;
    let first = service.task(&file).await["data"].clone();
    assert_eq!(state(&first).await, ("PENDING".to_owned(), "1".to_owned()));
    service.complete(PNG).await;
    assert_eq!(state(&first).await, ("COMPLETED".to_owned(), String::new()));
    let second = service.task(&file).await["data"].clone();
    let claim =
        store.claim(lane, "test", false, HOUR, None, service.clock.advanced()).await.unwrap().unwrap();
    assert_eq!(state(&second).await, ("PROCESSING".to_owned(), "1".to_owned()));
    let error = json!({ "code": "corrupt_file", "title": "The file is damaged", "detail": "It ends early." });
    let metadata = serde_json::Map::from_iter([("error".to_owned(), error)]);
    assert!(store.fail(&claim, metadata, service.clock.advanced()).await.unwrap());
    assert_eq!(state(&second).await, ("FAILED".to_owned(), String::new()));
}
