//! Resumable uploads into an object store, whose requests come to several servers.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder, StatusCode};
use rustix::process::Signal;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::time::{sleep, timeout};

use crate::Cluster;
use crate::service::{Client, Service, text};

const MIB: usize = 1 << 20;

/// Bytes that do not repeat with the parts.
fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at % 251) as u8 ^ (at / 251 % 241) as u8).collect()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Upload {
    http: reqwest::Client,
    id: String,
    url: String,
}

impl Upload {
    async fn new(client: &Client, size: usize) -> Self {
        let (id, _) = client.declare(size).await.unwrap();
        let file = client.get(&format!("/v1/files/{id}")).await.unwrap();
        let url = text(&file["data"]["links"]["resumable"]);
        Self { http: reqwest::Client::new(), id, url }
    }

    /// The same upload at another server.
    fn at(&self, client: &Client) -> Self {
        let (_, path) = self.url.split_once("/v1/").unwrap();
        Self { http: self.http.clone(), id: self.id.clone(), url: format!("{}/v1/{path}", client.url) }
    }

    fn request(&self, method: Method) -> RequestBuilder {
        self.http.request(method, &self.url).header("Tus-Resumable", "1.0.0")
    }

    async fn offset(&self) -> usize {
        let response = self.request(Method::HEAD).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        response.headers()["upload-offset"].to_str().unwrap().parse().unwrap()
    }

    fn patch(&self, offset: usize) -> RequestBuilder {
        let request = self.request(Method::PATCH).header("Upload-Offset", offset);
        request.header(CONTENT_TYPE, "application/offset+octet-stream")
    }

    async fn append(&self, offset: usize, bytes: &[u8]) -> StatusCode {
        self.patch(offset).body(bytes.to_vec()).send().await.unwrap().status()
    }

    /// A request that has sent `bytes` and then waits; aborting it cuts its connection.
    fn begin(&self, offset: usize, bytes: &[u8]) -> tokio::task::JoinHandle<Option<StatusCode>> {
        let chunks = futures_util::stream::iter(vec![Ok::<_, std::io::Error>(bytes.to_vec())]);
        let endless = futures_util::StreamExt::chain(chunks, futures_util::stream::pending());
        let request = self.patch(offset).body(reqwest::Body::wrap_stream(endless));
        tokio::spawn(async move { request.send().await.ok().map(|response| response.status()) })
    }
}

