//! A request with several faults gets the error of the first; the test corrects them one by one.

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{PNG, Service, id, refused};

#[tokio::test]
async fn errors_are_checked_in_the_documented_order() {
    let service = Service::with(|config| config.max_queue = 0).await;
    let file = service.new_file(PNG.len()).await;
    let mut request = Faulty {
        path: "/v1/nothing?sort=size",
        method: "DELETE",
        accept: "text/html",
        key: "none",
        content_type: "text/plain",
        body: "{".repeat(70_000),
    };
    refused(request.send(&service).await, 404, "not_found").await;
    request.path = "/v1/tasks?sort=size";
    refused(request.send(&service).await, 405, "method_not_allowed").await;
    request.method = "POST";
    refused(request.send(&service).await, 406, "not_acceptable").await;
    request.accept = "*/*";
    refused(request.send(&service).await, 401, "unauthorized").await;
    request.key = &service.key;
    refused(request.send(&service).await, 400, "unknown_parameter").await;
    request.path = "/v1/tasks";
    refused(request.send(&service).await, 415, "unsupported_media_type").await;
    request.content_type = crate::service::MEDIA_TYPE;
    refused(request.send(&service).await, 413, "document_too_large").await;
    request.body.truncate(100);
    refused(request.send(&service).await, 400, "invalid_json").await;

    let mut document = json!({ "data": null });
    refused(request.with(&document).send(&service).await, 400, "invalid_document").await;
    let attributes = json!({ "public": 1, "format": { "input": "image/gif", "output": "audio/flac" } });
    document["data"] = json!({ "type": "files", "id": "1", "attributes": attributes });
    refused(request.with(&document).send(&service).await, 403, "client_generated_id").await;
    document["data"].as_object_mut().unwrap().remove("id");
    refused(request.with(&document).send(&service).await, 409, "type_mismatch").await;
    document["data"]["type"] = json!("tasks");
    refused(request.with(&document).send(&service).await, 422, "invalid_value").await;
    document["data"]["attributes"]["public"] = json!(true);
    refused(request.with(&document).send(&service).await, 422, "missing_member").await;
    document["data"]["relationships"] = json!({ "input": { "data": { "type": "files", "id": "1" } } });
    refused(request.with(&document).send(&service).await, 404, "not_found").await;
    document["data"]["relationships"]["input"]["data"]["id"] = file["id"].clone();
    refused(request.with(&document).send(&service).await, 409, "file_not_uploaded").await;
    assert_eq!(service.put(&file, PNG).await.status(), 201, "{}", id(&file));
    refused(request.with(&document).send(&service).await, 422, "format_mismatch").await;
    document["data"]["attributes"]["format"]["input"] = json!("image/png");
    refused(request.with(&document).send(&service).await, 422, "unsupported_pair").await;
    document["data"]["attributes"]["format"]["output"] = json!("image/webp");
    refused(request.with(&document).send(&service).await, 503, "queue_full").await;
}

#[derive(Clone)]
struct Faulty<'a> {
    path: &'a str,
    method: &'a str,
    accept: &'a str,
    key: &'a str,
    content_type: &'a str,
    body: String,
}

impl Faulty<'_> {
    fn with(&self, document: &Value) -> Self {
        Self { body: document.to_string(), ..self.clone() }
    }

    async fn send(&self, service: &Service) -> reqwest::Response {
        let method = Method::from_bytes(self.method.as_bytes()).unwrap();
        let request = service.client.request(method, format!("{}{}", service.running.url, self.path));
        let request = request.bearer_auth(self.key).header("accept", self.accept);
        request.header("content-type", self.content_type).body(self.body.clone()).send().await.unwrap()
    }
}
