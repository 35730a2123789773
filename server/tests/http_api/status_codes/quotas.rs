//! The status table: quotas of a user.

use std::time::Duration;

use reqwest::{Method, StatusCode};

use crate::service::{HOUR, PNG, Service, expect, file_of, header, id, refused, task_on};

/// The seconds of `Retry-After`.
fn wait(response: &reqwest::Response) -> u64 {
    header(response.headers(), "retry-after").parse().unwrap()
}

#[tokio::test]
async fn more_bytes_than_a_user_may_store_are_429() {
    let service = Service::with(|config| config.max_bytes_per_user = Some(1000)).await;
    let post = |size| service.post("/v1/files", &file_of(size)).send();
    let first = service.new_file(400).await;
    service.clock.advance(HOUR);
    service.new_file(500).await;
    let response = post(101).await.unwrap();
    // 24 h after the first was declared.
    assert_eq!(wait(&response), 23 * 3600 + 1);
    let error = refused(response, 429, "storage_quota_exceeded").await;
    assert_eq!(error["source"]["pointer"], "/data/attributes/size");
    // The first has 400 bytes: what needs more has to wait for the second too.
    assert_eq!(wait(&post(500).await.unwrap()), 23 * 3600 + 1);
    assert_eq!(wait(&post(501).await.unwrap()), 24 * 3600 + 1);
    let never = post(1001).await.unwrap();
    assert!(!never.headers().contains_key("retry-after"));
    refused(never, 429, "storage_quota_exceeded").await;
    expect(post(100).await.unwrap(), StatusCode::CREATED, "FileDocument").await;
    refused(post(1).await.unwrap(), 429, "storage_quota_exceeded").await;
    let delete = service.request(Method::DELETE, &format!("/v1/files/{}", id(&first)));
    assert_eq!(delete.send().await.unwrap().status(), StatusCode::NO_CONTENT);
    expect(post(400).await.unwrap(), StatusCode::CREATED, "FileDocument").await;
    service.clock.advance(25 * HOUR);
    expect(post(1000).await.unwrap(), StatusCode::CREATED, "FileDocument").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_storage_quota_holds_under_concurrency() {
    let service = Service::with(|config| config.max_bytes_per_user = Some(1000)).await;
    let document = file_of(150);
    let post = || service.post("/v1/files", &document).send();
    let answers = futures_util::future::join_all((0..20).map(|_| post())).await;
    let made = answers.into_iter().filter(|answer| answer.as_ref().unwrap().status() == StatusCode::CREATED);
    assert_eq!(made.count(), 6);
}

#[tokio::test]
async fn a_task_without_room_for_its_output_is_429() {
    let service = Service::with(|config| config.max_bytes_per_user = Some(PNG.len() as u64 + 1)).await;
    let file = service.file(PNG).await;
    let post = || service.post("/v1/tasks", &task_on(id(&file))).send();
    expect(post().await.unwrap(), StatusCode::CREATED, "TaskDocument").await;
    service.new_file(1).await;
    let response = post().await.unwrap();
    // The file that waits for its upload is the first to expire.
    assert_eq!(wait(&response), 24 * 3600 + 1);
    refused(response, 429, "storage_quota_exceeded").await;
}

#[tokio::test]
async fn more_processor_time_than_a_user_may_take_is_429_until_tomorrow() {
    let service = Service::with(|config| config.max_cpu_per_user = Some(Duration::from_secs(60))).await;
    let file = service.file(PNG).await;
    let post = || service.post("/v1/tasks", &task_on(id(&file))).send();
    let (store, user) = (&service.running.app.store, &service.user);
    service.clock.advance(HOUR);
    for _ in 0..2 {
        expect(post().await.unwrap(), StatusCode::CREATED, "TaskDocument").await;
        store
            .charge(user, Duration::from_secs(30), filepress_server::clock::Clock::now(&service.clock))
            .await
            .unwrap();
    }
    let response = post().await.unwrap();
    // The clock began at midnight.
    assert_eq!(wait(&response), 23 * 3600 + 1);
    refused(response, 429, "processing_quota_exceeded").await;
    service.clock.advance(23 * HOUR);
    expect(post().await.unwrap(), StatusCode::CREATED, "TaskDocument").await;
}
