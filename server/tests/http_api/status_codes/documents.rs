//! The status table, part 2: requests refused because of their document.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::service::{PNG, Service, expect, file_of, id, refused, task_on};

const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

#[tokio::test]
async fn another_content_type_is_415() {
    let service = Service::start().await;
    for content_type in
        [None, Some("application/json"), Some("application/vnd.api+json; charset=utf-8"), Some("a")]
    {
        let mut request = service.request(Method::POST, "/v1/files").body(file_of(1).to_string());
        if let Some(content_type) = content_type {
            request = request.header(CONTENT_TYPE, content_type);
        }
        refused(request.send().await.unwrap(), 415, "unsupported_media_type").await;
    }
}

#[tokio::test]
async fn a_document_over_64_kib_is_413() {
    let service = Service::start().await;
    let padded = |bytes: usize| {
        let document = file_of(1).to_string();
        format!("{document}{}", " ".repeat(bytes - document.len()))
    };
    let response = service.post_text("/v1/files", padded(65_536)).send().await.unwrap();
    expect(response, StatusCode::CREATED, "FileDocument").await;
    refused(service.post_text("/v1/files", padded(65_537)).send().await.unwrap(), 413, "document_too_large")
        .await;
    let chunks = futures_util::stream::iter([Ok::<_, std::io::Error>(padded(65_537))]);
    let chunked = service.post_text("/v1/files", reqwest::Body::wrap_stream(chunks));
    refused(chunked.send().await.unwrap(), 413, "document_too_large").await;
}

#[tokio::test]
async fn bad_json_is_400() {
    let service = Service::start().await;
    for body in ["", "{", "{\"data\":}", "\u{feff}{}", "{} {}"] {
        refused(service.post_text("/v1/files", body).send().await.unwrap(), 400, "invalid_json").await;
    }
    let deep = "[".repeat(60_000);
    refused(service.post_text("/v1/files", deep).send().await.unwrap(), 400, "invalid_json").await;
    refused(service.post_text("/v1/files", vec![0xff, 0xfe]).send().await.unwrap(), 400, "invalid_json")
        .await;
}

#[tokio::test]
async fn missing_or_mistyped_data_is_400() {
    let service = Service::start().await;
    let attributes = json!({ "data": { "type": "files", "attributes": [] } });
    for (document, pointer, detail) in [
        (json!([]), "", "The document must be an object, but is an array."),
        (json!("data"), "", "The document must be an object, but is text."),
        (json!({}), "", "The member \"data\" is missing."),
        (json!({ "data": null }), "/data", "/data must be an object, but is null."),
        (json!({ "data": [] }), "/data", "/data must be an object, but is an array."),
        (json!({ "data": {} }), "/data", "The member \"type\" is missing."),
        (json!({ "data": { "type": 1 } }), "/data/type", "/data/type must be text, but is a number."),
        (attributes, "/data/attributes", "/data/attributes must be an object, but is an array."),
    ] {
        let response = service.post("/v1/files", &document).send().await.unwrap();
        let error = refused(response, 400, "invalid_document").await;
        assert_eq!(error["source"]["pointer"], pointer, "{document}");
        assert_eq!(error["detail"], detail, "{document}");
    }
}

#[tokio::test]
async fn a_client_generated_id_is_403() {
    let service = Service::start().await;
    for (path, kind) in [("/v1/files", "files"), ("/v1/tasks", "tasks")] {
        let document = json!({ "data": { "type": kind, "id": NOBODY, "attributes": { "size": 1 } } });
        let error =
            refused(service.post(path, &document).send().await.unwrap(), 403, "client_generated_id").await;
        assert_eq!(error["source"]["pointer"], "/data/id");
    }
}

#[tokio::test]
async fn the_wrong_type_is_409() {
    let service = Service::start().await;
    for (path, kind) in [("/v1/files", "tasks"), ("/v1/tasks", "files"), ("/v1/files", "Files")] {
        let document = json!({ "data": { "type": kind, "attributes": { "size": 1 } } });
        let error = refused(service.post(path, &document).send().await.unwrap(), 409, "type_mismatch").await;
        assert_eq!(error["source"]["pointer"], "/data/type");
    }
}

#[tokio::test]
async fn a_size_above_the_maximum_is_400() {
    let service = Service::with(|config| config.max_file_size = 1000).await;
    expect(
        service.post("/v1/files", &file_of(1000)).send().await.unwrap(),
        StatusCode::CREATED,
        "FileDocument",
    )
    .await;
    for size in [json!(1001), json!(u64::MAX), json!(1e300)] {
        let document = json!({ "data": { "type": "files", "attributes": { "size": size } } });
        let response = service.post("/v1/files", &document).send().await.unwrap();
        let error = refused(response, 400, "max_file_size_exceeded").await;
        assert!(error["detail"].as_str().unwrap().contains("maximum"), "{error}");
        assert_eq!(error["source"]["pointer"], "/data/attributes/size");
    }
}

#[tokio::test]
async fn a_wrong_value_is_422_with_a_pointer() {
    let service = Service::start().await;
    let files = |attributes: Value| json!({ "data": { "type": "files", "attributes": attributes } });
    for (attributes, code, pointer) in [
        (json!({}), "missing_member", "/data/attributes"),
        (json!({ "size": 0 }), "invalid_value", "/data/attributes/size"),
        (json!({ "size": -1 }), "invalid_value", "/data/attributes/size"),
        (json!({ "size": 1.5 }), "invalid_value", "/data/attributes/size"),
        (json!({ "size": "1" }), "invalid_value", "/data/attributes/size"),
        (json!({ "size": null }), "invalid_value", "/data/attributes/size"),
        (json!({ "size": 1, "format": "image/jpg" }), "invalid_value", "/data/attributes/format"),
        (json!({ "size": 1, "format": 7 }), "invalid_value", "/data/attributes/format"),
    ] {
        let error =
            refused(service.post("/v1/files", &files(attributes)).send().await.unwrap(), 422, code).await;
        assert_eq!(error["source"]["pointer"], pointer);
    }
    let file = service.file(PNG).await;
    for (member, value, code, pointer) in [
        ("/data/attributes", json!({ "public": "yes" }), "invalid_value", "/data/attributes/public"),
        ("/data/attributes", json!({ "settings": [] }), "invalid_value", "/data/attributes/settings"),
        ("/data/attributes", json!({ "format": "image/png" }), "invalid_value", "/data/attributes/format"),
        (
            "/data/attributes",
            json!({ "format": { "output": "png" } }),
            "invalid_value",
            "/data/attributes/format/output",
        ),
        ("/data/relationships", json!({}), "missing_member", "/data/relationships"),
        ("/data/relationships/input", json!({}), "missing_member", "/data/relationships/input"),
        (
            "/data/relationships/input/data/type",
            json!("tasks"),
            "invalid_value",
            "/data/relationships/input/data/type",
        ),
        ("/data/relationships/input/data/id", json!(7), "invalid_value", "/data/relationships/input/data/id"),
    ] {
        let mut document = task_on(id(&file));
        document["data"]["attributes"] = json!({});
        *document.pointer_mut(member).unwrap() = value;
        let error = refused(service.post("/v1/tasks", &document).send().await.unwrap(), 422, code).await;
        assert_eq!(error["source"]["pointer"], pointer);
    }
}
