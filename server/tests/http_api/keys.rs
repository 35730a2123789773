//! Keys with limited rights: what each scope opens, what an expired key gets, and what the log of keys has of it.

use std::io::Write;
use std::time::Duration;

use filepress_server::http::api_key::ApiKey;
use filepress_server::http::key_scope::Need;
use filepress_server::scopes::{Scope, Scopes};
use filepress_server::store::records::{KEY_USE_RESOLUTION, KeyEvent, KeyEventKind, KeyRights};
use futures_util::TryStreamExt;
use reqwest::{Method, RequestBuilder, StatusCode};

use crate::binary::{Program, run};
use crate::service::{HOUR, PNG, START, Service, expect, file_of, header, id, refused, task_on};

impl Service {
    /// A key of the same user.
    pub(crate) async fn limited_key(&self, scopes: &str, expires_at: Option<Duration>) -> String {
        let key = ApiKey::generate().unwrap();
        let rights = KeyRights {
            name: scopes.to_owned(),
            scopes: scopes.parse().unwrap(),
            expires_at: expires_at.map(|time| START.after(time)),
        };
        self.running.app.store.add_key(&self.user, key.prefix(), &key.hash(), &rights, START).await.unwrap();
        key.expose().to_owned()
    }

    fn with_key(&self, key: &str, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.running.local_url)).bearer_auth(key)
    }

    /// What the log has of a key since it was created.
    async fn log(&self, key: &str) -> Vec<KeyEvent> {
        let log =
            self.running.app.store.key_log(Some(&key[..11]), START).try_collect::<Vec<_>>().await.unwrap();
        log.into_iter().map(|(event, _)| event).filter(|event| event.kind != KeyEventKind::Created).collect()
    }
}

#[tokio::test]
async fn each_operation_needs_the_scope_that_the_description_names() {
    let service = Service::with_admin().await;
    let admin = service.running.admin_url.as_ref().unwrap();
    let mut keys = Vec::new();
    for scope in Scope::ALL {
        let others: Vec<_> =
            Scope::ALL.into_iter().filter(|other| *other != scope).map(Scope::as_str).collect();
        let one = service.limited_key(scope.as_str(), None).await;
        keys.push((scope.as_str(), one, service.limited_key(&others.join(","), None).await));
    }
    let description = filepress_server::openapi::description();
    let (mut limited, mut open_to_all) = (0, 0);
    for (path, operations) in description["paths"].as_object().unwrap() {
        let base = if path.starts_with("/v1/admin/") { admin } else { &service.running.local_url };
        let url = format!("{base}{}", path.replace("{id}", "unknown").replace("{name}", "input"));
        let with_key = |key: &str, method, url: &str| service.client.request(method, url).bearer_auth(key);
        for (method, operation) in operations
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, operation)| operation.get("responses").is_some())
        {
            if operation.get("security").is_some_and(|security| security == &serde_json::json!([])) {
                continue;
            }
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let Some(scope) = operation["security"][0]["key"][0].as_str() else {
                // An operation without a scope is open to each key.
                let response = with_key(&keys[0].1, method, &url).send().await.unwrap();
                assert_eq!(response.status(), StatusCode::OK, "{path}");
                open_to_all += 1;
                continue;
            };
            let (_, one, others) = keys.iter().find(|(name, ..)| *name == scope).expect("a known scope");
            let response = with_key(others, method.clone(), &url).send().await.unwrap();
            let challenge = header(response.headers(), "www-authenticate").to_owned();
            assert!(challenge.contains("error=\"insufficient_scope\""), "{challenge}");
            assert!(challenge.contains(&format!("scope=\"{scope}\"")), "{challenge}");
            refused(response, 403, "missing_scope").await;
            let response = with_key(one, method.clone(), &url).send().await.unwrap();
            assert_ne!(response.status(), StatusCode::FORBIDDEN, "{method} {path}");
            limited += 1;
        }
    }
    assert_eq!((limited, open_to_all), (17, 1));
}

#[test]
fn a_path_without_a_scope_is_closed_to_limited_keys() {
    let limited: Scopes = Scope::ALL.map(Scope::as_str).join(",").parse().unwrap();
    for path in ["", "/v1", "/v1/", "/v1/keys", "/v1/files2", "/v2"] {
        let need = Need::of(&Method::GET, path);
        assert!(need.is_met_by(&Scopes::ALL) && !need.is_met_by(&limited), "{path}: {need:?}");
    }
    assert!(Need::of(&Method::GET, "/v1/users/me").is_met_by(&limited));
}

