//! `Idempotency-Key`: repeated requests take effect once.

use filepress_server::store::IdempotencyCheck;
use reqwest::StatusCode;

use crate::service::{HOUR, PNG, Service, expect, file_of, header, id, refused, task_on};

const KEY: &str = "idempotency-key";

#[tokio::test]
async fn a_repeated_request_gets_the_same_response_and_creates_nothing() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    for (path, document, described) in
        [("/v1/files", file_of(7), "FileDocument"), ("/v1/tasks", task_on(id(&file)), "TaskDocument")]
    {
        let post = async || {
            let response = service.post(path, &document).header(KEY, "once").send().await.unwrap();
            let location = header(response.headers(), "location").to_owned();
            (location, expect(response, StatusCode::CREATED, described).await)
        };
        if path == "/v1/files" {
            assert_eq!(post().await, post().await);
            continue;
        }
        // A key is the user's, whatever the path: that of the file is taken.
        let response = service.post(path, &document).header(KEY, "once").send().await.unwrap();
        refused(response, 422, "idempotency_mismatch").await;
    }
    let files = service.read("/v1/files", "FileList").await;
    assert_eq!(files["data"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_repeated_request_returns_the_current_resource_with_fresh_links() {
    let service = Service::start().await;
    let document = file_of(PNG.len());
    let again = || service.post("/v1/files", &document).header(KEY, "file").send();
    let first = expect(again().await.unwrap(), StatusCode::CREATED, "FileDocument").await["data"].clone();
    service.clock.advance(2 * HOUR);
    refused(service.put(&first, PNG).await, 403, "url_expired").await;
    let fresh = expect(again().await.unwrap(), StatusCode::CREATED, "FileDocument").await["data"].clone();
    assert_eq!((&fresh["id"], &fresh["attributes"]), (&first["id"], &first["attributes"]));
    assert_eq!(service.put(&fresh, PNG).await.status(), StatusCode::CREATED);
    let task = task_on(id(&first));
    let convert = || service.post("/v1/tasks", &task).header(KEY, "task").send();
    let queued = expect(convert().await.unwrap(), StatusCode::CREATED, "TaskDocument").await;
    assert_eq!(queued["data"]["attributes"]["status"], "PENDING");
    service.complete(PNG).await;
    service.clock.advance(2 * HOUR);
    let done = convert().await.unwrap();
    assert!(header(done.headers(), "location").ends_with(id(&queued["data"])));
    let done = expect(done, StatusCode::CREATED, "TaskDocument").await;
    let link = crate::service::link(&done["data"], "download");
    assert_eq!(service.client.get(link).send().await.unwrap().status(), StatusCode::OK);

    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(service.running.app.config.database());
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    let kept: Vec<Option<String>> =
        sqlx::query_scalar("SELECT body FROM answers").fetch_all(&pool).await.unwrap();
    assert_eq!(kept, [None, None]);

    let file = service.request(reqwest::Method::DELETE, &format!("/v1/files/{}", id(&first)));
    assert_eq!(file.send().await.unwrap().status(), StatusCode::NO_CONTENT);
    refused(again().await.unwrap(), 410, "file_expired").await;
}

#[tokio::test]
async fn a_different_request_with_the_same_key_is_422() {
    let service = Service::start().await;
    let first = service.post("/v1/files", &file_of(7)).header(KEY, "once").send().await.unwrap();
    expect(first, StatusCode::CREATED, "FileDocument").await;
    let other = service.post("/v1/files", &file_of(8)).header(KEY, "once").send().await.unwrap();
    refused(other, 422, "idempotency_mismatch").await;
}

#[tokio::test]
async fn a_concurrent_request_with_the_same_key_is_409() {
    let service = Service::start().await;
    let body = file_of(7).to_string();
    let store = &service.running.app.store;
    // What a request that is being worked on has left so far.
    use sha2::{Digest, Sha256};
    let request: [u8; 32] = Sha256::digest(format!("POST\n/v1/files\n{body}")).into();
    let begun = store.begin_idempotent(&service.user, "once", &request, crate::service::START).await.unwrap();
    let IdempotencyCheck::First(made) = begun else { panic!("{begun:?}") };
    let response = service.post_text("/v1/files", body.clone()).header(KEY, "once").send().await.unwrap();
    assert_eq!(header(response.headers(), "retry-after"), "1");
    refused(response, 409, "idempotency_in_flight").await;
    store.abort_idempotent(&service.user, "once", &made).await.unwrap();
    let response = service.post_text("/v1/files", body).header(KEY, "once").send().await.unwrap();
    expect(response, StatusCode::CREATED, "FileDocument").await;
}

#[tokio::test]
async fn concurrent_repeats_create_one_resource() {
    let service = Service::start().await;
    let document = file_of(7);
    let post = || service.post("/v1/files", &document).header(KEY, "once").send();
    let answers = futures_util::future::join_all((0..8).map(|_| post())).await;
    for answer in answers {
        let status = answer.unwrap().status();
        assert!([StatusCode::CREATED, StatusCode::CONFLICT].contains(&status), "{status}");
    }
    let files = service.read("/v1/files", "FileList").await;
    assert_eq!(files["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_error_response_is_not_stored() {
    let service = Service::start().await;
    let file = service.new_file(PNG.len()).await;
    let post = || service.post("/v1/tasks", &task_on(id(&file))).header(KEY, "once");
    refused(post().send().await.unwrap(), 409, "file_not_uploaded").await;
    assert_eq!(service.put(&file, PNG).await.status(), StatusCode::CREATED);
    expect(post().send().await.unwrap(), StatusCode::CREATED, "TaskDocument").await;
}

#[tokio::test]
async fn a_key_expires_after_a_day_and_belongs_to_its_user() {
    let service = Service::start().await;
    let made = async |key: &str| {
        let url = format!("{}/v1/files", service.running.url);
        let request = service.client.post(url).bearer_auth(key).header(KEY, "once");
        let request = request.header("content-type", crate::service::MEDIA_TYPE).body(file_of(7).to_string());
        let document = expect(request.send().await.unwrap(), StatusCode::CREATED, "FileDocument").await;
        id(&document["data"]).to_owned()
    };
    let first = made(&service.key).await;
    assert_ne!(first, made(&service.other_key().await).await);
    service.clock.advance(23 * HOUR);
    assert_eq!(first, made(&service.key).await);
    service.clock.advance(2 * HOUR);
    assert_ne!(first, made(&service.key).await);
}

#[tokio::test]
async fn a_malformed_key_is_400() {
    let service = Service::start().await;
    let long = "k".repeat(256);
    for key in ["", &long] {
        let response = service.post("/v1/files", &file_of(7)).header(KEY, key).send().await.unwrap();
        let error = refused(response, 400, "invalid_header").await;
        assert_eq!(error["source"]["header"], "Idempotency-Key");
    }
}

#[tokio::test]
async fn a_repeated_resumable_upload_is_the_same_file() {
    let service = Service::start().await;
    let create = async |length: usize| {
        let request = service.request(reqwest::Method::POST, "/v1/uploads").header(KEY, "once");
        request.header("tus-resumable", "1.0.0").header("upload-length", length).send().await.unwrap()
    };
    let created = async || {
        let response = create(PNG.len()).await;
        let headers = response.headers().clone();
        let file = expect(response, StatusCode::CREATED, "FileDocument").await["data"].clone();
        (header(&headers, "location").to_owned(), header(&headers, "upload-expires").to_owned(), file)
    };
    let first = created().await;
    assert_eq!(created().await, first);
    refused(create(PNG.len() + 1).await, 422, "idempotency_mismatch").await;
    assert_eq!(service.read("/v1/files", "FileList").await["data"].as_array().unwrap().len(), 1);
    let file = service.request(reqwest::Method::DELETE, &format!("/v1/files/{}", id(&first.2)));
    assert_eq!(file.send().await.unwrap().status(), StatusCode::NO_CONTENT);
    refused(create(PNG.len()).await, 410, "file_expired").await;
}
