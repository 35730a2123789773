//! What stands before the servers that answer requests, and a client who sends again what got no answer. It insists on what is promised
//! of answers: no status of 5xx but 503 with `Retry-After`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Method, StatusCode};
use serde_json::Value;

/// How long a server may take to answer.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(crate) struct Balancer {
    http: reqwest::Client,
    key: String,
    nodes: Mutex<Vec<String>>,
    turns: AtomicUsize,
    /// Requests without an answer.
    pub(crate) lost: AtomicUsize,
    /// Answers with 503.
    pub(crate) unavailable: AtomicUsize,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The document, which must come with a success.
    pub(crate) fn document(&self) -> Value {
        assert!(self.status.is_success(), "{}: {}", self.status, String::from_utf8_lossy(&self.body));
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Balancer {
    pub(crate) fn new(nodes: Vec<String>, key: &str) -> Self {
        Self {
            http: reqwest::Client::builder().timeout(TIMEOUT).build().unwrap(),
            key: key.to_owned(),
            nodes: Mutex::new(nodes),
            turns: AtomicUsize::new(0),
            lost: AtomicUsize::new(0),
            unavailable: AtomicUsize::new(0),
        }
    }

    /// Says where a server is from now on.
    pub(crate) fn moved(&self, node: usize, url: &str) {
        url.clone_into(&mut self.nodes.lock().unwrap()[node]);
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        self.send(Method::GET, path, None, &[]).await.document()
    }

    /// Creates a resource once, by an idempotency key.
    pub(crate) async fn create(&self, path: &str, document: &Value, key: &str) -> Value {
        self.send(Method::POST, path, Some(key), document.to_string().as_bytes()).await.document()
    }

    /// Uploads to a signed link, unless that has been done.
    pub(crate) async fn upload(&self, link: &str, bytes: &[u8]) {
        let answer = self.send(Method::PUT, path(link), None, bytes).await;
        assert!([StatusCode::CREATED, StatusCode::CONFLICT].contains(&answer.status), "{}", answer.status);
    }

    pub(crate) async fn download(&self, link: &str) -> Vec<u8> {
        let answer = self.send(Method::GET, path(link), None, &[]).await;
        assert_eq!(answer.status, StatusCode::OK);
        answer.body
    }

    /// Sends a request to one server after the other until it is answered.
    async fn send(&self, method: Method, path: &str, key: Option<&str>, body: &[u8]) -> Answer {
        loop {
            let pause = match self.try_to_send(method.clone(), path, key, body).await {
                Err(_) => {
                    self.lost.fetch_add(1, Ordering::Relaxed);
                    Duration::from_millis(100)
                }
                Ok((answer, pause)) => {
                    let text = String::from_utf8_lossy(&answer.body);
                    let unavailable = answer.status == StatusCode::SERVICE_UNAVAILABLE;
                    assert!(unavailable || !answer.status.is_server_error(), "{}: {text}", answer.status);
                    if !unavailable && !text.contains("idempotency_in_flight") {
                        return answer;
                    }
                    self.unavailable.fetch_add(unavailable.into(), Ordering::Relaxed);
                    pause.unwrap_or_else(|| panic!("no Retry-After: {text}"))
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// An answer, and how long the server wants the client to wait.
    async fn try_to_send(
        &self,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: &[u8],
    ) -> reqwest::Result<(Answer, Option<Duration>)> {
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        let url = {
            let nodes = self.nodes.lock().unwrap();
            format!("{}{path}", nodes[turn % nodes.len()])
        };
        let mut request = self.http.request(method, url).body(body.to_owned());
        // What is signed needs no key.
        if !path.contains("signature=") {
            request = request.bearer_auth(&self.key).header(CONTENT_TYPE, "application/vnd.api+json");
        }
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        let answer = request.send().await?;
        let pause = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let status = answer.status();
        let body = answer.bytes().await?.to_vec();
        Ok((Answer { status, body }, pause.map(Duration::from_secs)))
    }
}

/// The part of a link after the name of the server that made it, which may be gone.
fn path(link: &str) -> &str {
    let start = link.find("/v1/").unwrap();
    &link[start..]
}
