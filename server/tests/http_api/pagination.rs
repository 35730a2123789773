//! Pagination of lists, in both directions.

use serde_json::Value;

use crate::service::{Advanced, PNG, Service, id, link};

fn ids(document: &Value) -> Vec<&str> {
    document["data"].as_array().unwrap().iter().map(id).collect()
}

/// The path and query of a link, as it has to be followed.
fn follow<'a>(service: &Service, document: &'a Value, name: &str) -> Option<&'a str> {
    document["links"][name]
        .as_str()
        .map(|link| link.strip_prefix(&service.running.url).expect("an absolute link"))
}

#[tokio::test]
async fn pages_go_from_the_newest_to_the_oldest_and_back() {
    let service = Service::start().await;
    let mut made = Vec::new();
    for _ in 0..5 {
        service.clock.advanced();
        made.insert(0, id(&service.new_file(1).await).to_owned());
    }
    let first = service.read("/v1/files?page[size]=2", "FileList").await;
    assert_eq!(ids(&first), made[..2]);
    assert_eq!(first["links"]["prev"], Value::Null);
    assert_eq!(first["meta"]["rangeTruncated"], true);
    let second = service.read(follow(&service, &first, "next").unwrap(), "FileList").await;
    assert_eq!(ids(&second), made[2..4]);
    let third = service.read(follow(&service, &second, "next").unwrap(), "FileList").await;
    assert_eq!(ids(&third), made[4..]);
    assert_eq!(third["links"]["next"], Value::Null);
    assert_eq!(third["meta"]["rangeTruncated"], false);
    let back = service.read(follow(&service, &third, "prev").unwrap(), "FileList").await;
    assert_eq!(ids(&back), made[2..4]);
    assert_eq!(back["meta"]["rangeTruncated"], true);
    let start = service.read(follow(&service, &back, "prev").unwrap(), "FileList").await;
    assert_eq!(ids(&start), made[..2]);
    assert_eq!(start["links"]["prev"], Value::Null);
}

#[tokio::test]
async fn the_default_page_size_is_20() {
    let service = Service::start().await;
    for _ in 0..21 {
        service.new_file(1).await;
    }
    let first = service.read("/v1/files", "FileList").await;
    assert_eq!(ids(&first).len(), 20);
    let rest = service.read(follow(&service, &first, "next").unwrap(), "FileList").await;
    assert_eq!(ids(&rest).len(), 1, "also where all were made at the same moment of the clock");
    assert_eq!(ids(&service.read("/v1/files?page%5Bsize%5D=100", "FileList").await).len(), 21);
}

#[tokio::test]
async fn an_empty_list_has_no_neighbors_and_an_empty_page_leads_back() {
    let service = Service::start().await;
    for (path, described) in [("/v1/files", "FileList"), ("/v1/tasks", "TaskList")] {
        let list = service.read(path, described).await;
        assert_eq!(list["data"], serde_json::json!([]));
        assert_eq!(list["links"], serde_json::json!({ "prev": null, "next": null }));
    }
    let file = service.new_file(1).await;
    let empty = service.read("/v1/files?page[after]=2026-01-01T00:00:00Z", "FileList").await;
    assert_eq!(ids(&empty), Vec::<&str>::new());
    let back = service.read(follow(&service, &empty, "prev").unwrap(), "FileList").await;
    assert_eq!(ids(&back), [id(&file)]);
    let empty = service.read("/v1/files?page[before]=2026-01-01T00:00:00Z", "FileList").await;
    let on = service.read(follow(&service, &empty, "next").unwrap(), "FileList").await;
    assert_eq!(ids(&on), [id(&file)]);
}

#[tokio::test]
async fn a_list_of_tasks_includes_each_file_once() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    for _ in 0..3 {
        service.task(&file).await;
    }
    service.complete(PNG).await;
    let list = service.read("/v1/tasks", "TaskList").await;
    assert_eq!(ids(&list).len(), 3);
    let mut included: Vec<&str> = list["included"].as_array().unwrap().iter().map(id).collect();
    let oldest = &list["data"][2];
    let mut expected = vec![id(&file), id(&oldest["relationships"]["output"]["data"])];
    included.sort_unstable();
    expected.sort_unstable();
    assert_eq!(included, expected);
    assert!(!link(oldest, "download").is_empty());
    assert!(list["data"][0]["links"].get("download").is_none());
}

#[tokio::test]
async fn lists_contain_only_own_resources() {
    let service = Service::start().await;
    service.file(PNG).await;
    let url = format!("{}/v1/files", service.running.url);
    let response = service.client.get(url).bearer_auth(service.other_key().await).send().await.unwrap();
    let list = crate::service::expect(response, reqwest::StatusCode::OK, "FileList").await;
    assert_eq!(list["data"], serde_json::json!([]));
}
