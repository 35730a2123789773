//! Traces, as a collector gets them from the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

#[path = "service/mod.rs"]
mod service;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use prost::Message;
use rustix::process::Signal;
use serde_json::json;

use service::{Client, Service, eventually, noise, read_log};

/// What came: requests as they are, and how each is answered.
#[derive(Clone)]
struct Collector {
    came: Arc<Mutex<Vec<(HeaderMap, Bytes)>>>,
    status: StatusCode,
    url: String,
}

impl Collector {
    async fn start(status: StatusCode) -> Self {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let collector = Self { came: Arc::default(), status, url };
        let router = Router::new().route("/v1/traces", post(take)).with_state(collector.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        collector
    }

    fn requests(&self) -> Vec<ExportTraceServiceRequest> {
        let came = self.came.lock().unwrap();
        came.iter()
            .map(|(headers, body)| {
                assert_eq!(headers[CONTENT_TYPE], "application/x-protobuf");
                ExportTraceServiceRequest::decode(body.clone()).unwrap()
            })
            .collect()
    }

    fn spans(&self) -> Vec<Span> {
        let resources = self.requests().into_iter().flat_map(|request| request.resource_spans);
        let scopes = resources.flat_map(|resource| {
            let about = attributes(&resource.resource.unwrap().attributes);
            assert_eq!(about["service.name"], "filepress-server");
            assert_eq!(about["service.version"], env!("CARGO_PKG_VERSION"));
            resource.scope_spans
        });
        scopes.flat_map(|scope| scope.spans).collect()
    }
}

async fn take(State(collector): State<Collector>, headers: HeaderMap, body: Bytes) -> StatusCode {
    collector.came.lock().unwrap().push((headers, body));
    collector.status
}

fn attributes(given: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |value: &KeyValue| match value.value.as_ref().unwrap().value.as_ref().unwrap() {
        Value::StringValue(text) => text.clone(),
        Value::IntValue(number) => number.to_string(),
        Value::DoubleValue(number) => number.to_string(),
        Value::BoolValue(truth) => truth.to_string(),
        other => panic!("{other:?}"),
    };
    given.iter().map(|value| (value.key.clone(), text(value))).collect()
}

/// A trace, a span in it, and that they are recorded (W3C Trace Context, section 3.2.2).
const SAMPLED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn named<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    spans.iter().find(|span| span.name == name).unwrap_or_else(|| {
        panic!("no span {name} among {:?}", spans.iter().map(|span| &span.name).collect::<Vec<_>>())
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_and_tasks_become_spans_without_secrets() {
    let collector = Collector::start(StatusCode::OK).await;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let service = Service::start(&data, &["--otlp-endpoint", &collector.url]).await;
    let key = service::key(&data).await;
    let client = Client::new(&service, &key);
    let input = client.upload(&noise(40, 1)).await.unwrap();
    let task = client.convert(&input, "image/webp", json!({})).await.unwrap();
    assert_eq!(client.ended(&task).await["data"]["attributes"]["status"], "COMPLETED");
    for traceparent in [SAMPLED, "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "nonsense"] {
        let request = reqwest::Client::new().get(format!("{}/v1/files/{input}", service.url));
        request.bearer_auth(&key).header("traceparent", traceparent).send().await.unwrap();
    }
    let unknown = client.get("/v1/files/nothing").await.unwrap_err();
    assert_eq!(unknown.status(), Some(reqwest::StatusCode::NOT_FOUND));
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());

    let spans = collector.spans();
    let created = named(&spans, "POST /v1/tasks");
    let about = attributes(&created.attributes);
    assert_eq!(created.kind, SpanKind::Server as i32);
    assert_eq!(about["http.request.method"], "POST");
    assert_eq!(about["http.route"], "/v1/tasks");
    assert_eq!(about["http.response.status_code"], "201");
    let put = named(&spans, "PUT /v1/files/{id}/content");
    assert_eq!(attributes(&put.attributes)["http.response.status_code"], "201");
    let refused = spans.iter().find(|span| attributes(&span.attributes).contains_key("error.type")).unwrap();
    assert_eq!(refused.name, "GET /v1/files/{id}");
    assert_eq!(attributes(&refused.attributes)["error.type"], "not_found");

    let read: Vec<_> = spans.iter().filter(|span| span.name == "GET /v1/files/{id}").collect();
    let joined = read.iter().filter(|span| hex(&span.trace_id) == SAMPLED[3..35]);
    assert_eq!(joined.map(|span| hex(&span.parent_span_id)).collect::<Vec<_>>(), [&SAMPLED[36..52]]);
    assert_eq!(read.iter().filter(|span| span.parent_span_id.is_empty()).count(), read.len() - 1);

    let claim = named(&spans, "task");
    let of_task = attributes(&claim.attributes);
    assert_eq!(claim.kind, SpanKind::Consumer as i32);
    assert_eq!((&of_task["filepress.task.id"], &of_task["filepress.task.attempt"]), (&task, &"1".to_owned()));
    assert_eq!(of_task["filepress.task.outcome"], "completed");
    assert_eq!(of_task["filepress.task.output"], "image/webp");
    assert_eq!(of_task["filepress.request_id"], about["filepress.request_id"], "the request that created it");
    for name in ["fetch input", "convert", "store output"] {
        let step = named(&spans, name);
        assert_eq!((&step.parent_span_id, &step.trace_id), (&claim.span_id, &claim.trace_id), "{name}");
        assert!(claim.start_time_unix_nano <= step.start_time_unix_nano);
        assert!(step.start_time_unix_nano <= step.end_time_unix_nano);
        assert!(step.end_time_unix_nano <= claim.end_time_unix_nano);
    }
    let all = format!("{:?}", collector.requests());
    for secret in [key.as_str(), "signature", "expires=", "one@example.org", &input, "127.0.0.1"] {
        assert!(!all.contains(secret), "{secret}");
    }
    assert!(spans.iter().all(|span| span.events.is_empty()), "the log is not sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_that_fails_stops_nothing() {
    let collector = Collector::start(StatusCode::FORBIDDEN).await;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let service = Service::start(&data, &["--otlp-endpoint", &collector.url]).await;
    let client = Client::new(&service, &service::key(&data).await);
    eventually(async || {
        client.upload(b"P6\n1 1\n255\nabc").await.unwrap();
        (!collector.came.lock().unwrap().is_empty()).then_some(())
    })
    .await;
    eventually(async || read_log(&data).contains("the collector of traces takes none").then_some(())).await;
    client.upload(b"P6\n1 1\n255\nabc").await.unwrap();
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_sent_without_the_setting() {
    let collector = Collector::start(StatusCode::OK).await;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT".to_owned(), collector.url.clone())];
    let service = Service::start_with(&data, &[], &variables).await;
    let client = Client::new(&service, &service::key(&data).await);
    client.upload(b"P6\n1 1\n255\nabc").await.unwrap();
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());
    assert!(collector.came.lock().unwrap().is_empty());
}
