//! The operator's page and what it calls. `tests/server/admin.test.mjs` uses the page in Chromium.

use std::time::Duration;

use filepress_server::scopes::Scopes;
use futures_util::TryStreamExt;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::service::{Advanced, MEDIA_TYPE, PNG, Service, expect, file_of, header, id, refused};

struct Operator {
    service: Service,
    key: String,
}

impl Operator {
    async fn new() -> Self {
        let service = Service::with_admin().await;
        let key = service.limited_key("admin", None).await;
        Self { service, key }
    }

    fn call(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.service.running.admin_url.as_ref().unwrap());
        self.service.client.request(method, url).bearer_auth(&self.key)
    }

    async fn read(&self, path: &str, described: &str) -> Value {
        expect(self.call(Method::GET, path).send().await.unwrap(), StatusCode::OK, described).await
    }

    fn send(&self, method: Method, path: &str, document: &Value) -> RequestBuilder {
        self.call(method, path).header(CONTENT_TYPE, MEDIA_TYPE).body(document.to_string())
    }

    /// The items of a list, of which each page has `size`, and the number of pages.
    async fn walk(&self, path: &str, size: usize, described: &str) -> (Vec<Value>, usize) {
        let (mut next, mut items, mut pages) = (Some(format!("{path}page%5Bsize%5D={size}")), Vec::new(), 0);
        while let Some(path) = next {
            let document = self.read(&path, described).await;
            items.extend(document["data"].as_array().unwrap().iter().cloned());
            next = document["links"]["next"].as_str().map(str::to_owned);
            assert_eq!(document["meta"]["rangeTruncated"], next.is_some());
            pages += 1;
        }
        (items, pages)
    }
}

fn new_key(attributes: Value) -> Value {
    json!({ "data": { "type": "keys", "attributes": attributes } })
}

fn ids(items: &[Value]) -> Vec<&str> {
    items.iter().map(id).collect()
}

#[tokio::test]
async fn the_queue_and_the_storage_are_counted() {
    let operator = Operator::new().await;
    let service = &operator.service;
    let file = service.file(PNG).await;
    service.new_file(10).await;
    service.task(&file).await;
    service.clock.advance(Duration::from_secs(5));
    let status = operator.read("/v1/admin/status", "AdminStatusDocument").await["data"]["attributes"].clone();
    let image = json!({ "lane": "image", "pending": 1, "processing": 0, "oldest_age_seconds": 5 });
    assert_eq!(status["queue"][0], image);
    assert_eq!(status["queue"][1]["oldest_age_seconds"], Value::Null);
    let storage = &status["storage"];
    assert_eq!((&storage["files"], &storage["bytes"]), (&json!(1), &json!(PNG.len())));
    assert_eq!((&storage["awaited_files"], &storage["contents"]), (&json!(1), &json!("folder")));
    assert_eq!((&status["users"], &status["callbacks_pending"]), (&json!(1), &json!(0)));
}