/// Waits until the store has so much of uploads that are not complete.
async fn until_stored(cluster: &Cluster, parts: usize) {
    let stored = async {
        while cluster.objects.parts() < parts {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(120), stored).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_request_may_go_to_another_server() {
    let mut cluster = Cluster::new().await;
    let (_one, one) = cluster.api().await;
    let (_two, two) = cluster.api().await;
    // Ends of requests within parts, at their ends, and without bytes.
    for (size, ends) in [
        (5, vec![2, 2, 5]),
        (8 * MIB, vec![3 * MIB, 8 * MIB]),
        (16 * MIB, vec![8 * MIB, 16 * MIB]),
        (21 * MIB + 1, vec![1, 9 * MIB, 9 * MIB, 16 * MIB + 1, 17 * MIB, 21 * MIB + 1]),
    ] {
        let bytes = pattern(size);
        let upload = Upload::new(&one, size).await;
        let mut from = 0;
        for (number, end) in ends.into_iter().enumerate() {
            let upload = upload.at(if number % 2 == 0 { &one } else { &two });
            assert_eq!(upload.offset().await, from);
            assert_eq!(upload.append(from, &bytes[from..end]).await, StatusCode::NO_CONTENT);
            from = end;
        }
        let file = two.get(&format!("/v1/files/{}", upload.id)).await.unwrap()["data"].clone();
        assert_eq!(
            (&file["attributes"]["size"], &file["meta"]["sha256"]),
            (&json!(size), &json!(sha256(&bytes)))
        );
        assert!(one.download(&file["links"]["download"]).await == bytes);
        assert!(file["links"]["resumable"].is_null());
        assert_eq!(upload.append(size, &[]).await, StatusCode::CONFLICT);
    }
    // Nothing but the contents is left.
    assert_eq!((cluster.objects.names().len(), cluster.objects.parts()), (4, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_goes_on_elsewhere_after_a_cut_and_a_kill() {
    let mut cluster = Cluster::new().await;
    let (one, first) = cluster.api().await;
    let (_two, second) = cluster.api().await;
    let bytes = pattern(60 * MIB);
    let upload = Upload::new(&first, bytes.len()).await;
    // The connection is not closed: to the first server it looks slow.
    let hanging = upload.begin(0, &bytes[..30 * MIB]);
    // A third part is sent when the first was recorded; and the store has a note of the upload.
    until_stored(&cluster, 4).await;
    let there = upload.at(&second);
    let offset = there.offset().await;
    assert!((8 * MIB..=30 * MIB).contains(&offset) && offset % (8 * MIB) == 0, "{offset}");
    assert_eq!(there.append(offset, &bytes[offset..45 * MIB]).await, StatusCode::NO_CONTENT);
    hanging.abort();
    // What the first server still had of it was not recorded over that.
    let again = upload.begin(45 * MIB, &bytes[45 * MIB..58 * MIB]);
    sleep(Duration::from_millis(300)).await;
    one.signal(Signal::KILL);
    let _ = again.await;
    let offset = there.offset().await;
    assert!((45 * MIB - MIB * 5..=58 * MIB).contains(&offset), "{offset}");
    assert_eq!(there.append(offset, &bytes[offset..]).await, StatusCode::NO_CONTENT);
    let file = second.get(&format!("/v1/files/{}", upload.id)).await.unwrap()["data"].clone();
    assert_eq!(file["meta"]["sha256"], sha256(&bytes));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_with_another_checksum_are_discarded() {
    let mut cluster = Cluster::new().await;
    let (_one, one) = cluster.api().await;
    let (_two, two) = cluster.api().await;
    let bytes = pattern(40 * MIB);
    let upload = Upload::new(&one, bytes.len()).await;
    let checked = async |upload: &Upload, offset: usize, sent: &[u8], meant: &[u8]| {
        let checksum = format!("sha256 {}", STANDARD.encode(Sha256::digest(meant)));
        let request = upload.patch(offset).header("Upload-Checksum", checksum);
        request.body(sent.to_vec()).send().await.unwrap().status().as_u16()
    };
    let there = upload.at(&two);
    let (ends, mut from) = ([20 * MIB, 30 * MIB, 40 * MIB], 0);
    for end in ends {
        let part = &bytes[from..end];
        let mut wrong = part.to_vec();
        wrong[part.len() / 2] ^= 1;
        // Parts of it are in the store, under the numbers of those that will replace them.
        assert_eq!(checked(&upload, from, &wrong, part).await, 460);
        assert_eq!(there.offset().await, from);
        assert_eq!(checked(&there, from, part, part).await, 204);
        from = end;
    }
    let file = one.get(&format!("/v1/files/{}", upload.id)).await.unwrap()["data"].clone();
    assert_eq!(file["meta"]["sha256"], sha256(&bytes));
    assert!(one.download(&file["links"]["download"]).await == bytes);
    assert_eq!((cluster.objects.names().len(), cluster.objects.parts()), (1, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_is_given_up_leaves_nothing() {
    let mut cluster = Cluster::new().await;
    let (_api, api) = cluster.api().await;
    let bytes = pattern(20 * MIB);
    let upload = Upload::new(&api, 50 * MIB).await;
    assert_eq!(upload.append(0, &bytes).await, StatusCode::NO_CONTENT);
    // Two parts with what the store notes of the upload, and the rest.
    assert!(cluster.objects.names().len() == 1 && cluster.objects.parts() >= 2);
    let deleted = upload.request(Method::DELETE).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    assert_eq!((cluster.objects.names().len(), cluster.objects.parts()), (0, 0));
    assert_eq!(upload.append(20 * MIB, &bytes).await, StatusCode::GONE);
}

/// The next server that starts sweeps at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_expires_leaves_nothing() {
    let mut cluster = Cluster::new().await;
    let short = cluster.node("api", &["--upload-retention", "3s"]).await;
    let client = Client::new(&short, &cluster.key);
    let upload = Upload::new(&client, 50 * MIB).await;
    assert_eq!(upload.append(0, &pattern(20 * MIB)).await, StatusCode::NO_CONTENT);
    // Two parts with what the store notes of the upload, and the rest.
    assert!(cluster.objects.names().len() == 1 && cluster.objects.parts() >= 2);
    sleep(Duration::from_secs(3)).await;
    let _next: Service = cluster.node("api", &[]).await;
    let swept = async {
        while (cluster.objects.names().len(), cluster.objects.parts()) != (0, 0) {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(120), swept).await.unwrap();
}
