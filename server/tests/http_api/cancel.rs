//! Owners cancel tasks by `PATCH` and delete files by `DELETE`.

use std::collections::BTreeMap;

use filepress_server::store::records::Lane;
use futures_util::future::join_all;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::service::{Advanced, HOUR, MEDIA_TYPE, PNG, Service, expect, header, id, link, refused, task_on};

const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

fn cancellation(task: &str) -> Value {
    json!({ "data": { "type": "tasks", "id": task, "attributes": { "status": "FAILED" } } })
}

fn patch(service: &Service, task: &str, document: &Value) -> RequestBuilder {
    let request = service.request(Method::PATCH, &format!("/v1/tasks/{task}"));
    request.header(CONTENT_TYPE, MEDIA_TYPE).body(document.to_string())
}

async fn cancel(service: &Service, task: &str) -> Value {
    let response = patch(service, task, &cancellation(task)).send().await.unwrap();
    expect(response, StatusCode::OK, "TaskDocument").await
}

fn delete(service: &Service, file: &str) -> RequestBuilder {
    service.request(Method::DELETE, &format!("/v1/files/{file}"))
}

#[tokio::test]
async fn canceling_a_waiting_task_is_idempotent() {
    let service = Service::start().await;
    let task = service.task(&service.file(PNG).await).await["data"].clone();
    let canceled = cancel(&service, id(&task)).await;
    let attributes = &canceled["data"]["attributes"];
    assert_eq!(attributes["status"], "FAILED");
    assert_eq!(attributes["processing_metadata"]["error"]["code"], "canceled");
    assert!(attributes["processed_at"].is_string() && attributes["started_at"].is_null());
    service.clock.advance(HOUR / 2);
    let again = cancel(&service, id(&task)).await;
    assert_eq!(again["data"], canceled["data"]);
    assert_eq!(
        service.read(&format!("/v1/tasks/{}", id(&task)), "TaskDocument").await["data"],
        canceled["data"]
    );
    let store = &service.running.app.store;
    assert!(
        store
            .claim(Lane::Image, "test", false, HOUR, None, service.clock.advanced())
            .await
            .unwrap()
            .is_none()
    );
    let metrics = service.running.app.metrics.text(store, service.clock.advanced()).await.unwrap();
    let counted = "filepress_tasks_total{input=\"image/png\",output=\"image/png\",outcome=\"canceled\"} 1";
    assert!(metrics.contains(counted), "{metrics}");
}

#[tokio::test]
async fn the_result_of_a_canceled_task_is_fenced_off() {
    let service = Service::start().await;
    let task = service.task(&service.file(PNG).await).await["data"].clone();
    let (store, now) = (&service.running.app.store, service.clock.advanced());
    let claim = store.claim(Lane::Image, "test", false, HOUR, None, now).await.unwrap().unwrap();
    let before = cancel(&service, id(&task)).await["data"].clone();
    assert!(before["attributes"]["started_at"].is_string());
    assert!(!store.heartbeat(&claim, &serde_json::Map::new(), HOUR, now).await.unwrap());
    assert!(!store.release(&claim, now).await.unwrap());
    assert!(!store.fail(&claim, serde_json::Map::new(), now).await.unwrap());
    assert!(store.retry(&claim, serde_json::Map::new(), now, now).await.unwrap().is_none());
    assert_eq!(store.recover(now).await.unwrap(), 0);
    assert_eq!(service.read(&format!("/v1/tasks/{}", id(&task)), "TaskDocument").await["data"], before);
}

