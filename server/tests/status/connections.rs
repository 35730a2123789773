//! Clients that are slow, cut off, half gone or dishonest about lengths. Bytes are written by hand, in development mode, since
//! no HTTP library would.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::service::{PNG, Service, id, link, refused};

/// A connection in plain HTTP.
pub(crate) struct Raw(TcpStream);

impl Raw {
    pub(crate) async fn connect(service: &Service) -> Self {
        let address = service.running.local_url.strip_prefix("http://").expect("development mode");
        Self(TcpStream::connect(address).await.unwrap())
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Status and head of the next answer.
    pub(crate) async fn head(&mut self) -> (u16, String) {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.0.read_u8().await.expect("an answer"));
        }
        let head = String::from_utf8(head).unwrap();
        (head[9..12].parse().unwrap(), head.to_lowercase())
    }

    /// Everything until the service closes.
    pub(crate) async fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.0.read_to_string(&mut rest).await.unwrap();
        rest
    }

    /// The head of an upload of `length` bytes, and the first of them.
    pub(crate) async fn begin_upload(&mut self, url: &str, length: u64, first: &str) {
        let path = &url[url.find("/v1/").unwrap()..];
        self.send(&format!("PUT {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n{first}"))
            .await;
    }
}

async fn plain() -> Service {
    Service::with(|config| config.dev = true).await
}

/// For clients whose time runs out.
async fn impatient() -> Service {
    let service = Service::with(|config| {
        config.dev = true;
        config.upload_idle = Duration::from_millis(300);
        config.idle_timeout = Duration::from_millis(300);
    });
    unpooled(service.await)
}

/// A connection that is kept for the next request may be closed in the moment in which that is made.
fn unpooled(service: Service) -> Service {
    let client = reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap();
    Service { client, ..service }
}

/// Nothing is left of what was received in part.
async fn nothing_is_left(service: &Service) {
    let incoming = service.data.path().join("incoming");
    while std::fs::read_dir(&incoming).unwrap().count() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let blobs = std::fs::read_dir(service.data.path().join("blobs")).unwrap();
    let files: usize = blobs.map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().count()).sum();
    assert_eq!(files, 0);
}

async fn can_be_repeated(service: &Service, file: &serde_json::Value, bytes: &'static [u8]) {
    let again = service.read(&format!("/v1/files/{}", id(file)), "FileDocument").await;
    assert_eq!(service.put(&again["data"], bytes).await.status(), 201);
}

#[tokio::test]
async fn an_upload_that_stands_still_is_ended_and_leaves_nothing() {
    let service = impatient().await;
    let file = service.new_file(PNG.len()).await;
    let mut raw = Raw::connect(&service).await;
    raw.begin_upload(link(&file, "upload"), PNG.len() as u64, "abc").await;
    let (status, head) = raw.head().await;
    assert_eq!(status, 408);
    assert!(head.contains("connection: close"), "{head}");
    assert!(raw.rest().await.contains("\"request_timeout\""));
    nothing_is_left(&service).await;
    can_be_repeated(&service, &file, PNG).await;
}

