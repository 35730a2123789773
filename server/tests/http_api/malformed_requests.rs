//! Heads that violate HTTP/1.1 get an error document, and their connection is closed.

use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::connections::Raw;
use crate::service::{MEDIA_TYPE, Service};

/// Status, head and body of the last answer of a connection.
fn parts(text: &str) -> (u16, String, &str) {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
    (head[9..12].parse().unwrap(), head.to_lowercase(), body)
}

fn assert_refused(text: &str, status: u16, code: &str) {
    let (actual, head, body) = parts(text);
    assert_eq!(actual, status, "{text}");
    for line in
        [format!("content-type: {MEDIA_TYPE}"), "cache-control: no-store".into(), "connection: close".into()]
    {
        assert!(head.lines().any(|own| own == line), "{line}: {head}");
    }
    let document: Value = serde_json::from_str(body).unwrap();
    crate::schema::assert_json_api(&document);
    crate::schema::assert_described(&document, "Errors");
    let error = &document["errors"][0];
    assert_eq!((&error["code"], &error["status"]), (&code.into(), &status.to_string().into()));
    let id = error["id"].as_str().unwrap();
    assert!(head.contains(&format!("x-request-id: {id}")), "{head}");
}

async fn plain() -> Service {
    Service::with(|config| config.dev = true).await
}

#[tokio::test]
async fn malformed_requests_get_an_error_document() {
    let service = plain().await;
    let long = "a".repeat(20_000);
    let many = "X-Field: a\r\n".repeat(120);
    for (head, status, code) in [
        (format!("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: {long}\r\n\r\n"), 431, "head_too_large"),
        (format!("GET /healthz HTTP/1.1\r\nHost: a\r\n{many}\r\n"), 431, "head_too_large"),
        (format!("GET /{long} HTTP/1.1\r\nHost: a\r\n\r\n"), 431, "head_too_large"),
        ("hello\r\n\r\n".to_owned(), 400, "malformed_request"),
        ("GET\r\n\r\n".to_owned(), 400, "malformed_request"),
        ("GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n".to_owned(), 400, "malformed_request"),
        ("GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n".to_owned(), 400, "malformed_request"),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: \u{0}\r\n\r\n".to_owned(), 400, "malformed_request"),
        (
            "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab".to_owned(),
            400,
            "malformed_request",
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na".to_owned(),
            400,
            "malformed_request",
        ),
        (
            "POST /v1/files HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n".to_owned(),
            400,
            "malformed_request",
        ),
    ] {
        let mut raw = Raw::connect(&service).await;
        raw.send(&head).await;
        let rest = raw.rest().await;
        assert!(!rest.is_empty(), "{head}");
        assert_refused(&rest, status, code);
    }
}

#[tokio::test]
async fn a_request_must_have_one_host() {
    let service = plain().await;
    for hosts in [
        "",
        "Host: a\r\nHost: a\r\n",
        "Host: a\r\nHost: b\r\n",
        "Host: a b\r\n",
        "Host: user@a\r\n",
        "Host: /\r\n",
    ] {
        let mut raw = Raw::connect(&service).await;
        raw.send(&format!("GET /healthz HTTP/1.1\r\n{hosts}\r\n")).await;
        assert_refused(&raw.rest().await, 400, "malformed_request");
    }
    for head in [
        "GET /healthz HTTP/1.0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: [::1]:8443\r\nConnection: close\r\n\r\n",
    ] {
        let mut raw = Raw::connect(&service).await;
        raw.send(head).await;
        assert_eq!(parts(&raw.rest().await).0, 200, "{head}");
    }
}

#[tokio::test]
async fn a_valid_request_before_a_malformed_one_gets_its_response() {
    let service = plain().await;
    let mut raw = Raw::connect(&service).await;
    for _ in 0..3 {
        raw.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert_eq!(raw.head().await.0, 200);
        assert_eq!(raw.exactly(3).await, "ok\n");
    }
    raw.send("nonsense\r\n\r\n").await;
    assert_refused(&raw.rest().await, 400, "malformed_request");
}

async fn tls(service: &Service) -> TlsStream<TcpStream> {
    let certificate = std::fs::read(service.data.path().join("tls/self-signed.crt")).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(&certificate).unwrap()).unwrap();
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let tcp = TcpStream::connect(service.running.local_url.split_once("//").unwrap().1).await.unwrap();
    TlsConnector::from(Arc::new(config)).connect("127.0.0.1".try_into().unwrap(), tcp).await.unwrap()
}

#[tokio::test]
async fn malformed_requests_over_tls_get_an_error_document() {
    let service = Service::start().await;
    let mut stream = tls(&service).await;
    stream.write_all(b"nonsense\r\n\r\n").await.unwrap();
    let mut text = String::new();
    // The service ends without TLS's own farewell, as hyper leaves it.
    let _ = stream.read_to_string(&mut text).await;
    assert_refused(&text, 400, "malformed_request");
}