#[tokio::test]
async fn a_key_for_tasks_reads_their_files_and_no_others() {
    let service = Service::start().await;
    let file = service.file(PNG).await;
    let key = service.limited_key("tasks:read,tasks:write", None).await;
    let create = service.with_key(&key, Method::POST, "/v1/tasks");
    let create =
        create.header("content-type", crate::service::MEDIA_TYPE).body(task_on(id(&file)).to_string());
    let task = expect(create.send().await.unwrap(), StatusCode::CREATED, "TaskDocument").await;
    service.complete(b"made").await;
    let path = format!("/v1/tasks/{}", id(&task["data"]));
    let task = service.with_key(&key, Method::GET, &path).send().await.unwrap();
    let task = expect(task, StatusCode::OK, "TaskDocument").await;
    let link = task["data"]["links"]["download"].as_str().unwrap();
    assert_eq!(service.client.get(link).send().await.unwrap().bytes().await.unwrap(), "made");
    let path = format!("/v1/files/{}", id(&file));
    refused(service.with_key(&key, Method::GET, &path).send().await.unwrap(), 403, "missing_scope").await;
}

#[tokio::test]
async fn a_key_is_refused_from_its_end_on() {
    let service = Service::start().await;
    let key = service.limited_key("all", Some(HOUR)).await;
    let me = async || service.with_key(&key, Method::GET, "/v1/users/me").send().await.unwrap();
    service.clock.advance(HOUR - Duration::from_nanos(1));
    expect(me().await, StatusCode::OK, "UserDocument").await;
    service.clock.advance(Duration::from_nanos(1));
    let response = me().await;
    assert!(header(response.headers(), "www-authenticate").contains("error=\"invalid_token\""));
    let error = refused(response, 401, "key_expired").await;
    assert!(error["detail"].as_str().unwrap().contains("2026-01-01T01:00:00Z"), "{error}");
    // A revoked key says no more than an unknown one.
    assert!(service.running.app.store.revoke_key(&key[..11], START).await.unwrap());
    refused(me().await, 401, "unauthorized").await;
}

#[tokio::test]
async fn the_log_has_changes_and_refusals_and_the_last_use_reads_too() {
    let service = Service::start().await;
    let key = service.limited_key("files:read,files:write", None).await;
    let get = async |path: &str| service.with_key(&key, Method::GET, path).send().await.unwrap();
    service.clock.advance(KEY_USE_RESOLUTION);
    expect(get("/v1/files").await, StatusCode::OK, "FileList").await;
    let used_at = async || {
        let keys = service.running.app.store.keys().await.unwrap();
        keys.into_iter().find(|(found, _)| key.starts_with(&found.prefix)).unwrap().0.used_at
    };
    assert_eq!(used_at().await, Some(START.after(KEY_USE_RESOLUTION)));
    assert_eq!(service.log(&key).await, [], "reading leaves no entry");

    let create = service.with_key(&key, Method::POST, "/v1/files").header("x-request-id", "made-by-me");
    let create = create.header("content-type", crate::service::MEDIA_TYPE).body(file_of(3).to_string());
    let file = expect(create.send().await.unwrap(), StatusCode::CREATED, "FileDocument").await;
    service.clock.advance(Duration::from_secs(1));
    refused(get("/v1/tasks").await, 403, "missing_scope").await;
    let [made, denied] = &service.log(&key).await[..] else { panic!("not two entries") };
    let request = made.request.as_ref().unwrap();
    assert_eq!((made.kind, request.method.as_str(), request.status), (KeyEventKind::Used, "POST", 201));
    assert_eq!(request.path, format!("/v1/files/{}", id(&file["data"])), "the file that was created");
    assert_eq!((request.address.as_deref(), request.request_id.as_str()), (Some("127.0.0.1"), "made-by-me"));
    let request = denied.request.as_ref().unwrap();
    assert_eq!(
        (denied.kind, request.path.as_str(), request.status),
        (KeyEventKind::Refused, "/v1/tasks", 403)
    );
    assert_eq!(denied.at, START.after(KEY_USE_RESOLUTION + Duration::from_secs(1)));
}

#[tokio::test]
async fn the_signature_of_an_upload_is_not_logged() {
    let service = Service::start().await;
    let key = service.limited_key("files:write", None).await;
    let create = service.with_key(&key, Method::POST, "/v1/uploads").header("tus-resumable", "1.0.0");
    let response = create.header("upload-length", "3").send().await.unwrap();
    assert!(header(response.headers(), "location").contains('?'), "the URL is signed");
    let file = expect(response, StatusCode::CREATED, "FileDocument").await;
    let [made] = &service.log(&key).await[..] else { panic!("not one entry") };
    assert_eq!(made.request.as_ref().unwrap().path, format!("/v1/uploads/{}", id(&file["data"])));
}

