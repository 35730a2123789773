//! Sends spans to a collector: OTLP over HTTP, as protobuf.

use std::error::Error;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use tokio::runtime::Handle;
use tokio::time::Instant;

/// How long a request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the log says that the collector cannot be reached.
const COMPLAINT_INTERVAL: Duration = Duration::from_secs(60);
/// The most bytes of an answer that are read: it says at most how many spans were refused.
const MAX_ANSWER: usize = 64 << 10;

/// What sends spans to this URL.
pub(super) fn exporter(url: &str) -> Result<SpanExporter, Box<dyn Error + Send + Sync>> {
    let http = reqwest::Client::builder()
        .timeout(REQUEST_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .build()?;
    let client = Client { http, runtime: Handle::current(), complained: Mutex::default() };
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_http_client(client)
        .with_endpoint(url)
        .with_timeout(REQUEST_TIMEOUT);
    Ok(exporter.build()?)
}

/// Makes requests on the runtime of the service: spans are sent from a thread that has none.
#[derive(Debug)]
struct Client {
    http: reqwest::Client,
    runtime: Handle,
    /// When the log last had a failure.
    complained: Mutex<Option<Instant>>,
}

#[async_trait::async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self.runtime.spawn(send(self.http.clone(), request)).await?;
        match &sent {
            Ok(response) if response.status().is_success() => {}
            Ok(response) => self.complain(&response.status().to_string()),
            Err(error) => self.complain(&error.to_string()),
        }
        sent
    }
}

impl Client {
    fn complain(&self, problem: &str) {
        let Ok(mut last) = self.complained.lock() else { return };
        if last.is_none_or(|last| last.elapsed() >= COMPLAINT_INTERVAL) {
            *last = Some(Instant::now());
            tracing::warn!(problem, "the collector of traces takes none; they are dropped");
        }
    }
}

async fn send(http: reqwest::Client, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let mut response = http.execute(request.try_into()?).await.map_err(reqwest::Error::without_url)?;
    let status = response.status();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(reqwest::Error::without_url)? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ANSWER {
            return Err("the answer of the collector is too long".into());
        }
    }
    let mut answer = Response::new(Bytes::from(body));
    *answer.status_mut() = status;
    Ok(answer)
}
