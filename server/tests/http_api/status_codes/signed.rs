//! The status table, part 5: signed URLs.

use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, HeaderValue};

use crate::service::{Advanced, HOUR, PNG, Service, header, id, link, refused};

#[tokio::test]
async fn a_signed_url_that_is_bad_or_expired_is_403() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let good = link(&file, "download").to_owned();
    let (path, query) = good.split_once('?').unwrap();
    let other = service.file(PNG).await;
    let elsewhere = format!("{}?{query}", link(&other, "download").split_once('?').unwrap().0);
    for url in [
        path.to_owned(),
        format!("{path}?"),
        format!("{good}&a=1"),
        good.replace("expires=1", "expires=2"),
        // Other spellings of what was signed.
        good.replace("expires=", "expires=+"),
        good.replace("expires=", "expires=0"),
        good.replace("expires=", "expires=%31").replacen("%311", "%31", 1),
        format!("{good}="),
        elsewhere,
    ] {
        refused(service.client.get(&url).send().await.unwrap(), 403, "invalid_signature").await;
    }
    refused(service.client.put(&good).body("x").send().await.unwrap(), 403, "invalid_signature").await;
    service.clock.advance(HOUR + std::time::Duration::from_secs(1));
    refused(service.client.get(&good).send().await.unwrap(), 403, "url_expired").await;
}

#[tokio::test]
async fn a_signed_url_whose_file_has_expired_is_410() {
    let service = Service::with(|config| config.retention = HOUR / 2).await;
    let file = service.file(PNG).await;
    let url = link(&file, "download");
    assert!(service.client.get(url).send().await.unwrap().status().is_success());
    // The link never outlives the file, so that both end at the same second.
    service.clock.advance(HOUR / 2);
    refused(service.client.get(url).send().await.unwrap(), 410, "file_expired").await;
    service.clock.advance(HOUR);
    refused(service.client.get(url).send().await.unwrap(), 410, "file_expired").await;
    service.running.app.store.sweep(service.clock.advanced()).await.unwrap();
    refused(service.client.get(url).send().await.unwrap(), 410, "file_expired").await;
}

#[tokio::test]
async fn an_upload_without_content_length_is_411() {
    let service = Service::start().await;
    let file = service.new_file(4).await;
    let chunks = futures_util::stream::iter([Ok::<_, std::io::Error>("four")]);
    let response = service.put(&file, reqwest::Body::wrap_stream(chunks)).await;
    assert_eq!(header(response.headers(), "connection"), "close");
    refused(response, 411, "length_required").await;
    assert_eq!(service.put(&file, "four").await.status(), StatusCode::CREATED);
}

#[tokio::test]
async fn an_upload_longer_than_declared_is_413() {
    let service = Service::start().await;
    let file = service.new_file(4).await;
    refused(service.put(&file, "fours").await, 413, "upload_too_large").await;
    refused(service.put(&file, vec![0; 8 << 20]).await, 413, "upload_too_large").await;
    assert_eq!(service.put(&file, "four").await.status(), StatusCode::CREATED);
}

#[tokio::test]
async fn an_upload_shorter_than_declared_is_400_and_may_be_repeated() {
    let service = Service::start().await;
    let file = service.new_file(4).await;
    refused(service.put(&file, "fou").await, 400, "size_mismatch").await;
    let empty = service.client.put(link(&file, "upload")).header("content-length", 0).send().await.unwrap();
    refused(empty, 400, "size_mismatch").await;
    assert_eq!(service.put(&file, "four").await.status(), StatusCode::CREATED);
}

#[tokio::test]
async fn a_part_of_a_file_is_400_and_a_coded_one_415() {
    let service = Service::start().await;
    let file = service.new_file(4).await;
    for (name, value, status, code) in [
        ("content-range", "bytes 0-3/8", 400, "invalid_header"),
        ("content-encoding", "gzip", 415, "unsupported_media_type"),
        ("content-encoding", "identity, br", 415, "unsupported_media_type"),
    ] {
        let upload = service.client.put(link(&file, "upload")).header(name, value).body("four");
        refused(upload.send().await.unwrap(), status, code).await;
    }
    let upload = service.client.put(link(&file, "upload")).header("content-encoding", "identity");
    assert_eq!(upload.body("four").send().await.unwrap().status(), StatusCode::CREATED);
}

#[tokio::test]
async fn the_first_upload_is_201_without_a_body_and_with_an_etag() {
    let service = Service::start().await;
    let file = service.new_file(PNG.len()).await;
    let credentials = HeaderValue::from_static("Bearer of nothing");
    let request = service.client.put(link(&file, "upload")).header(AUTHORIZATION, credentials);
    let response = request.body(PNG).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::CREATED);
    let etag = header(response.headers(), "etag").to_owned();
    assert_eq!(response.text().await.unwrap(), "");
    let document = service.read(&format!("/v1/files/{}", id(&file)), "FileDocument").await;
    let file = &document["data"];
    assert_eq!(etag, format!("\"{}\"", file["meta"]["sha256"].as_str().unwrap()));
    assert_eq!(file["attributes"]["format"], "image/png");
    assert_eq!(file["meta"]["expires_at"], "2026-01-03T00:00:00Z");
    assert!(file["links"].get("upload").is_none(), "only while bytes are awaited");
}

#[tokio::test]
async fn a_second_upload_is_409() {
    let service = Service::start().await;
    let file = service.new_file(4).await;
    assert_eq!(service.put(&file, "four").await.status(), StatusCode::CREATED);
    refused(service.put(&file, "more").await, 409, "already_uploaded").await;
}
