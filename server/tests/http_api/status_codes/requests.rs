//! The status table, part 1: requests refused before their document is read.

use reqwest::header::{ACCEPT, AUTHORIZATION};
use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::service::{Advanced, MEDIA_TYPE, Service, expect, file_of, header, refused};

#[tokio::test]
async fn plain_http_is_403_without_a_redirect_and_the_connection_closes() {
    let service = Service::start().await;
    let plain = service.running.local_url.replace("https:", "http:");
    for method in [Method::GET, Method::POST, Method::PUT] {
        let request = service.client.request(method, format!("{plain}/v1/files")).bearer_auth(&service.key);
        let response = request.body("x".repeat(1 << 20)).send().await.unwrap();
        assert_eq!(header(response.headers(), "connection"), "close");
        assert!(!response.headers().contains_key("location"));
        refused_without_id(response, 403, "https_required").await;
    }
}

/// The answer to plain HTTP comes from before requests have names: its id is in the document alone.
async fn refused_without_id(response: reqwest::Response, status: u16, code: &str) {
    assert_eq!(response.status().as_u16(), status);
    assert_eq!(header(response.headers(), "content-type"), MEDIA_TYPE);
    let document: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    crate::schema::assert_json_api(&document);
    crate::schema::assert_described(&document, "Errors");
    assert_eq!(document["errors"][0]["code"], code);
}

#[tokio::test]
async fn unknown_paths_are_404() {
    let service = Service::start().await;
    for path in [
        "/",
        "/v1",
        "/files",
        "/v1/files/",
        "/v2/files",
        "/v1/users",
        "/v1/users/1",
        "/v1//files",
        "/metrics",
    ] {
        refused(service.get(path).send().await.unwrap(), 404, "not_found").await;
    }
}

#[tokio::test]
async fn a_method_that_a_path_does_not_have_is_405_with_allow() {
    let service = Service::start().await;
    for (method, path, allowed) in [
        (Method::DELETE, "/v1/files", "GET,HEAD,POST"),
        (Method::PUT, "/v1/tasks", "GET,HEAD,POST"),
        (Method::PATCH, "/v1/files/1", "DELETE,GET,HEAD"),
        (Method::DELETE, "/v1/tasks/1", "GET,HEAD,PATCH"),
        (Method::POST, "/v1/users/me", "GET,HEAD"),
        (Method::POST, "/v1/files/1/content", "GET,HEAD,PUT"),
        (Method::from_bytes(b"BREW").unwrap(), "/v1/files", "GET,HEAD,POST"),
    ] {
        let response = service.request(method, path).send().await.unwrap();
        let mut allow: Vec<_> = header(response.headers(), "allow").split(',').map(str::trim).collect();
        allow.sort_unstable();
        assert_eq!(allow.join(","), allowed, "{path}");
        refused(response, 405, "method_not_allowed").await;
    }
}

#[tokio::test]
async fn an_accept_that_excludes_the_media_type_is_406() {
    let service = Service::start().await;
    for accept in ["application/json", "text/html", "application/vnd.api+json;charset=utf-8"] {
        let response = service.get("/v1/files").header(ACCEPT, accept).send().await.unwrap();
        let error = refused(response, 406, "not_acceptable").await;
        assert_eq!(error["source"]["header"], "Accept");
    }
    for accept in
        ["*/*", "application/*", MEDIA_TYPE, "application/vnd.api+json;profile=\"https://a.example/b\""]
    {
        let response = service.get("/v1/files").header(ACCEPT, accept).send().await.unwrap();
        expect(response, StatusCode::OK, "FileList").await;
    }
}