#[tokio::test]
async fn canceling_an_ended_task_is_409_and_one_of_another_user_404() {
    let service = Service::start().await;
    let task = service.task(&service.file(PNG).await).await["data"].clone();
    let url = format!("{}/v1/tasks/{}", service.running.url, id(&task));
    let stranger = service.client.patch(url).bearer_auth(service.other_key().await);
    let stranger = stranger.header(CONTENT_TYPE, MEDIA_TYPE).body(cancellation(id(&task)).to_string());
    refused(stranger.send().await.unwrap(), 404, "not_found").await;
    refused(patch(&service, NOBODY, &cancellation(NOBODY)).send().await.unwrap(), 404, "not_found").await;
    service.complete(PNG).await;
    let late = patch(&service, id(&task), &cancellation(id(&task))).send().await.unwrap();
    refused(late, 409, "task_ended").await;
}

#[tokio::test]
async fn other_members_of_a_task_cannot_be_changed() {
    let service = Service::start().await;
    let task = service.task(&service.file(PNG).await).await["data"].clone();
    let id = id(&task);
    let with = |pointer: &str, value: Value| {
        let mut document = cancellation(id);
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        document.pointer_mut(parent).unwrap()[name] = value;
        document
    };
    for (document, status, code, pointer) in [
        (
            with("/data/attributes/status", json!("COMPLETED")),
            422,
            "invalid_value",
            "/data/attributes/status",
        ),
        (with("/data/attributes/status", json!(1)), 422, "invalid_value", "/data/attributes/status"),
        (with("/data/attributes/public", json!(true)), 403, "read_only_member", "/data/attributes/public"),
        (with("/data/attributes/a~b", json!(1)), 403, "read_only_member", "/data/attributes/a~0b"),
        (with("/data/relationships", json!({})), 403, "read_only_member", "/data/relationships"),
        (with("/data/attributes", json!({})), 422, "missing_member", "/data/attributes"),
        (with("/data/attributes", json!([])), 400, "invalid_document", "/data/attributes"),
        (with("/data/type", json!("files")), 409, "type_mismatch", "/data/type"),
        (with("/data/id", json!(NOBODY)), 409, "id_mismatch", "/data/id"),
        (with("/data/id", json!(1)), 400, "invalid_document", "/data/id"),
        (json!({ "data": { "type": "tasks", "attributes": {} } }), 400, "invalid_document", "/data"),
        (json!([]), 400, "invalid_document", ""),
    ] {
        let error = refused(patch(&service, id, &document).send().await.unwrap(), status, code).await;
        assert_eq!(error["source"]["pointer"], pointer, "{document}");
    }
    let text = service.request(Method::PATCH, &format!("/v1/tasks/{id}")).body("{}");
    refused(text.send().await.unwrap(), 415, "unsupported_media_type").await;
    let now = service.read(&format!("/v1/tasks/{id}"), "TaskDocument").await;
    assert_eq!(now["data"]["attributes"]["status"], "PENDING");
}

#[tokio::test]
async fn deleting_a_file_deletes_its_content_and_links() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let stranger = service.client.delete(format!("{}/v1/files/{}", service.running.url, id(&file)));
    let stranger = stranger.bearer_auth(service.other_key().await).send().await.unwrap();
    refused(stranger, 404, "not_found").await;
    let store = &service.running.app.store;
    let blob = store.file_by_id(id(&file)).await.unwrap().unwrap().blob.unwrap();
    let path = service.running.app.config.data.join("blobs").join(&blob[..2]).join(&blob);
    assert!(path.exists());
    let response = delete(&service, id(&file)).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    assert_eq!(header(response.headers(), "content-type"), "");
    assert!(response.bytes().await.unwrap().is_empty());
    assert!(!path.exists());
    refused(delete(&service, id(&file)).send().await.unwrap(), 404, "not_found").await;
    refused(service.get(&format!("/v1/files/{}", id(&file))).send().await.unwrap(), 404, "not_found").await;
    let download = service.client.get(link(&file, "download")).send().await.unwrap();
    refused(download, 410, "file_expired").await;
    refused(service.post("/v1/tasks", &task_on(id(&file))).send().await.unwrap(), 404, "not_found").await;
    let list = service.read("/v1/files", "FileList").await;
    assert_eq!(list["data"], json!([]));
}