#[tokio::test]
async fn a_revoked_key_cannot_fill_the_log() {
    let service = Service::with(|config| (config.rate_limit, config.rate_burst) = (5, 5)).await;
    let key = service.limited_key("all", None).await;
    assert!(service.running.app.store.revoke_key(&key[..11], START).await.unwrap());
    let call = async || service.with_key(&key, Method::DELETE, "/v1/files/1").send().await.unwrap();
    for _ in 0..20 {
        refused(call().await, 401, "unauthorized").await;
    }
    let refusals = async || {
        let log = service.log(&key).await;
        let refused = log.iter().filter(|event| event.kind == KeyEventKind::Refused);
        let times: Vec<_> = refused.map(|event| event.at).collect();
        assert_eq!(log.len(), times.len() + 1, "one is the revocation");
        times
    };
    assert_eq!(refusals().await, [START], "the first, and then at most one in a minute");
    for (pause, minutes) in [(59, 0..1), (1, 0..2), (59, 0..2), (1, 0..3)] {
        service.clock.advance(Duration::from_secs(pause));
        for _ in 0..2 {
            refused(call().await, 401, "unauthorized").await;
        }
        let expected: Vec<_> = minutes.map(|minute| START.after(Duration::from_secs(60 * minute))).collect();
        assert_eq!(refusals().await, expected);
    }
}

#[tokio::test]
async fn a_client_that_leaves_early_does_not_hide_what_it_changed() {
    let program = Program::start(&[]).await;
    let document = file_of(3).to_string();
    let address = program.url.strip_prefix("http://").unwrap();
    let mut connection = std::net::TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /v1/files HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
        program.key,
        crate::service::MEDIA_TYPE,
        document.len()
    );
    connection.write_all(head.as_bytes()).unwrap();
    connection.write_all(document.as_bytes()).unwrap();
    drop(connection);
    loop {
        let (succeeded, log) = run(&program.data, &["keys", "log"]);
        assert!(succeeded, "{log}");
        if let Some(line) = log.lines().find(|line| line.contains("\tused\t")) {
            assert!(line.contains("\tPOST\t/v1/files/") && line.contains("\t201\t"), "{line}");
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_path_that_has_a_key_is_not_logged() {
    let service = Service::start().await;
    let key = service.limited_key("all", None).await;
    let path = format!("/v1/files/{key}");
    refused(service.with_key(&key, Method::DELETE, &path).send().await.unwrap(), 404, "not_found").await;
    let log = service.log(&key).await;
    assert_eq!(log[0].request.as_ref().unwrap().path, "not shown");
    assert!(!format!("{log:?}").contains(&key));
}

#[tokio::test]
async fn the_command_line_creates_limited_keys_and_shows_the_log() {
    let program = Program::start(&[]).await;
    let create = |arguments: &[&str]| {
        run(&program.data, &[&["keys", "create", "--email", "one@example.org"], arguments].concat())
    };
    let (succeeded, key) =
        create(&["--name", "backup job", "--expires", "90d", "--scopes", "files:write,files:read"]);
    assert!(succeeded, "{key}");
    let key = key.trim_end();
    let client = reqwest::Client::new();
    let get = async |path: &str| {
        client.get(format!("{}{path}", program.url)).bearer_auth(key).send().await.unwrap().status()
    };
    assert_eq!((get("/v1/files").await, get("/v1/tasks").await), (StatusCode::OK, StatusCode::FORBIDDEN));
    let (_, list) = run(&program.data, &["keys", "list"]);
    let line = list.lines().find(|line| line.contains(&key[..11])).unwrap();
    let columns: Vec<_> = line.split('\t').collect();
    assert_eq!(columns[7..], ["files:read,files:write", "backup job"]);
    assert!(columns[5] > columns[3] && columns[6] >= columns[3], "the end and the last use: {line}");
    let (_, log) =
        run(&program.data, &["keys", "log", "--key", &format!("{}…", &key[..11]), "--since", "1h"]);
    let events: Vec<Vec<&str>> = log.lines().map(|line| line.split('\t').skip(2).collect()).collect();
    assert_eq!(events[0], ["created"]);
    assert_eq!(events[1][..5], ["refused", "GET", "/v1/tasks", "403", "127.0.0.1"]);
    for (wrong, said) in [
        (["--scopes", "files"], "files:read"),
        (["--expires", "0s"], "never"),
        (["--expires", "soon"], "90s"),
        (["--name", "a\tb"], "control"),
    ] {
        let (succeeded, text) = create(&wrong);
        assert!(!succeeded && text.contains(said), "{wrong:?}: {text}");
    }
}
