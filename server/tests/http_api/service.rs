//! A service per test, with a user, a key, a client that trusts its certificate, and a manual clock.

use std::sync::Arc;
use std::time::Duration;

use filepress_server::clock::{ManualClock, Timestamp};
use filepress_server::config::Config;
use filepress_server::http::api_key::ApiKey;
use filepress_server::media::Toolbox;
use filepress_server::serve::RunningServer;
use filepress_server::store::records::{KeyRights, Lane, Task};
use filepress_server::store::{FileContent, TaskOutput};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Certificate, Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::schema::{assert_described, assert_json_api};

pub(crate) const MEDIA_TYPE: &str = "application/vnd.api+json";
pub(crate) const HOUR: Duration = Duration::from_secs(3600);
/// A moment in 2026.
pub(crate) const START: Timestamp = Timestamp(1_767_225_600_000_000_000);

/// A picture of one pixel.
pub(crate) const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\
    \xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

/// What the machine has is the same for all tests, and takes a while to find.
static TOOLS: OnceCell<Toolbox> = OnceCell::const_new();

pub(crate) struct Service {
    pub(crate) running: RunningServer,
    pub(crate) clock: ManualClock,
    pub(crate) client: Client,
    pub(crate) user: String,
    pub(crate) key: String,
    pub(crate) data: TempDir,
}

impl Service {
    /// A service without workers: tasks stay as the test makes them.
    pub(crate) async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// The same, with another configuration.
    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut config = Config::new(data.path());
        config.program = Some(env!("CARGO_BIN_EXE_filepress-server").into());
        config.min_free_disk = 0;
        config.image_workers = 0;
        config.heavy_workers = 0;
        // The clock stands.
        (config.rate_limit, config.rate_burst) = (1_000_000, 1_000_000);
        change(&mut config);
        let clock = ManualClock::at(START);
        let tools = TOOLS.get_or_init(|| Toolbox::find(&config)).await.clone();
        let running = RunningServer::start_with_tools(config, Arc::new(clock.clone()), tools).await.unwrap();
        let client = client(&data);
        let (user, key) = key(&running, "one@example.org").await;
        Self { running, clock, client, user, key, data }
    }

    /// One with the operator's page.
    pub(crate) async fn with_admin() -> Self {
        Self::with(|config| config.admin_listen = Some(([127, 0, 0, 1], 0).into())).await
    }

    /// The key of another user.
    pub(crate) async fn other_key(&self) -> String {
        key(&self.running, "other@example.org").await.1
    }

    /// A request with the key, and no header besides.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.running.local_url));
        request.header(AUTHORIZATION, format!("Bearer {}", self.key))
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    /// A POST of a document.
    pub(crate) fn post(&self, path: &str, document: &Value) -> RequestBuilder {
        self.post_text(path, document.to_string())
    }

    pub(crate) fn post_text(&self, path: &str, body: impl Into<reqwest::Body>) -> RequestBuilder {
        self.request(Method::POST, path).header(CONTENT_TYPE, MEDIA_TYPE).body(body)
    }

    /// A new record of a file: the resource.
    pub(crate) async fn new_file(&self, size: usize) -> Value {
        let response = self.post("/v1/files", &file_of(size)).send().await.unwrap();
        expect(response, StatusCode::CREATED, "FileDocument").await["data"].clone()
    }

    pub(crate) async fn put(&self, file: &Value, bytes: impl Into<reqwest::Body>) -> Response {
        self.client.put(link(file, "upload")).body(bytes).send().await.unwrap()
    }

    /// A file with bytes: the resource as it is after the upload.
    pub(crate) async fn file(&self, bytes: &[u8]) -> Value {
        let file = self.new_file(bytes.len()).await;
        assert_eq!(self.put(&file, bytes.to_vec()).await.status(), StatusCode::CREATED);
        self.read(&format!("/v1/files/{}", id(&file)), "FileDocument").await["data"].clone()
    }

    /// A task on a file: the document that answers its creation.
    pub(crate) async fn task(&self, file: &Value) -> Value {
        let response = self.post("/v1/tasks", &task_on(id(file))).send().await.unwrap();
        expect(response, StatusCode::CREATED, "TaskDocument").await
    }

    /// The document behind a path.
    pub(crate) async fn read(&self, path: &str, described: &str) -> Value {
        expect(self.get(path).send().await.unwrap(), StatusCode::OK, described).await
    }

    /// What the operator's address has under `/metrics`.
    pub(crate) async fn metrics(&self) -> String {
        let app = &self.running.app;
        app.metrics.text(&app.store, START).await.unwrap()
    }

    /// Does by hand what a worker does: the oldest task is claimed, and ends with `bytes`.
    pub(crate) async fn complete(&self, bytes: &[u8]) -> Task {
        self.complete_in(Lane::Image, bytes, false).await
    }

    /// The same in a lane, with `bytes` that may be an archive.
    pub(crate) async fn complete_in(&self, lane: Lane, bytes: &[u8], is_archive: bool) -> Task {
        let app = &self.running.app;
        let now = self.clock.advanced();
        let claim =
            app.store.claim(lane, "test", false, HOUR, None, now).await.unwrap().expect("a waiting task");
        let made = self.data.path().join("made");
        std::fs::write(&made, bytes).unwrap();
        let stored = app.blobs.store_output(&made).await.unwrap();
        let received = FileContent {
            blob: stored.name,
            size: stored.size,
            sha256: stored.sha256,
            sniffed: Some(claim.task.output_format),
        };
        let metadata = Map::from_iter([("progress".to_owned(), json!(1.0))]);
        let finished = TaskOutput { received, is_archive, expires_at: now.after(48 * HOUR), metadata };
        app.store.complete(&claim, finished, now).await.unwrap().expect("a claim that holds");
        claim.task
    }
}

