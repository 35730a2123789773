//! Tasks and their files, from creation to download.

use filepress_server::store::records::Lane;
use serde_json::{Value, json};

use crate::service::{HOUR, PNG, Service, expect, header, id, link, refused, task_on};

#[tokio::test]
async fn a_completed_task_has_its_output_included_and_linked() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let task = service.task(&file).await["data"].clone();
    service.complete(b"smaller").await;
    let document = service.read(&format!("/v1/tasks/{}", id(&task)), "TaskDocument").await;
    let done = &document["data"];
    assert_eq!(done["attributes"]["status"], "COMPLETED");
    let output = &done["relationships"]["output"]["data"];
    let included = document["included"].as_array().unwrap();
    assert_eq!(included.len(), 2);
    let made = included.iter().find(|file| file["id"] == output["id"]).expect("the output");
    assert_eq!(made["attributes"]["size"], 7);
    assert_eq!(made["attributes"]["format"], "image/png");
    for url in [link(made, "download"), link(done, "download")] {
        let response = service.client.get(url).send().await.unwrap();
        assert_eq!(response.bytes().await.unwrap(), "smaller".as_bytes());
    }
}

#[tokio::test]
async fn several_pages_are_a_zip_and_a_password_is_not_shown() {
    let service = Service::start().await;
    let file = service.file(b"%PDF-1.4\n").await;
    let mut document = task_on(id(&file));
    document["data"]["attributes"] = json!({
        "format": { "output": "image/png" },
        "settings": { "pages": "all", "password": "Planted-password" },
    });
    let response = service.post("/v1/tasks", &document).send().await.unwrap();
    let task = expect(response, reqwest::StatusCode::CREATED, "TaskDocument").await["data"].clone();
    assert_eq!(task["attributes"]["settings"], json!({ "pages": "all" }));
    service.complete_in(Lane::Heavy, b"PK", true).await;
    let document = service.read(&format!("/v1/tasks/{}", id(&task)), "TaskDocument").await;
    assert!(!document.to_string().contains("Planted-password"));
    assert_eq!(document["data"]["attributes"]["format"]["output"], "image/png");
    let output = document["data"]["relationships"]["output"]["data"]["id"].as_str().unwrap();
    let made = service.read(&format!("/v1/files/{output}"), "FileDocument").await["data"].clone();
    assert_eq!(made["attributes"]["format"], "application/zip");
    let response = service.client.get(link(&made, "download")).send().await.unwrap();
    assert_eq!(header(response.headers(), "content-type"), "application/zip");
    assert_eq!(
        header(response.headers(), "content-disposition"),
        format!("attachment; filename=\"{output}.zip\"")
    );
    // It is what a task makes, and nothing that one takes.
    let response = service.post("/v1/tasks", &task_on(output)).send().await.unwrap();
    refused(response, 422, "format_mismatch").await;
}

#[tokio::test]
async fn relationships_have_their_own_paths() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let task = service.task(&file).await["data"].clone();
    let path = |name: &str, link: &str| {
        let url = task["relationships"][name]["links"][link].as_str().unwrap();
        url.strip_prefix(&service.running.url).unwrap().to_owned()
    };
    let identifier = json!({ "type": "files", "id": id(&file) });
    assert_eq!(service.read(&path("input", "self"), "RelationshipDocument").await["data"], identifier);
    assert_eq!(service.read(&path("input", "related"), "FileDocument").await["data"], file);
    assert_eq!(service.read(&path("output", "self"), "RelationshipDocument").await["data"], Value::Null);
    assert_eq!(service.read(&path("output", "related"), "RelatedDocument").await["data"], Value::Null);
    service.complete(PNG).await;
    let output = service.read(&path("output", "self"), "RelationshipDocument").await["data"].clone();
    let made = service.read(&path("output", "related"), "FileDocument").await["data"].clone();
    assert_eq!(output["id"], made["id"]);
    let other = format!("/v1/tasks/{}/relationships/owner", id(&task));
    refused(service.get(&other).send().await.unwrap(), 404, "not_found").await;
}

#[tokio::test]
async fn a_task_outlives_its_files() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let task = service.task(&file).await["data"].clone();
    service.complete(PNG).await;
    service.clock.advance(49 * HOUR);
    let document = service.read(&format!("/v1/tasks/{}", id(&task)), "TaskDocument").await;
    assert_eq!(document["included"], json!([]));
    assert_eq!(document["data"]["relationships"]["input"]["data"]["id"], file["id"]);
    assert!(document["data"]["links"].get("download").is_none());
    let input = format!("/v1/tasks/{}/input", id(&task));
    refused(service.get(&input).send().await.unwrap(), 404, "not_found").await;
}

#[tokio::test]
async fn the_link_of_a_public_output_stays_the_same_until_it_expires() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let mut links = Vec::new();
    for public in [true, false] {
        let mut document = task_on(id(&file));
        document["data"]["attributes"] = json!({ "public": public });
        let response = service.post("/v1/tasks", &document).send().await.unwrap();
        let task = expect(response, reqwest::StatusCode::CREATED, "TaskDocument").await["data"].clone();
        assert_eq!(task["attributes"]["public"], public);
        service.complete(PNG).await;
        let path = format!("/v1/tasks/{}", id(&task));
        let now = link(&service.read(&path, "TaskDocument").await["data"], "download").to_owned();
        service.clock.advance(HOUR);
        let later = link(&service.read(&path, "TaskDocument").await["data"], "download").to_owned();
        assert_eq!(now == later, public);
        links.push(now);
    }
    service.clock.advance(20 * HOUR);
    assert_eq!(service.client.get(&links[0]).send().await.unwrap().status(), 200);
    refused(service.client.get(&links[1]).send().await.unwrap(), 403, "url_expired").await;
}

#[tokio::test]
async fn the_request_id_is_echoed_where_it_is_proper_and_else_made() {
    let service = Service::start().await;
    let response = service.get("/v1/users/me").header("x-request-id", "a-proper_1.id").send().await.unwrap();
    assert_eq!(header(response.headers(), "x-request-id"), "a-proper_1.id");
    let long = "a".repeat(129);
    for improper in ["two words", "<b>", "", &long, "a\tb"] {
        let response = service.get("/v1/nowhere").header("x-request-id", improper).send().await.unwrap();
        assert_eq!(header(response.headers(), "x-request-id").len(), 36, "{improper}");
        refused(response, 404, "not_found").await;
    }
}

#[tokio::test]
async fn the_user_is_the_keys_owner() {
    let service = Service::start().await;
    let user = service.read("/v1/users/me", "UserDocument").await["data"].clone();
    assert_eq!(id(&user), service.user);
    assert_eq!(user["attributes"]["email"], "one@example.org");
    assert_eq!(user["attributes"]["name"], "Somebody");
    assert_eq!(link(&user, "self"), format!("{}/v1/users/me", service.running.url));
}
