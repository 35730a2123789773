//! Tasks with several inputs, an addition to the API.

use filepress_server::store::records::Lane;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::service::{PNG, Service, expect, id, refused};

/// A task that makes one document of these files.
fn combined(ids: &[&str]) -> Value {
    let inputs: Vec<_> = ids.iter().map(|id| json!({ "type": "files", "id": id })).collect();
    json!({ "data": {
        "type": "tasks",
        "attributes": { "format": { "output": "application/pdf" } },
        "relationships": { "inputs": { "data": inputs } },
    } })
}

#[tokio::test]
async fn a_task_shows_its_inputs_and_their_paths() {
    let service = Service::start().await;
    let files = [service.file(PNG).await, service.file(b"GIF89a____").await, service.file(PNG).await];
    let ids: Vec<_> = files.iter().map(id).collect();
    let response = service.post("/v1/tasks", &combined(&ids)).send().await.unwrap();
    let task = expect(response, StatusCode::CREATED, "TaskDocument").await["data"].clone();
    let identifiers: Vec<_> = ids.iter().map(|id| json!({ "type": "files", "id": id })).collect();
    assert_eq!(task["relationships"]["inputs"]["data"], json!(identifiers));
    assert_eq!(task["relationships"]["input"]["data"], identifiers[0]);
    assert_eq!(task["attributes"]["format"], json!({ "input": "image/png", "output": "application/pdf" }));
    let path = |link: &str| {
        let url = task["relationships"]["inputs"]["links"][link].as_str().unwrap();
        url.strip_prefix(&service.running.url).unwrap().to_owned()
    };
    assert_eq!(service.read(&path("self"), "RelationshipDocument").await["data"], json!(identifiers));
    let related = service.read(&path("related"), "RelatedDocument").await["data"].clone();
    assert_eq!(related, json!(files));
    // A list has the links alone.
    let listed = service.read("/v1/tasks", "TaskList").await["data"][0].clone();
    let links = task["relationships"]["inputs"]["links"].clone();
    assert_eq!(listed["relationships"]["inputs"], json!({ "links": links }));

    let in_use =
        service.request(reqwest::Method::DELETE, &format!("/v1/files/{}", ids[2])).send().await.unwrap();
    refused(in_use, 409, "file_in_use").await;
    service.complete_in(Lane::Heavy, b"%PDF-1.5", false).await;
    let done = service.read(&format!("/v1/tasks/{}", id(&task)), "TaskDocument").await;
    assert_eq!(done["data"]["attributes"]["status"], "COMPLETED");
    assert_eq!(done["data"]["relationships"]["inputs"]["data"], json!(identifiers));
}

#[tokio::test]
async fn one_input_in_a_list_is_like_one_input() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let response = service.post("/v1/tasks", &combined(&[id(&file)])).send().await.unwrap();
    let task = expect(response, StatusCode::CREATED, "TaskDocument").await["data"].clone();
    assert!(task["relationships"].get("inputs").is_none());
    let inputs = service.read(&format!("/v1/tasks/{}/inputs", id(&task)), "RelatedDocument").await;
    assert_eq!(inputs["data"], json!([file]));
    service.complete_in(Lane::Image, b"%PDF-1.5", false).await;
}

#[tokio::test]
async fn a_wrong_list_of_inputs_is_refused_with_the_pointer_to_the_fault() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let sound = service.file(b"ID3\x04\0\0\0\0\0\0").await;
    let empty = service.new_file(10).await;
    let (other, good) = (service.file(PNG).await, id(&file));
    let other = id(&other);
    let at = |rest: &str| json!({ "pointer": format!("/data/relationships/inputs{rest}") });
    let unknown: Vec<_> = (0..501).map(|number| number.to_string()).collect();
    let many: Vec<_> = unknown.iter().map(String::as_str).collect();
    let mut both = combined(&[good, other]);
    both["data"]["relationships"]["input"] = json!({ "data": { "type": "files", "id": good } });
    let mut one = combined(&[good]);
    one["data"]["relationships"]["inputs"]["data"] = json!({ "type": "files", "id": good });
    let mut wrong_type = combined(&[good, other]);
    wrong_type["data"]["relationships"]["inputs"]["data"][1]["type"] = json!("tasks");
    let mut to_image = combined(&[good, other]);
    to_image["data"]["attributes"]["format"]["output"] = json!("image/webp");
    for (document, status, code, source) in [
        (combined(&[good, "unknown"]), 404, "not_found", at("/data/1/id")),
        (combined(&["unknown"]), 404, "not_found", at("/data/0/id")),
        (combined(&[good, id(&empty)]), 409, "file_not_uploaded", at("/data/1/id")),
        (combined(&[good, other, id(&sound)]), 422, "unsupported_pair", at("/data/2")),
        (combined(&[]), 422, "invalid_value", at("/data")),
        (combined(&many), 422, "invalid_value", at("/data")),
        (combined(&[good, other, good]), 422, "invalid_value", at("/data/2")),
        (both, 422, "invalid_value", at("")),
        (one, 400, "invalid_document", at("/data")),
        (wrong_type, 422, "invalid_value", at("/data/1/type")),
        (to_image, 422, "unsupported_pair", at("/data/0")),
    ] {
        let error = refused(service.post("/v1/tasks", &document).send().await.unwrap(), status, code).await;
        assert_eq!(error["source"], source, "{document}");
    }
    // 500 pass the check of the list, and the first is looked up.
    let response = service.post("/v1/tasks", &combined(&many[..500])).send().await.unwrap();
    refused(response, 404, "not_found").await;
}