#[tokio::test]
async fn tasks_of_all_users_are_listed_and_canceled() {
    let operator = Operator::new().await;
    let service = &operator.service;
    // The clock stands: tasks of two users have the same time.
    let mut expected = Vec::new();
    let other = service.other_key().await;
    for key in [&service.key, &other] {
        for _ in 0..2 {
            let post = |path: &str, document: Value| {
                let request = service.client.post(format!("{}{path}", service.running.local_url));
                request.bearer_auth(key).header(CONTENT_TYPE, MEDIA_TYPE).body(document.to_string())
            };
            let file = post("/v1/files", file_of(PNG.len())).send().await.unwrap();
            let file = expect(file, StatusCode::CREATED, "FileDocument").await["data"].clone();
            service.put(&file, PNG).await;
            let task = post("/v1/tasks", crate::service::task_on(id(&file))).send().await.unwrap();
            let task = expect(task, StatusCode::CREATED, "TaskDocument").await;
            expected.push(id(&task["data"]).to_owned());
        }
    }
    for (size, pages) in [(1, 4), (3, 2), (4, 1), (100, 1)] {
        let (tasks, walked) = operator.walk("/v1/admin/tasks?", size, "AdminTaskList").await;
        let mut found = ids(&tasks);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!((found, walked), (expected.iter().map(String::as_str).collect(), pages));
    }
    let document = operator.read("/v1/admin/tasks", "AdminTaskList").await;
    let owners: Vec<_> =
        document["data"].as_array().unwrap().iter().map(|task| &task["attributes"]["email"]).collect();
    assert!(owners.contains(&&json!("one@example.org")) && owners.contains(&&json!("other@example.org")));
    assert!(!document.to_string().contains("signature"), "a signed URL: {document}");

    let path = format!("/v1/admin/tasks/{}", expected[0]);
    let cancel =
        json!({ "data": { "type": "tasks", "id": expected[0], "attributes": { "status": "FAILED" } } });
    for _ in 0..2 {
        let canceled = operator.send(Method::PATCH, &path, &cancel).send().await.unwrap();
        let canceled = expect(canceled, StatusCode::OK, "AdminTaskDocument").await;
        assert_eq!(canceled["data"]["attributes"]["error"]["code"], "canceled");
        assert_eq!(canceled["data"]["attributes"]["error"]["detail"], "The operator canceled the task.");
    }
    for (status, count) in [("FAILED", 1), ("PENDING", 3), ("PROCESSING", 0), ("COMPLETED", 0)] {
        let path = format!("/v1/admin/tasks?filter%5Bstatus%5D={status}&");
        let (tasks, _) = operator.walk(&path, 2, "AdminTaskList").await;
        assert_eq!(tasks.len(), count, "{status}");
    }
    let unknown = operator.send(
        Method::PATCH,
        "/v1/admin/tasks/nothing",
        &json!({
            "data": { "type": "tasks", "id": "nothing", "attributes": { "status": "FAILED" } }
        }),
    );
    refused(unknown.send().await.unwrap(), 404, "not_found").await;
    let ended = service.complete(b"made").await.id;
    let late = json!({ "data": { "type": "tasks", "id": ended, "attributes": { "status": "FAILED" } } });
    let late = operator.send(Method::PATCH, &format!("/v1/admin/tasks/{ended}"), &late).send().await.unwrap();
    refused(late, 409, "task_ended").await;
}

