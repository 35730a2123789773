//! Signals, and the rotation of signing keys.

use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;
use serde_json::Value;
use std::time::Duration;

use filepress_server::config::TlsFiles;

use crate::binary::{Program, run};
use crate::service::{MEDIA_TYPE, file_of, link};
use crate::tls::{trusting, write_certificate};

#[tokio::test]
async fn sighup_reloads_the_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let files = TlsFiles { certificate: folder.path().join("a.crt"), key: folder.path().join("a.key") };
    // For whoever serves to read.
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let first = trusting(write_certificate(&files));
    let arguments =
        ["--tls-certificate", files.certificate.to_str().unwrap(), "--tls-key", files.key.to_str().unwrap()];
    let program = Program::start_in(tempfile::tempdir().unwrap(), &arguments).await;
    let url = format!("{}/healthz", program.url.replace("127.0.0.1", "localhost"));
    first.get(&url).send().await.unwrap();
    let second = trusting(write_certificate(&files));
    second.get(&url).send().await.unwrap_err();
    program.signal(Signal::HUP);
    while second.get(&url).send().await.is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // A file that is of no use is told of and changes nothing.
    std::fs::write(&files.key, "nonsense").unwrap();
    program.signal(Signal::HUP);
    let (_, log) = program.stop().await;
    assert!(log.contains("reloaded the certificate"), "{log}");
}

#[tokio::test]
async fn sigterm_lets_requests_finish() {
    let program = Program::start(&[]).await;
    let client = reqwest::Client::new();
    let request = client.post(format!("{}/v1/files", program.url)).bearer_auth(&program.key);
    let request = request.header("content-type", MEDIA_TYPE).body(file_of(8).to_string());
    let file: Value = request.send().await.unwrap().json().await.unwrap();
    let (begun, begins) = tokio::sync::oneshot::channel();
    let (go_on, goes_on) = tokio::sync::oneshot::channel::<()>();
    let halves =
        futures_util::stream::unfold((0, Some(begun), Some(goes_on)), |(sent, begun, goes_on)| async move {
            match sent {
                0 => Some((Ok::<_, std::io::Error>("half"), (1, begun, goes_on))),
                1 => {
                    begun.unwrap().send(()).unwrap();
                    goes_on.unwrap().await.unwrap();
                    Some((Ok("half"), (2, None, None)))
                }
                _ => None,
            }
        });
    let upload = client.put(link(&file["data"], "upload")).header("content-length", 8);
    let upload = tokio::spawn(upload.body(reqwest::Body::wrap_stream(halves)).send());
    begins.await.unwrap();
    let incoming = program.data.path().join("incoming");
    while std::fs::read_dir(&incoming).unwrap().count() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let url = format!("{}/healthz", program.url);
    let stopped = tokio::spawn(program.stop());
    while reqwest::get(&url).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    go_on.send(()).unwrap();
    assert_eq!(
        upload.await.unwrap().unwrap().status(),
        201,
        "no more is accepted, what was begun is finished"
    );
    let (_, log) = stopped.await.unwrap();
    assert!(log.contains("stopped"), "{log}");
}

#[tokio::test]
async fn a_rotated_signing_key_is_loaded_and_the_old_one_stays_valid() {
    let program = Program::start(&[]).await;
    let client = reqwest::Client::new();
    let new_file = async || {
        let request = client.post(format!("{}/v1/files", program.url)).bearer_auth(&program.key);
        let request = request.header("content-type", MEDIA_TYPE).body(file_of(4).to_string());
        let file: Value = request.send().await.unwrap().json().await.unwrap();
        link(&file["data"], "upload").to_owned()
    };
    let kid = |url: &str| url.split_once("kid=").unwrap().1.split('&').next().unwrap().to_owned();
    let old = new_file().await;
    let (rotated, said) = run(&program.data, &["signing", "rotate"]);
    assert!(rotated, "{said}");
    while kid(&new_file().await) == kid(&old) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(client.put(&old).body("four").send().await.unwrap().status(), 201);
    assert_eq!(client.put(new_file().await).body("four").send().await.unwrap().status(), 201);
}
