//! A store that gives uploads in parts up, as a rule for incomplete uploads makes it do; one that has completed an upload although nobody
//! recorded that; and one that copies an object, but does not return the copy.

use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use filepress_server::blobs::Blobs;
use filepress_server::clock::{Clock, SystemClock};
use filepress_server::upload_state::UploadState;
use http::{HeaderMap, Method, StatusCode, Uri};

use crate::both::{Fixture, pattern};
use crate::s3;

/// Stands before the store. While it forgets, it knows no upload in parts; while it withholds, it returns no object.
#[derive(Clone)]
struct Forgetful {
    target: String,
    http: reqwest::Client,
    forgets: Arc<AtomicBool>,
    withholds: Arc<AtomicBool>,
}

impl Forgetful {
    /// A store behind it, and the service's view of that.
    async fn open() -> (Self, Fixture) {
        let server = s3::Server::start().await;
        let mut config = server.config();
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let own = format!("http://{}", listener.local_addr().unwrap());
        let (_, endpoint) = config.variables.iter_mut().find(|(name, _)| name == "AWS_ENDPOINT_URL").unwrap();
        let target = std::mem::replace(endpoint, own);
        let this =
            Self { target, http: reqwest::Client::new(), forgets: Arc::default(), withholds: Arc::default() };
        // Parts have megabytes.
        let router =
            Router::new().fallback(forward).layer(DefaultBodyLimit::disable()).with_state(this.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let mut fixture = Fixture::open(Some(server)).await;
        fixture.blobs = Blobs::open(fixture.folder.path(), Some(&config), SystemClock.now()).unwrap();
        (this, fixture)
    }
}

async fn forward(
    State(this): State<Forgetful>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let is_of_upload = uri.query().is_some_and(|query| query.contains("uploadId="));
    if is_of_upload && this.forgets.load(Ordering::SeqCst) {
        let error = "<Error><Code>NoSuchUpload</Code></Error>";
        return (StatusCode::NOT_FOUND, error).into_response();
    }
    if method == Method::GET && uri.query().is_none() && this.withholds.load(Ordering::SeqCst) {
        return (StatusCode::NOT_FOUND, "<Error><Code>NoSuchKey</Code></Error>").into_response();
    }
    // The host is signed.
    let request = this.http.request(method, format!("{}{uri}", this.target)).headers(headers).body(body);
    let answer = request.send().await.unwrap();
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    // Of the connection to the store: the body goes on as a whole.
    headers.remove(http::header::TRANSFER_ENCODING);
    (status, headers, answer.bytes().await.unwrap()).into_response()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_the_store_has_given_up_is_not_found() {
    let (store, fixture) = Forgetful::open().await;
    let bytes = Bytes::from(pattern(20 << 20));
    let mut partial = fixture.blobs.open_partial("upload", UploadState::default()).await.unwrap();
    partial.write(&bytes).await.unwrap();
    let state = partial.sync().await.unwrap();
    assert_eq!(state.objects.as_ref().unwrap().parts.len(), 2);
    partial.recorded().await;
    store.forgets.store(true, Ordering::SeqCst);
    let mut partial = fixture.blobs.open_partial("upload", state.clone()).await.unwrap();
    assert_eq!(partial.publish().await.unwrap_err().kind(), ErrorKind::NotFound);
    let mut partial = fixture.blobs.open_partial("upload", state.clone()).await.unwrap();
    // Parts are sent while bytes are taken.
    let failed = match partial.write(&bytes).await {
        Ok(()) => partial.sync().await.map(drop),
        failed => failed.map(drop),
    };
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(partial.sync().await.unwrap_err().kind(), ErrorKind::NotFound, "nothing after it counts");
    fixture.blobs.discard(state.objects.as_ref().unwrap(), false).await.unwrap();
    // Without the rest, the upload goes on after its parts.
    let partial = fixture.blobs.open_partial("upload", state).await.unwrap();
    assert_eq!(partial.size(), 16 << 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_was_completed_is_recognized() {
    let (store, fixture) = Forgetful::open().await;
    let bytes = Bytes::from(pattern(20 << 20));
    let mut partial = fixture.blobs.open_partial("upload", UploadState::default()).await.unwrap();
    partial.write(&bytes).await.unwrap();
    let state = partial.sync().await.unwrap();
    partial.recorded().await;
    let first = partial.publish().await.unwrap();
    // The service was killed before it could record that.
    store.forgets.store(true, Ordering::SeqCst);
    let mut again = fixture.blobs.open_partial("upload", state).await.unwrap();
    let second = again.publish().await.unwrap();
    assert_eq!((first.name, first.sha256, first.head), (second.name, second.sha256, second.head));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_copy_is_left_of_an_upload_that_does_not_become_a_content() {
    const SENT: &str = "00000000-0000-4000-8000-000000000000";
    let (store, fixture) = Forgetful::open().await;
    let server = fixture.server.as_ref().unwrap();
    server.plant(SENT, b"abc");
    store.withholds.store(true, Ordering::SeqCst);
    assert_eq!(fixture.blobs.take_sent(SENT, 3).await.unwrap_err().kind(), ErrorKind::NotFound);
    store.withholds.store(false, Ordering::SeqCst);
    assert!(fixture.blobs.take_sent(SENT, 4).await.unwrap().is_none());
    assert_eq!(server.names(), [SENT.to_owned()].into());
    let stored = fixture.blobs.take_sent(SENT, 3).await.unwrap().unwrap();
    assert_eq!(server.names(), [SENT.to_owned(), stored.name].into());
}