#[tokio::test]
async fn a_byte_now_and_then_does_not_hold_a_connection() {
    let service = impatient().await;
    let file = service.new_file(1 << 20).await;
    let mut raw = Raw::connect(&service).await;
    raw.begin_upload(link(&file, "upload"), 1 << 20, "a").await;
    let (mut read, mut write) = tokio::io::split(raw.0);
    let drip = async {
        while write.write_all(b"a").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let mut answer = [0; 12];
    tokio::select! {
        biased;
        answered = read.read_exact(&mut answer) => { answered.unwrap(); }
        () = drip => panic!("closed without an answer"),
    }
    assert_eq!(&answer, b"HTTP/1.1 408");
    nothing_is_left(&service).await;
}

#[tokio::test]
async fn two_gigabytes_declared_and_ten_bytes_sent_leave_nothing() {
    let service = plain().await;
    let file = service.new_file(2 << 30).await;
    // The client closes its side and still listens.
    let mut raw = Raw::connect(&service).await;
    raw.begin_upload(link(&file, "upload"), 2 << 30, "ten bytes.").await;
    raw.0.shutdown().await.unwrap();
    assert_eq!(raw.head().await.0, 400);
    assert!(raw.rest().await.contains("\"size_mismatch\""));
    nothing_is_left(&service).await;
    // The client is gone.
    let mut raw = Raw::connect(&service).await;
    raw.begin_upload(link(&file, "upload"), 2 << 30, "ten bytes.").await;
    drop(raw);
    nothing_is_left(&service).await;
}

#[tokio::test]
async fn a_half_closed_connection_gets_its_answer() {
    let service = plain().await;
    let file = service.new_file(4).await;
    let mut raw = Raw::connect(&service).await;
    raw.begin_upload(link(&file, "upload"), 4, "four").await;
    raw.0.shutdown().await.unwrap();
    assert_eq!(raw.head().await.0, 201);
}

#[tokio::test]
async fn an_answer_is_not_lost_to_a_client_that_goes_on_sending() {
    let service = plain().await;
    let file = service.new_file(4).await;
    let mut raw = Raw::connect(&service).await;
    raw.begin_upload(link(&file, "upload"), 1 << 30, "").await;
    let (mut read, mut write) = tokio::io::split(raw.0);
    let send = async {
        let chunk = vec![0; 1 << 16];
        while write.write_all(&chunk).await.is_ok() {}
    };
    let mut answer = vec![0; 12];
    let (_, answered) = tokio::join!(send, read.read_exact(&mut answer));
    answered.unwrap();
    assert_eq!(answer, b"HTTP/1.1 413");
}

#[tokio::test]
async fn lengths_that_contradict_each_other_are_refused() {
    let service = plain().await;
    let file = service.new_file(4).await;
    let url = link(&file, "upload");
    let path = &url[url.find("/v1/").unwrap()..];
    for lengths in [
        "Content-Length: 4\r\nContent-Length: 5",
        "Content-Length: -4",
        "Content-Length: 4\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 4",
    ] {
        let mut raw = Raw::connect(&service).await;
        raw.send(&format!("PUT {path} HTTP/1.1\r\nHost: a\r\n{lengths}\r\n\r\nfour")).await;
        let status = raw.head().await.0;
        assert!([400, 411].contains(&status), "{lengths}: {status}");
    }
    nothing_is_left(&service).await;
    can_be_repeated(&service, &file, b"four").await;
}

#[tokio::test]
async fn a_connection_that_sends_no_request_is_closed() {
    let service = impatient().await;
    for begin in ["", "GET /v1/files HTTP/1.1\r\nHost:"] {
        let mut raw = Raw::connect(&service).await;
        raw.send(begin).await;
        let rest = raw.rest().await;
        assert!(rest.is_empty() || rest.starts_with("HTTP/1.1 408"), "{rest}");
    }
    let mut raw = Raw::connect(&service).await;
    raw.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert_eq!(raw.head().await.0, 200);
    assert_eq!(raw.rest().await, "ok\n", "and closed when it idles");
}

#[tokio::test]
async fn a_head_that_is_too_long_is_refused() {
    let service = plain().await;
    let mut raw = Raw::connect(&service).await;
    raw.send(&format!("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: {}\r\n\r\n", "a".repeat(20_000))).await;
    assert_eq!(raw.head().await.0, 431);
}

#[tokio::test]
async fn more_connections_than_allowed_wait_for_their_turn() {
    let service = Service::with(|config| {
        config.dev = true;
        config.max_connections = 1;
    })
    .await;
    let mut first = Raw::connect(&service).await;
    first.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert_eq!(first.head().await.0, 200);
    let mut second = Raw::connect(&service).await;
    second.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
    let waits = tokio::time::timeout(Duration::from_millis(100), second.head()).await;
    assert!(waits.is_err(), "the second is not served beside the first");
    drop(first);
    assert_eq!(second.0.read_u8().await.unwrap(), b'H');
}

#[tokio::test]
async fn two_uploads_at_once_are_one_upload() {
    let service = plain().await;
    let file = service.new_file(PNG.len()).await;
    let (one, other) = tokio::join!(service.put(&file, PNG), service.put(&file, PNG));
    let (kept, refusal) = if one.status() == 201 { (one, other) } else { (other, one) };
    assert_eq!(kept.status(), 201);
    refused(refusal, 409, "already_uploaded").await;
    let blobs = std::fs::read_dir(service.data.path().join("blobs")).unwrap();
    let files: usize = blobs.map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().count()).sum();
    assert_eq!(files, 1);
}

#[tokio::test]
async fn a_document_that_does_not_arrive_is_408() {
    let service = impatient().await;
    let mut raw = Raw::connect(&service).await;
    let content = "Content-Type: application/vnd.api+json\r\nContent-Length: 100";
    let key = format!("Authorization: Bearer {}", service.key);
    raw.send(&format!("POST /v1/files HTTP/1.1\r\nHost: a\r\n{key}\r\n{content}\r\n\r\n{{\"data\"")).await;
    assert_eq!(raw.head().await.0, 408);
    assert!(raw.rest().await.contains("\"request_timeout\""));
}

#[tokio::test]
async fn a_client_that_takes_nothing_does_not_hold_its_connection() {
    let service = Service::with(|config| {
        config.dev = true;
        config.max_connections = 1;
        config.idle_timeout = Duration::from_millis(100);
        config.write_timeout = Duration::from_millis(200);
    });
    let service = unpooled(service.await);
    let file = service.file(&vec![7; 64 << 20]).await;
    let url = link(&file, "download");
    let mut idle = Raw::connect(&service).await;
    idle.send(&format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", &url[url.find("/v1/").unwrap()..])).await;
    assert_eq!(idle.head().await.0, 200);
    // There is room for one connection: the next is served when the other was given up, with its bytes still to be taken.
    let mut next = Raw::connect(&service).await;
    next.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert_eq!(next.head().await.0, 200);
    let mut taken = Vec::new();
    let _ = idle.0.read_to_end(&mut taken).await;
    assert!(taken.len() < 64 << 20);
}
