//! Receives callbacks: a small HTTP server on loopback that answers as its test wants, and remembers what came.

#![allow(dead_code, unreachable_pub, reason = "each test program uses a part of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::Value;
use sha2::Sha256;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// What is answered to a request.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A response with this status.
    Status(u16),
    /// A redirect.
    Redirect(String),
    /// Nothing, while the connection stays open.
    Silence,
    /// A response of this status whose body does not end.
    Endless(u16),
    /// A head that does not end.
    EndlessHead,
}

/// A request.
#[derive(Debug, Clone)]
pub struct Received {
    pub line: String,
    /// By names in lower case.
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

/// The server.
pub struct Receiver {
    pub port: u16,
    received: Arc<Mutex<Vec<Received>>>,
    /// Bytes of answers that do not end, written so far.
    pub written: Arc<AtomicUsize>,
}

type Script = Arc<dyn Fn(usize, &Received) -> Answer + Send + Sync>;

impl Receiver {
    /// Receives over plain HTTP; `script` says what is answered to the request with this number, from 0.
    pub async fn start(script: impl Fn(usize, &Received) -> Answer + Send + Sync + 'static) -> Self {
        Self::run(None, Arc::new(script)).await
    }

    /// Receives over TLS, with a certificate for `localhost`; returns it as PEM.
    pub async fn start_tls(
        script: impl Fn(usize, &Received) -> Answer + Send + Sync + 'static,
    ) -> (Self, String) {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        (Self::run(Some(TlsAcceptor::from(Arc::new(config))), Arc::new(script)).await, made.cert.pem())
    }

    async fn run(tls: Option<TlsAcceptor>, script: Script) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (received, written) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
        let (kept, count) = (Arc::clone(&received), Arc::clone(&written));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (tls, script, kept, count) =
                    (tls.clone(), Arc::clone(&script), Arc::clone(&kept), Arc::clone(&count));
                tokio::spawn(async move {
                    match tls {
                        None => answer(stream, &script, &kept, &count).await,
                        Some(tls) => match tls.accept(stream).await {
                            Ok(stream) => answer(stream, &script, &kept, &count).await,
                            Err(_) => None,
                        },
                    }
                });
            }
        });
        Self { port, received, written }
    }

    /// What came so far.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// Its address, with a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

async fn answer(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    script: &Script,
    kept: &Mutex<Vec<Received>>,
    count: &AtomicUsize,
) -> Option<()> {
    let request = read(&mut stream).await?;
    let answer = {
        let mut kept = kept.lock().unwrap();
        let answer = script(kept.len(), &request);
        kept.push(request);
        answer
    };
    match answer {
        Answer::Status(status) => {
            let text = format!("HTTP/1.1 {status} Status\r\nContent-Length: 2\r\n\r\nok");
            stream.write_all(text.as_bytes()).await.ok()?;
        }
        Answer::Redirect(target) => {
            let text = format!("HTTP/1.1 307 Status\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n");
            stream.write_all(text.as_bytes()).await.ok()?;
        }
        Answer::Silence => tokio::time::sleep(Duration::from_secs(600)).await,
        Answer::Endless(status) => {
            let text = format!("HTTP/1.1 {status} Status\r\nContent-Length: 99999999999999\r\n\r\n");
            stream.write_all(text.as_bytes()).await.ok()?;
            endless(&mut stream, &[b'a'; 4096], count).await?;
        }
        Answer::EndlessHead => {
            stream.write_all(b"HTTP/1.1 200 Status\r\n").await.ok()?;
            endless(&mut stream, b"X-Header: more and more and more and more\r\n", count).await?;
        }
    }
    stream.shutdown().await.ok()
}

async fn endless(stream: &mut (impl AsyncWrite + Unpin), piece: &[u8], count: &AtomicUsize) -> Option<()> {
    loop {
        stream.write_all(piece).await.ok()?;
        count.fetch_add(piece.len(), Ordering::SeqCst);
    }
}

async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Option<Received> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let mut lines = head.split("\r\n");
    let line = lines.next()?.to_owned();
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let length: usize = headers.get("content-length")?.parse().ok()?;
    let mut body = bytes.split_off(end + 4);
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some(Received { line, headers, body })
}

impl Received {
    /// The document in its body.
    pub fn document(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Whether one of its signatures is by this secret, as a receiver checks it.
    pub fn is_signed_by(&self, secret: &str) -> bool {
        let secret = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let (id, time) = (&self.headers["webhook-id"], &self.headers["webhook-timestamp"]);
        let mut hmac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
        hmac.update(format!("{id}.{time}.").as_bytes());
        hmac.update(&self.body);
        let expected = hmac.finalize().into_bytes();
        self.headers["webhook-signature"].split(' ').any(|signature| {
            let mac = signature.strip_prefix("v1,").map(|mac| STANDARD.decode(mac).unwrap());
            mac.is_some_and(|mac| mac[..] == expected[..])
        })
    }

    /// When it was sent, in seconds since 1970.
    pub fn time(&self) -> i64 {
        self.headers["webhook-timestamp"].parse().unwrap()
    }
}