#[tokio::test]
async fn keys_are_created_listed_and_revoked() {
    let operator = Operator::new().await;
    let service = &operator.service;
    let given = json!({
        "email": "two@example.org", "name": "shop", "scopes": "tasks:read,files:read", "expires_at": "2026-01-01T01:00:00Z",
    });
    service.clock.advanced();
    let created = operator.send(Method::POST, "/v1/admin/keys", &new_key(given)).send().await.unwrap();
    let created = expect(created, StatusCode::CREATED, "AdminKeyDocument").await["data"].clone();
    let secret = created["meta"]["key"].as_str().unwrap();
    assert_eq!(created["attributes"]["scopes"], "files:read,tasks:read");
    let read =
        |path: &str| service.client.get(format!("{}{path}", service.running.local_url)).bearer_auth(secret);
    let owner = expect(read("/v1/users/me").send().await.unwrap(), StatusCode::OK, "UserDocument").await;
    assert_eq!(owner["data"]["attributes"]["email"], "two@example.org");
    let (keys, pages) = operator.walk("/v1/admin/keys?", 2, "AdminKeyList").await;
    assert_eq!((ids(&keys)[0], keys.len(), pages), (id(&created), 3, 2));
    assert!(keys.iter().all(|key| key.get("meta").is_none()), "no key is shown again: {keys:?}");

    let path = format!("/v1/admin/keys/{}", id(&created));
    let revoke = operator.call(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(revoke.status(), StatusCode::NO_CONTENT);
    refused(read("/v1/users/me").send().await.unwrap(), 401, "unauthorized").await;
    refused(operator.call(Method::DELETE, &path).send().await.unwrap(), 404, "not_found").await;
    // Its first characters are no id, as several keys may have them.
    let prefix = operator.call(Method::DELETE, &format!("/v1/admin/keys/{}", &service.key[..11]));
    refused(prefix.send().await.unwrap(), 404, "not_found").await;
    service.read("/v1/users/me", "UserDocument").await;

    // What the operator did is in the log of keys.
    let log = service
        .running
        .app
        .store
        .key_log(Some(&operator.key[..11]), crate::service::START)
        .try_collect::<Vec<_>>()
        .await
        .unwrap();
    let mut changes: Vec<_> =
        log.into_iter().filter_map(|(event, _)| event.request).map(|request| request.method).collect();
    changes.sort();
    assert_eq!(changes, ["DELETE", "DELETE", "DELETE", "POST"]);
}

/// The key could not be shown again.
#[tokio::test]
async fn a_request_that_creates_a_key_cannot_be_repeated() {
    let operator = Operator::new().await;
    let create =
        operator.send(Method::POST, "/v1/admin/keys", &new_key(json!({ "email": "two@example.org" })));
    let response = create.header("idempotency-key", "once").send().await.unwrap();
    let refusal = refused(response, 400, "invalid_header").await;
    assert_eq!(refusal["source"]["header"], "Idempotency-Key");
    let (keys, _) = operator.walk("/v1/admin/keys?", 100, "AdminKeyList").await;
    assert_eq!(keys.len(), 2, "{keys:?}");
}

#[tokio::test]
async fn a_key_of_the_page_cannot_make_one_like_itself() {
    let operator = Operator::new().await;
    for (attributes, pointer) in [
        (json!({ "email": "a@b", "scopes": "admin" }), "/data/attributes/scopes"),
        (json!({ "email": "a@b", "scopes": "files:read,admin" }), "/data/attributes/scopes"),
        (json!({ "email": "a@b", "scopes": "everything" }), "/data/attributes/scopes"),
        (json!({ "email": "nobody" }), "/data/attributes/email"),
        (json!({ "email": "a@b", "name": "two\nlines" }), "/data/attributes/name"),
        (json!({ "email": "a@b", "expires_at": "2026-01-01T00:00:00Z" }), "/data/attributes/expires_at"),
        (json!({ "email": "a@b", "expires_at": "tomorrow" }), "/data/attributes/expires_at"),
    ] {
        let response =
            operator.send(Method::POST, "/v1/admin/keys", &new_key(attributes)).send().await.unwrap();
        assert_eq!(refused(response, 422, "invalid_value").await["source"]["pointer"], pointer);
    }
    let (keys, _) = operator.walk("/v1/admin/keys?", 100, "AdminKeyList").await;
    assert_eq!(keys.len(), 2, "nothing was created");
}

#[tokio::test]
async fn only_a_key_that_names_the_scope_opens_it_and_only_there() {
    let operator = Operator::new().await;
    let service = &operator.service;
    let keys = service.running.app.store.keys().await.unwrap();
    assert!(keys.iter().any(|(key, _)| key.rights.scopes == Scopes::ALL), "{keys:?}");
    let url = format!("{}/v1/admin/status", operator.service.running.admin_url.as_ref().unwrap());
    for key in
        [&service.key, &service.limited_key("files:read,files:write,tasks:read,tasks:write", None).await]
    {
        let response = service.client.get(&url).bearer_auth(key).send().await.unwrap();
        assert!(header(response.headers(), "www-authenticate").contains("scope=\"admin\""));
        refused(response, 403, "missing_scope").await;
    }
    let response = service.client.get(&url).send().await.unwrap();
    refused(response, 401, "unauthorized").await;
    // The address of the API has none of it, and that of the page nothing else.
    refused(service.get("/v1/admin/status").send().await.unwrap(), 404, "not_found").await;
    assert_eq!(service.get("/page.js").send().await.unwrap().status(), StatusCode::NOT_FOUND);
    for path in ["/v1/files", "/v1/users/me", "/metrics"] {
        refused(operator.call(Method::GET, path).send().await.unwrap(), 404, "not_found").await;
    }
    // Nor may a page of another origin call it.
    let preflight =
        operator.call(Method::OPTIONS, "/v1/admin/keys").header("Origin", "https://other.example");
    let preflight = preflight.header("Access-Control-Request-Method", "POST").send().await.unwrap();
    assert!(!preflight.headers().contains_key("access-control-allow-origin"));
    assert!(Service::start().await.running.admin_url.is_none(), "there is none unless it is asked for");
}

#[tokio::test]
async fn the_files_of_the_page_have_a_strict_policy() {
    let operator = Operator::new().await;
    for (path, content_type) in [
        ("/", "text/html; charset=utf-8"),
        ("/page.css", "text/css; charset=utf-8"),
        ("/page.js", "text/javascript; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let url = format!("{}{path}", operator.service.running.admin_url.as_ref().unwrap());
        let response = operator.service.client.get(url).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let headers = response.headers();
        assert_eq!(header(headers, "content-type"), content_type);
        assert_eq!(header(headers, "x-content-type-options"), "nosniff");
        let policy = header(headers, "content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; ") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe") && !policy.contains("data:") && !policy.contains('*'), "{policy}");
    }
}
