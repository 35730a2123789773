//! Downloads: complete, ranges, conditional requests, and the headers that stop browsers from rendering files.

use reqwest::Method;
use reqwest::header::{IF_NONE_MATCH, IF_RANGE, RANGE};
use serde_json::json;

use crate::service::{PNG, Service, expect, file_of, header, id, link, refused};

const TEN: &[u8] = b"0123456789";

#[tokio::test]
async fn a_download_returns_the_uploaded_bytes() {
    let service = Service::start().await;
    let bytes: Vec<u8> = (0..1_000_000u32).flat_map(u32::to_le_bytes).collect();
    let file = service.file(&bytes).await;
    let response = service.client.get(link(&file, "download")).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let headers = response.headers().clone();
    assert_eq!(response.bytes().await.unwrap(), bytes);
    for (name, value) in [
        ("content-length", "4000000"),
        ("content-type", "application/octet-stream"),
        ("accept-ranges", "bytes"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("cache-control", "private, no-cache"),
        ("access-control-allow-origin", "*"),
    ] {
        assert_eq!(header(&headers, name), value);
    }
    assert_eq!(
        header(&headers, "content-disposition"),
        format!("attachment; filename=\"{}.bin\"", id(&file))
    );
}

#[tokio::test]
async fn the_type_and_the_extension_are_those_of_the_format() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let response = service.client.get(link(&file, "download")).send().await.unwrap();
    assert_eq!(header(response.headers(), "content-type"), "image/png");
    assert!(header(response.headers(), "content-disposition").ends_with(".png\""));
}

#[tokio::test]
async fn one_range_is_served() {
    let service = Service::start().await;
    let file = service.file(TEN).await;
    for (range, body, content_range) in [
        ("bytes=0-0", "0", "bytes 0-0/10"),
        ("bytes=2-4", "234", "bytes 2-4/10"),
        ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=-2", "89", "bytes 8-9/10"),
        ("bytes=5-100", "56789", "bytes 5-9/10"),
    ] {
        let response = service.client.get(link(&file, "download")).header(RANGE, range).send().await.unwrap();
        assert_eq!(response.status(), 206, "{range}");
        assert_eq!(header(response.headers(), "content-range"), content_range);
        assert_eq!(header(response.headers(), "content-length"), body.len().to_string());
        assert_eq!(response.text().await.unwrap(), body);
    }
    for range in ["bytes=0-1,3-4", "lines=1-2", "bytes=4-2", "nonsense"] {
        let response = service.client.get(link(&file, "download")).header(RANGE, range).send().await.unwrap();
        assert_eq!(response.status(), 200, "{range}");
        assert_eq!(response.bytes().await.unwrap(), TEN);
    }
}

#[tokio::test]
async fn a_range_of_bytes_that_do_not_exist_is_416() {
    let service = Service::start().await;
    let file = service.file(TEN).await;
    for range in ["bytes=10-", "bytes=10-20", "bytes=-0"] {
        let response = service.client.get(link(&file, "download")).header(RANGE, range).send().await.unwrap();
        assert_eq!(header(response.headers(), "content-range"), "bytes */10");
        refused(response, 416, "range_not_satisfiable").await;
    }
}

#[tokio::test]
async fn conditional_requests_use_the_entity_tag() {
    let service = Service::start().await;
    let file = service.file(TEN).await;
    let get = || service.client.get(link(&file, "download"));
    let etag = header(get().send().await.unwrap().headers(), "etag").to_owned();
    for (if_range, status) in
        [(etag.as_str(), 206), ("\"other\"", 200), ("Thu, 01 Jan 2026 00:00:00 GMT", 200)]
    {
        let response = get().header(RANGE, "bytes=1-2").header(IF_RANGE, if_range).send().await.unwrap();
        assert_eq!(response.status(), status, "{if_range}");
    }
    for (tags, status) in
        [(etag.as_str(), 304), ("*", 304), ("\"a\", \"b\"", 200), (&format!("\"a\", W/{etag}"), 304)]
    {
        let response = get().header(IF_NONE_MATCH, tags).send().await.unwrap();
        assert_eq!(response.status(), status, "{tags}");
        assert_eq!(header(response.headers(), "etag"), etag);
    }
}

#[tokio::test]
async fn head_returns_the_same_headers_without_a_body() {
    let service = Service::start().await;
    let file = service.file(TEN).await;
    let request = service.client.request(Method::HEAD, link(&file, "download")).header(RANGE, "bytes=0-1");
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200, "a range is for GET alone");
    assert_eq!(header(response.headers(), "content-length"), "10");
    assert_eq!(response.bytes().await.unwrap(), "");
    let response = service.request(Method::HEAD, "/v1/files").send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.bytes().await.unwrap(), "");
}

#[tokio::test]
async fn a_download_before_the_upload_is_404() {
    let service = Service::start().await;
    let file = service.new_file(3).await;
    refused(service.client.get(link(&file, "download")).send().await.unwrap(), 404, "not_found").await;
}

#[tokio::test]
async fn an_unrecognized_file_has_its_declared_type() {
    let service = Service::start().await;
    let mut declared = file_of(32);
    declared["data"]["attributes"]["format"] = json!("image/x-tga");
    let response = service.post("/v1/files", &declared).send().await.unwrap();
    let file = expect(response, reqwest::StatusCode::CREATED, "FileDocument").await["data"].clone();
    assert_eq!(service.put(&file, vec![0xff; 32]).await.status(), 201);
    let document = service.read(&format!("/v1/files/{}", id(&file)), "FileDocument").await;
    assert_eq!(document["data"]["attributes"]["format"], "image/x-tga");
}
