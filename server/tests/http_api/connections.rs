//! Clients that are slow, disconnect, close one direction or declare wrong lengths. The tests write raw bytes, in
//! development mode, because HTTP libraries do not send such requests.

use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::service::{PNG, Service, id, link, refused};

/// A connection in plain HTTP.
pub(crate) struct Raw(TcpStream);

impl Raw {
    pub(crate) async fn connect(service: &Service) -> Self {
        let address = service.running.local_url.strip_prefix("http://").expect("development mode");
        Self(TcpStream::connect(address).await.unwrap())
    }

    /// A connection from another address of loopback, to whatever the service speaks.
    pub(crate) async fn from(client: Ipv4Addr, service: &Service) -> Self {
        let address = service.running.local_url.split_once("//").unwrap().1.parse().unwrap();
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((client, 0).into()).unwrap();
        Self(socket.connect(address).await.unwrap())
    }

    /// True once the service has closed the connection without a word.
    pub(crate) async fn ends(&mut self) -> bool {
        let mut said = Vec::new();
        let _ = self.0.read_to_end(&mut said).await;
        said.is_empty()
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.unwrap();
    }

    /// The status of the next answer; none where the connection ends before.
    pub(crate) async fn status(&mut self) -> Option<u16> {
        let mut line = [0; 12];
        self.0.read_exact(&mut line).await.ok()?;
        std::str::from_utf8(&line[9..]).unwrap().parse().ok()
    }

    /// Some bytes, at most so many; none at the end.
    pub(crate) async fn take(&mut self, most: usize) -> Option<usize> {
        let mut bytes = vec![0; most];
        self.0.read(&mut bytes).await.ok().filter(|count| *count > 0)
    }

    pub(crate) async fn exactly(&mut self, count: usize) -> String {
        let mut bytes = vec![0; count];
        self.0.read_exact(&mut bytes).await.unwrap();
        String::from_utf8(bytes).unwrap()
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
        config.min_transfer_rate.window = Duration::from_millis(300);
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
async fn a_stalled_upload_is_closed_and_leaves_nothing() {
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
async fn a_trickling_upload_is_closed() {
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
async fn a_client_that_is_still_sending_gets_the_response() {
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
async fn one_of_two_concurrent_uploads_succeeds() {
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

/// Else one link would take more room than was declared.
#[tokio::test]
async fn an_upload_whose_bytes_stay_away_gives_way_to_the_next_one() {
    let service = plain().await;
    let file = service.new_file(PNG.len()).await;
    let mut raw = begun(&service, &file).await;
    assert_eq!(service.put(&file, PNG).await.status(), 201);
    // It was given up before the other began.
    let _ = raw.0.write_all(&PNG[20..]).await;
    assert_eq!(raw.head().await.0, 408);
}

#[tokio::test]
async fn an_upload_ends_when_its_file_is_deleted() {
    let service = plain().await;
    let file = service.new_file(PNG.len()).await;
    let mut raw = begun(&service, &file).await;
    let delete = service.request(reqwest::Method::DELETE, &format!("/v1/files/{}", id(&file)));
    assert_eq!(delete.send().await.unwrap().status(), 204);
    assert_eq!(raw.head().await.0, 410);
    assert!(raw.rest().await.contains("\"file_expired\""));
    nothing_is_left(&service).await;
}

/// A PUT of which 20 bytes have come.
async fn begun(service: &Service, file: &serde_json::Value) -> Raw {
    let url = link(file, "upload");
    let (path, length) = (&url[url.find("/v1/").unwrap()..], PNG.len());
    let mut raw = Raw::connect(service).await;
    raw.send(&format!("PUT {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n")).await;
    raw.send_bytes(&PNG[..20]).await;
    while !service.metrics().await.contains("direction=\"in\"} 20\n") {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    raw
}

#[tokio::test]
async fn a_document_that_is_sent_too_slowly_is_408() {
    let service = impatient().await;
    let mut raw = Raw::connect(&service).await;
    let content = "Content-Type: application/vnd.api+json\r\nContent-Length: 100";
    let key = format!("Authorization: Bearer {}", service.key);
    raw.send(&format!("POST /v1/files HTTP/1.1\r\nHost: a\r\n{key}\r\n{content}\r\n\r\n{{\"data\"")).await;
    assert_eq!(raw.head().await.0, 408);
    assert!(raw.rest().await.contains("\"request_timeout\""));
}

#[tokio::test]
async fn a_client_that_reads_nothing_is_disconnected() {
    let service = Service::with(|config| {
        config.dev = true;
        config.min_transfer_rate.window = Duration::from_millis(200);
    });
    let service = unpooled(service.await);
    let file = service.file(&vec![7; 64 << 20]).await;
    let url = link(&file, "download");
    let mut idle = Raw::connect(&service).await;
    idle.send(&format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", &url[url.find("/v1/").unwrap()..])).await;
    assert_eq!(idle.head().await.0, 200);
    while !service.metrics().await.contains("filepress_connections 0\n") {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut taken = Vec::new();
    let _ = idle.0.read_to_end(&mut taken).await;
    assert!(taken.len() < 64 << 20);
}
