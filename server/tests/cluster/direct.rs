//! Uploads that go to the object store itself and downloads that come from it, by links that the servers sign.

use std::time::Duration;

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::time::{sleep, timeout};

use crate::service::{Client, Service, new_task, noise, read_log, text};
use crate::{Cluster, LONG_LEASE};

const DIRECT: [&str; 1] = ["--direct-uploads"];

async fn node(cluster: &mut Cluster, arguments: &[&str]) -> (Service, Client) {
    cluster.objects.guard().await;
    let service = cluster.node("api", &[&DIRECT, arguments].concat()).await;
    let client = Client::new(&service, &cluster.key);
    (service, client)
}

async fn put(url: &str, bytes: &[u8]) -> StatusCode {
    reqwest::Client::new().put(url).body(bytes.to_vec()).send().await.unwrap().status()
}

async fn file(client: &Client, id: &str) -> Value {
    client.get(&format!("/v1/files/{id}")).await.unwrap()["data"].take()
}

async fn new_png_task(client: &Client, input: &str) -> Response {
    client.post("/v1/tasks", &new_task(input, "image/png", json!({}))).await.unwrap()
}

/// The error of a task that is not created: its status, its code, and what it points to.
async fn refusal(client: &Client, input: &str) -> (u16, String, String) {
    let answer = new_png_task(client, input).await;
    let status = answer.status().as_u16();
    let error = answer.json::<Value>().await.unwrap()["errors"][0].take();
    (status, text(&error["code"]), text(&error["source"]["pointer"]))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Starts a server, which sweeps at once, and waits until the store has so many objects.
async fn swept(cluster: &mut Cluster, left: usize) {
    let _next = node(cluster, &[]).await;
    let swept = async {
        while cluster.objects.objects() != left {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(120), swept).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_sent_to_the_store_is_the_input_of_a_task_at_any_server() {
    let mut cluster = Cluster::new().await;
    let (_one, one) = node(&mut cluster, &[]).await;
    let (_two, two) = node(&mut cluster, &[]).await;
    let _worker = cluster.node("worker", &LONG_LEASE).await;
    let picture = noise(1700, 1);
    let (id, url) = one.declare(picture.len()).await.unwrap();
    assert_eq!(url.split('?').next().unwrap(), format!("{}{id}", cluster.objects.url()));
    assert_eq!(put(&url, &picture).await, StatusCode::OK);
    let task = new_png_task(&two, &id).await;
    assert_eq!(task.status(), StatusCode::CREATED);
    let task = text(&task.json::<Value>().await.unwrap()["data"]["id"]);
    let ended = one.ended(&task).await;
    assert_eq!(ended["data"]["attributes"]["status"], "COMPLETED", "{ended}");
    let file = file(&one, &id).await;
    assert_eq!(file["meta"]["sha256"], sha256(&picture));
    assert_eq!(file["attributes"]["format"], "image/x-portable-anymap");
    assert!(file["links"]["upload"].is_null() && file["links"]["resumable"].is_null());
    assert!(two.download(&file["links"]["download"]).await == picture);
    // The input and the output; what was sent is gone.
    let names = cluster.objects.names();
    assert!(names.len() == 2 && !names.contains(&id), "{names:?}");
    for number in 1..=3 {
        let log = read_log(&cluster.folder.path().join(number.to_string()));
        assert!(!log.is_empty() && !log.contains("X-Amz") && !log.contains(&cluster.key), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_sent_to_the_store_is_the_content_of_the_file_that_is_retrieved() {
    let mut cluster = Cluster::new().await;
    let (_one, one) = node(&mut cluster, &[]).await;
    let (_two, two) = node(&mut cluster, &[]).await;
    let (id, url) = one.declare(3).await.unwrap();
    let waiting = file(&one, &id).await;
    assert!(waiting["meta"]["sha256"].is_null() && waiting["links"]["download"].is_null());
    assert!(text(&waiting["links"]["upload"]).starts_with(&cluster.objects.url()));
    assert_eq!(put(&url, b"abc").await, StatusCode::OK);
    // All of them find the same content, though each may have to make it.
    let readers = (0..8).map(|number| {
        let (client, id) = (if number % 2 == 0 { one.clone() } else { two.clone() }, id.clone());
        tokio::spawn(async move { file(&client, &id).await })
    });
    for reader in readers.collect::<Vec<_>>() {
        let found = reader.await.unwrap();
        assert_eq!(found["meta"]["sha256"], sha256(b"abc"));
        assert_eq!(one.download(&found["links"]["download"]).await, b"abc");
    }
    assert_eq!(cluster.objects.names().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_size_is_refused() {
    let mut cluster = Cluster::new().await;
    let (_api, api) = node(&mut cluster, &[]).await;
    let (id, url) = api.declare(3).await.unwrap();
    for bytes in [&b"ab"[..], b"abcd", b""] {
        assert_eq!(put(&url, bytes).await, StatusCode::FORBIDDEN, "{bytes:?}");
    }
    let changed = url.replace("content-length%3Bhost", "host");
    assert_eq!(put(&changed, b"abcd").await, StatusCode::FORBIDDEN);
    let chunks = futures_util::stream::iter([Ok::<_, std::io::Error>("abcd")]);
    let unknown = reqwest::Client::new().put(&url).body(reqwest::Body::wrap_stream(chunks));
    assert!(unknown.send().await.unwrap().status().is_client_error());
    assert_eq!(cluster.objects.objects(), 0);
    let pointer = "/data/relationships/input/data/id".to_owned();
    // Before the upload.
    assert_eq!(refusal(&api, &id).await, (409, "file_not_uploaded".to_owned(), pointer.clone()));
    // A store that does not look at the size.
    for (bytes, status, code) in [(&b"ab"[..], 400, "size_mismatch"), (b"abcd", 413, "upload_too_large")] {
        cluster.objects.plant(&id, bytes);
        assert_eq!(refusal(&api, &id).await, (status, code.to_owned(), pointer.clone()));
        assert_eq!(refusal(&api, &id).await.1, "file_not_uploaded");
        cluster.objects.plant(&id, bytes);
        assert!(file(&api, &id).await["meta"]["sha256"].is_null());
        assert_eq!(cluster.objects.names().len(), 0);
    }
    assert_eq!(put(&url, b"abc").await, StatusCode::OK);
    assert_eq!(file(&api, &id).await["meta"]["sha256"], sha256(b"abc"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_upload_does_not_change_a_content() {
    let mut cluster = Cluster::new().await;
    let (_api, api) = node(&mut cluster, &[]).await;
    let (id, url) = api.declare(3).await.unwrap();
    let only_first = async |bytes: &'static [u8]| {
        let request = reqwest::Client::new().put(&url).header("If-None-Match", "*").body(bytes);
        request.send().await.unwrap().status()
    };
    assert_eq!(only_first(b"abc").await, StatusCode::OK);
    assert_eq!(only_first(b"abd").await, StatusCode::PRECONDITION_FAILED);
    // Nobody has seen the first one yet.
    assert_eq!(put(&url, b"abe").await, StatusCode::OK);
    let before = file(&api, &id).await;
    assert_eq!(before["meta"]["sha256"], sha256(b"abe"));
    assert_eq!(put(&url, b"abf").await, StatusCode::OK);
    let after = file(&api, &id).await;
    assert_eq!(after["meta"], before["meta"]);
    assert_eq!(api.download(&after["links"]["download"]).await, b"abe");
    assert_eq!(cluster.objects.names().len(), 2);
    cluster.objects.age(Duration::from_secs(2 * 3600));
    swept(&mut cluster, 1).await;
    assert_eq!(api.download(&after["links"]["download"]).await, b"abe");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_nobody_asks_for_is_deleted_with_its_file() {
    let mut cluster = Cluster::new().await;
    let (_short, short) = node(&mut cluster, &["--upload-retention", "3s"]).await;
    let (_long, long) = node(&mut cluster, &[]).await;
    let (_, forgotten) = short.declare(3).await.unwrap();
    let (id, url) = long.declare(3).await.unwrap();
    assert_eq!((put(&forgotten, b"abc").await, put(&url, b"abd").await), (StatusCode::OK, StatusCode::OK));
    cluster.objects.age(Duration::from_secs(2 * 3600));
    sleep(Duration::from_secs(3)).await;
    swept(&mut cluster, 1).await;
    // The other one is older than orphans get, but its file still waits.
    assert_eq!(file(&long, &id).await["meta"]["sha256"], sha256(b"abd"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_is_deleted_with_its_file() {
    let mut cluster = Cluster::new().await;
    let (_api, api) = node(&mut cluster, &[]).await;
    let (id, url) = api.declare(3).await.unwrap();
    assert_eq!(put(&url, b"abc").await, StatusCode::OK);
    assert!(cluster.objects.names().contains(&id));
    assert_eq!(api.delete(&format!("/v1/files/{id}")).await.unwrap().status(), StatusCode::NO_CONTENT);
    assert_eq!(cluster.objects.names().len(), 0);
}

/// Larger than what a store takes in one request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_too_large_for_one_request_goes_through_the_server() {
    let mut cluster = Cluster::new().await;
    let (_api, api) = node(&mut cluster, &["--max-file-size", "6GiB"]).await;
    let (_, direct) = api.declare(5 << 30).await.unwrap();
    let (_, through) = api.declare((5 << 30) + 1).await.unwrap();
    assert!(direct.starts_with(&cluster.objects.url()) && through.starts_with(&api.url), "{through}");
}

/// A copy of an object that the link does not name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_go_through_the_server_if_the_store_obeys_headers_that_are_not_signed() {
    let mut cluster = Cluster::new().await;
    let service = cluster.node("api", &DIRECT).await;
    let api = Client::new(&service, &cluster.key);
    let (id, url) = api.declare(3).await.unwrap();
    assert!(url.starts_with(&api.url), "{url}");
    assert!(put(&url, b"abc").await.is_success());
    assert_eq!(file(&api, &id).await["meta"]["sha256"], sha256(b"abc"));
    assert!(read_log(&cluster.folder.path().join("1")).contains("headers that are not signed"));
    // The test of the store has left nothing.
    assert_eq!(cluster.objects.objects(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_of_an_upload_copies_no_other_object() {
    let mut cluster = Cluster::new().await;
    let (_api, api) = node(&mut cluster, &[]).await;
    cluster.objects.plant("secret", b"abc");
    let (_, url) = api.declare(3).await.unwrap();
    let request = reqwest::Client::new().put(&url).header("x-amz-copy-source", "/files/some/prefix/secret");
    assert_eq!(request.body("abd").send().await.unwrap().status(), StatusCode::FORBIDDEN);
    assert_eq!(cluster.objects.objects(), 1);
}

/// Waits for a link to the store; the test of the store is repeated every ten seconds.
async fn directly(cluster: &Cluster, api: &Client) {
    let direct = async {
        while !api.declare(3).await.unwrap().1.starts_with(&cluster.objects.url()) {
            sleep(Duration::from_millis(200)).await;
        }
    };
    timeout(Duration::from_secs(120), direct).await.unwrap();
}

/// That nothing was copied proves nothing if the store failed for another reason.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_only_fails_has_not_passed_the_test() {
    for status in [503, 429, 409, 404, 307, 200] {
        let mut cluster = Cluster::new().await;
        cluster.objects.guard().await;
        cluster.objects.answer_unsigned(status);
        let (_api, api) = node(&mut cluster, &[]).await;
        let (_, through) = api.declare(3).await.unwrap();
        assert!(through.starts_with(&api.url), "{status}: {through}");
        cluster.objects.answer_unsigned(403);
        directly(&cluster, &api).await;
        assert_eq!(cluster.objects.objects(), 0);
    }
}

/// The store would send its coding with every download.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_with_a_content_coding_is_deleted() {
    let mut cluster = Cluster::new().await;
    let (_api, api) = node(&mut cluster, &[]).await;
    let (id, url) = api.declare(3).await.unwrap();
    let coded = async || {
        let request = reqwest::Client::new().put(&url).header("content-encoding", "gzip").body("abc");
        assert_eq!(request.send().await.unwrap().status(), StatusCode::OK);
    };
    coded().await;
    let pointer = "/data/relationships/input/data/id".to_owned();
    assert_eq!(refusal(&api, &id).await, (415, "unsupported_media_type".to_owned(), pointer));
    assert_eq!(refusal(&api, &id).await.1, "file_not_uploaded");
    coded().await;
    assert!(file(&api, &id).await["meta"]["sha256"].is_null());
    assert_eq!(cluster.objects.objects(), 0);
    assert_eq!(put(&url, b"abc").await, StatusCode::OK);
    assert_eq!(file(&api, &id).await["meta"]["sha256"], sha256(b"abc"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_go_to_the_store_as_soon_as_it_could_be_tested() {
    let mut cluster = Cluster::new().await;
    cluster.objects.guard().await;
    cluster.objects.kill().await;
    let (_api, api) = node(&mut cluster, &[]).await;
    let (_, through) = api.declare(3).await.unwrap();
    assert!(through.starts_with(&api.url), "{through}");
    cluster.objects.resume().await;
    directly(&cluster, &api).await;
}

/// The response to a GET, whatever it is.
async fn get(url: &str, headers: &[(&str, &str)]) -> Response {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let request =
        headers.iter().fold(client.get(url), |request, (name, value)| request.header(*name, *value));
    request.send().await.unwrap()
}

fn header(response: &Response, name: &str) -> String {
    response.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn downloads_are_redirected_to_the_store() {
    let mut cluster = Cluster::new().await;
    let service = cluster.node("api", &["--direct-downloads"]).await;
    let api = Client::new(&service, &cluster.key);
    let picture = noise(100, 1);
    let id = api.upload(&picture).await.unwrap();
    let file = file(&api, &id).await;
    let link = text(&file["links"]["download"]);
    assert!(link.starts_with(&api.url), "{link}");
    assert!(api.download(&file["links"]["download"]).await == picture);

    let redirect = get(&link, &[]).await;
    assert_eq!(redirect.status(), StatusCode::TEMPORARY_REDIRECT);
    assert_eq!(header(&redirect, "cache-control"), "no-store");
    let place = header(&redirect, "location");
    // A literal plus is not read as a space by every store.
    assert!(!place.contains('+') && place.contains("attachment%3B%20filename"), "{place}");
    assert!(place.starts_with(&cluster.objects.url()), "{place}");
    let whole = get(&place, &[]).await;
    assert_eq!(whole.status(), StatusCode::OK);
    for (name, value) in [
        ("content-type", "image/x-portable-anymap"),
        ("content-disposition", &format!("attachment; filename=\"{id}.pnm\"")),
        ("cache-control", "private, no-cache"),
    ] {
        assert_eq!(header(&whole, name), value);
    }
    assert!(whole.bytes().await.unwrap() == picture);
    let part = get(&place, &[("range", "bytes=1-3")]).await;
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert!(part.bytes().await.unwrap() == picture[1..4]);
    // What the link was signed for cannot be changed, and it is for one object.
    assert_eq!(get(&place.replace("attachment", "inline"), &[]).await.status(), StatusCode::FORBIDDEN);
    cluster.objects.plant("secret", b"abc");
    let name = place.split('?').next().unwrap().rsplit('/').next().unwrap();
    assert_eq!(get(&place.replacen(name, "secret", 1), &[]).await.status(), StatusCode::FORBIDDEN);

    let etag = format!("\"{}\"", sha256(&picture));
    assert_eq!(get(&link, &[("if-none-match", &etag)]).await.status(), StatusCode::NOT_MODIFIED);
    let head = reqwest::Client::new().head(&link).send().await.unwrap();
    assert_eq!((head.status(), header(&head, "etag")), (StatusCode::OK, etag));
    assert_eq!(get(&format!("{link}0"), &[]).await.status(), StatusCode::FORBIDDEN);
    assert_eq!(api.delete(&format!("/v1/files/{id}")).await.unwrap().status(), StatusCode::NO_CONTENT);
    assert_eq!(get(&link, &[]).await.status(), StatusCode::GONE);
    assert_eq!(get(&place, &[]).await.status(), StatusCode::NOT_FOUND);
    let log = read_log(&cluster.folder.path().join("1"));
    assert!(!log.is_empty() && !log.contains("X-Amz"), "{log}");
}