#[tokio::test]
async fn a_file_is_kept_while_an_unfinished_task_reads_it() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let task = service.task(&file).await["data"].clone();
    refused(delete(&service, id(&file)).send().await.unwrap(), 409, "file_in_use").await;
    service.complete(b"made").await;
    let done = service.read(&format!("/v1/tasks/{}", id(&task)), "TaskDocument").await;
    let output = done["data"]["relationships"]["output"]["data"]["id"].as_str().unwrap();
    for file in [id(&file), output] {
        assert_eq!(delete(&service, file).send().await.unwrap().status(), StatusCode::NO_CONTENT);
    }
    let done = service.read(&format!("/v1/tasks/{}", id(&task)), "TaskDocument").await;
    assert_eq!((&done["included"], &done["data"]["links"]["download"]), (&json!([]), &Value::Null));
}

#[tokio::test]
async fn an_upload_to_a_deleted_file_is_discarded() {
    let service = Service::start().await;
    let file = service.new_file(PNG.len()).await;
    let (first, rest) = PNG.split_at(20);
    let (sender, receiver) = tokio::sync::mpsc::channel::<Vec<u8>>(1);
    sender.send(first.to_vec()).await.unwrap();
    let body = futures_util::stream::unfold(receiver, |mut receiver| async {
        receiver.recv().await.map(|chunk| (Ok::<_, std::io::Error>(chunk), receiver))
    });
    let upload = service.client.put(link(&file, "upload")).header("content-length", PNG.len());
    let upload = tokio::spawn(upload.body(reqwest::Body::wrap_stream(body)).send());
    // The second send has room only once the first chunk is on its way.
    sender.send(rest[..1].to_vec()).await.unwrap();
    let incoming = service.data.path().join("incoming");
    while std::fs::read_dir(&incoming).unwrap().count() == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(delete(&service, id(&file)).send().await.unwrap().status(), StatusCode::NO_CONTENT);
    // It does not wait for the bytes that are still to come.
    refused(upload.await.unwrap().unwrap(), 410, "file_expired").await;
    drop(sender);
    while walk(&incoming) > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(walk(&service.data.path().join("blobs")), 0);
}

/// How many files there are below a folder.
fn walk(folder: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { walk(&path) } else { 1 }).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_cancels_deletions_and_claims_are_consistent() {
    let service = Service::start().await;
    for _ in 0..8 {
        let file = service.file(PNG).await;
        let task = service.task(&file).await["data"].clone();
        let (task, file) = (id(&task), id(&file));
        let now = service.clock.advanced();
        let patches = join_all((0..12).map(|_| patch(&service, task, &cancellation(task)).send()));
        let deletions = join_all((0..12).map(|_| delete(&service, file).send()));
        let store = &service.running.app.store;
        let claims = join_all((0..12).map(|_| store.claim(Lane::Image, "test", false, HOUR, None, now)));
        let (patches, deletions, claims) = tokio::join!(patches, deletions, claims);
        let mut seen = BTreeMap::<u16, usize>::new();
        for deletion in deletions {
            *seen.entry(deletion.unwrap().status().as_u16()).or_default() += 1;
        }
        assert!(seen.keys().all(|status| [204, 404, 409].contains(status)), "{seen:?}");
        assert!(seen.get(&204).is_none_or(|count| *count == 1), "{seen:?}");
        for patch in patches {
            assert_eq!(patch.unwrap().status(), StatusCode::OK);
        }
        let claims: Vec<_> = claims.into_iter().filter_map(Result::unwrap).collect();
        assert!(claims.len() <= 1, "{claims:?}");
        for claim in claims {
            assert!(!store.fail(&claim, serde_json::Map::new(), now).await.unwrap());
        }
        let last = delete(&service, file).send().await.unwrap().status().as_u16();
        assert_eq!(last, if seen.contains_key(&204) { 404 } else { 204 });
    }
    assert_eq!(walk(&service.data.path().join("blobs")), 0);
}
