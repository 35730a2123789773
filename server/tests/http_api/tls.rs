//! HTTPS: certificates, handshakes, proxies.

use std::time::Duration;

use filepress_server::clock::SystemClock;
use filepress_server::config::{Config, TlsFiles};
use filepress_server::serve::RunningServer;
use reqwest::{Certificate, Client, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::service::{Service, expect, header, refused};

/// A certificate and its key as files, for `localhost`.
pub(crate) fn write_certificate(files: &TlsFiles) -> Certificate {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    std::fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
    std::fs::write(&files.certificate, made.cert.pem()).unwrap();
    Certificate::from_pem(made.cert.pem().as_bytes()).unwrap()
}

/// A client that trusts one certificate.
pub(crate) fn trusting(certificate: Certificate) -> Client {
    Client::builder().add_root_certificate(certificate).build().unwrap()
}

fn address(service: &Service) -> &str {
    service.running.local_url.split_once("//").unwrap().1
}

#[tokio::test]
async fn a_self_signed_certificate_is_kept_between_starts() {
    let service = Service::start().await;
    let fingerprint = service.running.fingerprint().unwrap();
    assert_eq!(fingerprint.len(), 32 * 3 - 1);
    let (config, data) = (service.running.app.config.clone(), service.data);
    service.running.stop().await;
    let again = RunningServer::start(config, std::sync::Arc::new(SystemClock)).await.unwrap();
    assert_eq!(again.fingerprint().unwrap(), fingerprint);
    drop(data);
}

#[tokio::test]
async fn a_self_signed_certificate_is_written_whole_or_not_at_all() {
    let (data, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (folder, old) = (data.path().join("tls"), outside.path().join("old.crt"));
    std::fs::create_dir(&folder).unwrap();
    // A start that was cut off left a certificate without its key. The other name shows whether the file is emptied before it is written.
    std::fs::write(&old, "of an earlier start").unwrap();
    std::fs::hard_link(&old, folder.join("self-signed.crt")).unwrap();
    let start = || RunningServer::start(Config::new(data.path()), std::sync::Arc::new(SystemClock));
    start().await.unwrap().stop().await;
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "of an earlier start");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    // One that is empty, as a full disk left it, is made again.
    std::fs::write(folder.join("self-signed.crt"), "").unwrap();
    start().await.unwrap().stop().await;
}

#[tokio::test]
async fn certificate_files_are_reloaded_and_invalid_ones_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let files = TlsFiles { certificate: folder.path().join("a.crt"), key: folder.path().join("a.key") };
    let first = trusting(write_certificate(&files));
    let service = Service::with(|config| config.tls = Some(files.clone())).await;
    let url = format!("{}/healthz", service.running.local_url.replace("127.0.0.1", "localhost"));
    first.get(&url).send().await.unwrap();
    let second = trusting(write_certificate(&files));
    second.get(&url).send().await.unwrap_err();
    service.running.reload().unwrap();
    second.get(&url).send().await.unwrap();
    std::fs::write(&files.certificate, "nonsense").unwrap();
    service.running.reload().unwrap_err();
    // A key that belongs to another certificate.
    let other = TlsFiles { certificate: files.certificate.clone(), key: folder.path().join("b.key") };
    write_certificate(&other);
    service.running.reload().unwrap_err();
    trusting_again(&second, &url).await;
}

async fn trusting_again(client: &Client, url: &str) {
    assert_eq!(client.get(url).send().await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn a_handshake_has_a_time_limit() {
    let service = Service::with(|config| config.handshake_timeout = Duration::from_millis(200)).await;
    for begin in [&[][..], &[0x16], &[0x16, 3, 1]] {
        let mut tcp = TcpStream::connect(address(&service)).await.unwrap();
        tcp.write_all(begin).await.unwrap();
        let mut rest = Vec::new();
        // Closed or reset, whichever: but it ends.
        let _ = tcp.read_to_end(&mut rest).await;
        assert!(rest.is_empty(), "{rest:?}");
    }
}

#[tokio::test]
async fn plain_http_is_answered_before_its_body_is_sent() {
    let service = Service::start().await;
    let mut tcp = TcpStream::connect(address(&service)).await.unwrap();
    tcp.write_all(b"PUT /v1/files HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    tcp.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{answer}");
    assert!(answer.contains("\"https_required\""), "{answer}");
    assert!(!answer.to_lowercase().contains("location:"), "{answer}");
}

#[tokio::test]
async fn a_trusted_proxy_may_speak_plain_http_for_clients_that_came_by_https() {
    let service = Service::with(|config| {
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
        config.public_url = Some("https://files.example.org".to_owned());
    })
    .await;
    let url = format!("http://{}/v1/users/me", address(&service));
    let get = |scheme: Option<&str>| {
        let request =
            service.client.get(&url).bearer_auth(&service.key).header("x-forwarded-for", "192.0.2.7");
        match scheme {
            Some(scheme) => request.header("x-forwarded-proto", scheme),
            None => request,
        }
    };
    let user = expect(get(Some("https")).send().await.unwrap(), StatusCode::OK, "UserDocument").await;
    assert_eq!(user["data"]["links"]["self"], "https://files.example.org/v1/users/me");
    for scheme in [None, Some("http"), Some("https, http"), Some("")] {
        let response = get(scheme).send().await.unwrap();
        assert_eq!(header(response.headers(), "connection"), "close");
        refused(response, 403, "https_required").await;
    }
}

#[tokio::test]
async fn forwarded_headers_of_other_peers_are_ignored() {
    let service =
        Service::with(|config| config.trusted_proxies = vec!["192.0.2.0/24".parse().unwrap()]).await;
    let url = format!("http://{}/v1/users/me", address(&service));
    let request = service.client.get(&url).bearer_auth(&service.key).header("x-forwarded-proto", "https");
    assert_eq!(request.send().await.unwrap().status(), 403);
}

#[tokio::test]
async fn development_mode_requires_a_loopback_address() {
    let data = tempfile::tempdir().unwrap();
    let mut config = Config::new(data.path());
    config.dev = true;
    config.listen = "0.0.0.0:0".parse().unwrap();
    let error = RunningServer::start(config, std::sync::Arc::new(SystemClock)).await.err().expect("refused");
    assert!(error.to_string().contains("loopback"), "{error}");
}
