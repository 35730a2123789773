//! The request of a callback. One connection per call, to an address that was checked after the name was resolved; no redirect is
//! followed and no proxy is used. What the receiver answers is of no interest besides its status.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use filepress_wire::documents::MEDIA_TYPE;
use http::header::{CONNECTION, CONTENT_TYPE, HOST, USER_AGENT};
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::sync::OnceCell;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_util::task::AbortOnDropHandle;

use super::{CallbackUrl, Reach};

/// Addresses of a name that are tried.
const MAX_ADDRESSES: usize = 4;
/// The most bytes of the head of a response.
const MAX_HEAD: usize = 16 << 10;
/// The most bytes of a body that are read.
const MAX_BODY: usize = 64 << 10;
/// How long a body is read.
const BODY_TIME: Duration = Duration::from_secs(1);
/// How long an address may take to accept a connection.
const CONNECT_TIME: Duration = Duration::from_secs(3);
const AGENT: &str = concat!("filepress-server/", env!("CARGO_PKG_VERSION"));

/// Calls URLs.
#[derive(Debug)]
pub struct Caller {
    allow_private: bool,
    /// How long a call may take in all.
    max_time: Duration,
    /// Read by the first call.
    tls: OnceCell<TlsConnectorShown>,
}

/// Why a call came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.code())]
pub enum CallError {
    /// The name has no address.
    UnknownHost,
    /// No address of the name may be called.
    RefusedAddress,
    /// No connection was made.
    NoConnection,
    /// The certificate is not valid, or TLS failed.
    Tls,
    /// The connection broke, or what came is not HTTP.
    NoAnswer,
    /// It took too long.
    TimedOut,
}

impl CallError {
    /// The code in the API and in the log.
    pub const fn code(self) -> &'static str {
        match self {
            Self::UnknownHost => "unknown_host",
            Self::RefusedAddress => "refused_address",
            Self::NoConnection => "no_connection",
            Self::Tls => "tls_failed",
            Self::NoAnswer => "no_answer",
            Self::TimedOut => "timed_out",
        }
    }
}

#[derive(Clone)]
struct TlsConnectorShown(TlsConnector);

impl std::fmt::Debug for TlsConnectorShown {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("TlsConnector")
    }
}

impl Caller {
    /// A caller whose calls take at most `max_time`.
    pub fn new(allow_private: bool, max_time: Duration) -> Self {
        Self { allow_private, max_time, tls: OnceCell::new() }
    }

    /// Sends a POST with these headers, and returns the status of the response.
    ///
    /// # Errors
    /// [`CallError`]
    pub async fn post(
        &self,
        url: &CallbackUrl,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<StatusCode, CallError> {
        timeout(self.max_time, self.send(url, headers, body)).await.unwrap_or(Err(CallError::TimedOut))
    }

    async fn send(
        &self,
        url: &CallbackUrl,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<StatusCode, CallError> {
        let request = request(url, headers, body)?;
        let stream = connect(&self.addresses(url).await?).await?;
        if !url.is_https() {
            return exchange(stream, request).await;
        }
        let name = match url.address() {
            Some(address) => ServerName::IpAddress(address.into()),
            None => ServerName::try_from(url.name().trim_end_matches('.').to_owned())
                .map_err(|_| CallError::Tls)?,
        };
        let tls = self.tls.get_or_try_init(trust).await.map_err(|_| CallError::Tls)?;
        let stream = tls.0.connect(name, stream).await.map_err(|_| CallError::Tls)?;
        exchange(stream, request).await
    }

    /// The addresses of a URL that may be called.
    async fn addresses(&self, url: &CallbackUrl) -> Result<Vec<SocketAddr>, CallError> {
        let found: Vec<SocketAddr> = match url.address() {
            Some(address) => vec![SocketAddr::new(address, url.port())],
            None => {
                lookup_host((url.name(), url.port())).await.map_err(|_| CallError::UnknownHost)?.collect()
            }
        };
        if found.is_empty() {
            return Err(CallError::UnknownHost);
        }
        let is_allowed = |address: IpAddr| Reach::of(address).is_allowed(url.is_https(), self.allow_private);
        let allowed: Vec<SocketAddr> =
            found.into_iter().filter(|found| is_allowed(found.ip())).take(MAX_ADDRESSES).collect();
        if allowed.is_empty() { Err(CallError::RefusedAddress) } else { Ok(allowed) }
    }
}

/// The certificates that this machine trusts.
async fn trust() -> io::Result<TlsConnectorShown> {
    let found = tokio::task::spawn_blocking(rustls_native_certs::load_native_certs).await?;
    let mut roots = RootCertStore::empty();
    let (count, _) = roots.add_parsable_certificates(found.certs);
    if count == 0 {
        tracing::warn!(
            "this machine trusts no certificate authority, so callbacks to https URLs fail; install ca-certificates"
        );
    }
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    Ok(TlsConnectorShown(TlsConnector::from(Arc::new(config))))
}

fn request(url: &CallbackUrl, headers: HeaderMap, body: Bytes) -> Result<Request<Full<Bytes>>, CallError> {
    let mut request = Request::builder()
        .method(Method::POST)
        .uri(url.target())
        .header(HOST, url.authority())
        .header(USER_AGENT, AGENT)
        .header(CONTENT_TYPE, MEDIA_TYPE)
        .header(CONNECTION, "close")
        .body(Full::new(body))
        .map_err(|_| CallError::NoAnswer)?;
    request.headers_mut().extend(headers);
    Ok(request)
}

/// Connects to the first address that takes the connection.
async fn connect(addresses: &[SocketAddr]) -> Result<TcpStream, CallError> {
    for address in addresses {
        if let Ok(Ok(stream)) = timeout(CONNECT_TIME, TcpStream::connect(address)).await {
            return Ok(stream);
        }
    }
    Err(CallError::NoConnection)
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    request: Request<Full<Bytes>>,
) -> Result<StatusCode, CallError> {
    let handshake = http1::Builder::new().max_buf_size(MAX_HEAD).handshake(TokioIo::new(stream));
    let (mut sender, connection) = handshake.await.map_err(|_| CallError::NoAnswer)?;
    let connection = AbortOnDropHandle::new(tokio::spawn(connection));
    let response = sender.send_request(request).await.map_err(|_| CallError::NoAnswer)?;
    let (head, body) = response.into_parts();
    // The status has come; whatever happens to the rest does not matter.
    tokio::spawn(timeout(BODY_TIME, async move {
        drain(body).await;
        drop(connection);
    }));
    Ok(head.status)
}

/// Reads a little, so that the receiver of a short answer does not see its connection reset.
async fn drain(mut body: Incoming) {
    let mut left = MAX_BODY;
    while left > 0 {
        let Some(Ok(frame)) = body.frame().await else { break };
        left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
    }
}