#[tokio::test]
async fn a_missing_unknown_or_revoked_key_is_401_with_a_challenge() {
    let service = Service::start().await;
    let url = format!("{}/v1/users/me", service.running.url);
    let unknown = format!("Bearer fp_{}", "A".repeat(43));
    let basic = format!("Basic {}", service.key);
    let long = format!("Bearer {}", "a".repeat(8000));
    for credentials in
        [None, Some(unknown.as_str()), Some("Bearer "), Some("Bearer fp_"), Some(&basic), Some(&long)]
    {
        let mut request = service.client.get(&url);
        if let Some(credentials) = credentials {
            request = request.header(AUTHORIZATION, credentials);
        }
        let response = request.send().await.unwrap();
        assert!(header(response.headers(), "www-authenticate").starts_with("Bearer"));
        refused(response, 401, "unauthorized").await;
    }
    let twice = service.get("/v1/users/me").header(AUTHORIZATION, unknown);
    refused(twice.send().await.unwrap(), 400, "invalid_header").await;
    let lower_case = service.client.get(&url).header(AUTHORIZATION, format!("bearer {}", service.key));
    expect(lower_case.send().await.unwrap(), StatusCode::OK, "UserDocument").await;
    assert!(
        service.running.app.store.revoke_key(&service.key[..11], service.clock.advanced()).await.unwrap()
    );
    refused(service.get("/v1/users/me").send().await.unwrap(), 401, "unauthorized").await;
}

#[tokio::test]
async fn more_calls_than_allowed_are_429_with_retry_after() {
    let service = Service::with(|config| config.rate_limit = 2).await;
    for remaining in ["1", "0"] {
        let response = service.get("/v1/users/me").send().await.unwrap();
        assert_eq!(header(response.headers(), "x-ratelimit-limit"), "2");
        assert_eq!(header(response.headers(), "x-ratelimit-remaining"), remaining);
        expect(response, StatusCode::OK, "UserDocument").await;
    }
    let response = service.get("/v1/users/me").send().await.unwrap();
    assert_eq!(header(response.headers(), "x-ratelimit-remaining"), "0");
    assert!((1..=30).contains(&header(response.headers(), "retry-after").parse::<u32>().unwrap()));
    refused(response, 429, "rate_limited").await;
    let other = service.other_key().await;
    let response = service.client.get(format!("{}/v1/users/me", service.running.url)).bearer_auth(other);
    expect(response.send().await.unwrap(), StatusCode::OK, "UserDocument").await;
}

#[tokio::test]
async fn an_unknown_query_parameter_is_400_with_its_name() {
    let service = Service::start().await;
    for (path, name) in [
        ("/v1/files?include=tasks", "include"),
        ("/v1/tasks?sort=-size", "sort"),
        ("/v1/tasks?filter%5Bstatus%5D=FAILED", "filter[status]"),
        ("/v1/files?fields[files]=size", "fields[files]"),
        ("/v1/files?page%5Bnumber%5D=1", "page[number]"),
        ("/v1/users/me?a", "a"),
        ("/v1/tasks/1?include=output", "include"),
    ] {
        let error = refused(service.get(path).send().await.unwrap(), 400, "unknown_parameter").await;
        assert_eq!(error["source"]["parameter"], name);
    }
    let response = service.post("/v1/files?dry_run=1", &file_of(1)).send().await.unwrap();
    refused(response, 400, "unknown_parameter").await;
}

#[tokio::test]
async fn a_malformed_query_is_400() {
    let service = Service::start().await;
    for path in ["/v1/files?page[size]=0", "/v1/files?page[size]=ten", "/v1/tasks?page[after]=now"] {
        let error = refused(service.get(path).send().await.unwrap(), 400, "invalid_parameter").await;
        assert!(error["source"]["parameter"].as_str().unwrap().starts_with("page["));
    }
    refused(service.get("/v1/files?a=%FF").send().await.unwrap(), 400, "invalid_parameter").await;
    let error =
        refused(service.get("/v1/files?page[size]=101").send().await.unwrap(), 400, "invalid_parameter")
            .await;
    assert_eq!(error["meta"]["page"]["maxSize"], 100);
}