/// Moves a clock a little and reads it.
pub(crate) trait Advanced {
    fn advanced(&self) -> Timestamp;
}

impl Advanced for ManualClock {
    fn advanced(&self) -> Timestamp {
        use filepress_server::clock::Clock;
        self.advance(Duration::from_millis(1));
        self.now()
    }
}

async fn key(running: &RunningServer, email: &str) -> (String, String) {
    let store = &running.app.store;
    let user = store.user_for_email(email, "Somebody", START).await.unwrap().id;
    let key = ApiKey::generate().unwrap();
    store.add_key(&user, key.prefix(), &key.hash(), &KeyRights::default(), START).await.unwrap();
    (user, key.expose().to_owned())
}

/// A client that trusts the self-signed certificate, if there is one.
pub(crate) fn client(data: &TempDir) -> Client {
    let mut builder = Client::builder().redirect(reqwest::redirect::Policy::none());
    if let Ok(certificate) = std::fs::read(data.path().join("tls/self-signed.crt")) {
        builder = builder.add_root_certificate(Certificate::from_pem(&certificate).unwrap());
    }
    builder.build().unwrap()
}

pub(crate) fn file_of(size: usize) -> Value {
    json!({ "data": { "type": "files", "attributes": { "size": size } } })
}

pub(crate) fn task_on(file: &str) -> Value {
    json!({ "data": {
        "type": "tasks",
        "relationships": { "input": { "data": { "type": "files", "id": file } } },
    } })
}

pub(crate) fn id(resource: &Value) -> &str {
    resource["id"].as_str().unwrap()
}

pub(crate) fn link<'a>(resource: &'a Value, name: &str) -> &'a str {
    resource["links"][name].as_str().unwrap_or_else(|| panic!("no link {name} in {resource:#}"))
}

/// The document of a success.
pub(crate) async fn expect(response: Response, status: StatusCode, described: &str) -> Value {
    let (actual, headers) = (response.status(), response.headers().clone());
    let text = response.text().await.unwrap();
    assert_eq!(actual, status, "{text}");
    assert_eq!(header(&headers, "content-type"), MEDIA_TYPE);
    assert_eq!(header(&headers, "cache-control"), "no-store");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_json_api(&document);
    assert_described(&document, described);
    document
}

/// The error of a refusal, whose document must be in order and say what the head says.
pub(crate) async fn refused(response: Response, status: u16, code: &str) -> Value {
    let (actual, headers) = (response.status(), response.headers().clone());
    let text = response.text().await.unwrap();
    assert_eq!(actual.as_u16(), status, "{text}");
    assert_eq!(header(&headers, "content-type"), MEDIA_TYPE);
    assert_eq!(header(&headers, "cache-control"), "no-store");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_json_api(&document);
    assert_described(&document, "Errors");
    let error = document["errors"][0].clone();
    assert_eq!(error["code"], code, "{document:#}");
    assert_eq!(error["status"], status.to_string());
    assert_eq!(error["id"], header(&headers, "x-request-id"));
    error
}

pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).map_or("", |value: &HeaderValue| value.to_str().unwrap())
}
