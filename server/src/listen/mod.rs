//! Accepts connections and serves HTTP/1.1 on each: HTTPS on the one port, and plain HTTP only to those who may.
//!
//! A TLS handshake begins with the byte 0x16 and no HTTP request does, so the first byte tells them apart. Whoever speaks
//! plain HTTP is answered in plain HTTP, with a refusal: a redirect would let the next request, key and all, go out in the
//! open again.

mod patient;
mod peer;
mod refuse;

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::app::App;
use patient::Patient;
pub use peer::Peer;

/// The most bytes of the head of a request; a longer one is a 431.
const MAX_HEAD: usize = 16 << 10;
/// What is read ahead of a body, or not written yet, a connection.
const BUFFER: usize = 128 << 10;
/// How long to wait where accepting failed, as when the process has no more file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How connections are served.
pub struct Listener {
    /// Its configuration has the limits; when it stops, no more connections are accepted, and each open one ends after the
    /// request it is at.
    pub app: Arc<App>,
    /// HTTPS; none: plain HTTP to everyone who reaches the address.
    pub tls: Option<TlsAcceptor>,
    /// What is served.
    pub router: Router,
    /// Whatever is still open ends at once.
    pub abort: CancellationToken,
}

impl Listener {
    /// Accepts until the service stops, then waits until the last connection has ended.
    pub async fn run(self, tcp: TcpListener) {
        let this = Arc::new(self);
        let free = Arc::new(Semaphore::new(this.app.config.max_connections));
        let open = TaskTracker::new();
        while let Some((permit, accepted)) = this
            .app
            .stopping
            .run_until_cancelled(async { (Arc::clone(&free).acquire_owned().await, tcp.accept().await) })
            .await
        {
            match accepted {
                Ok((stream, address)) => {
                    let this = Arc::clone(&this);
                    open.spawn(async move {
                        let _permit = permit;
                        let served = this.connection(stream, address);
                        if let Some(Err(error)) = this.abort.run_until_cancelled(served).await {
                            tracing::debug!(client = %address.ip(), %error, "connection ended");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "can not accept connections");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        drop(tcp);
        open.close();
        open.wait().await;
    }

    async fn connection(&self, tcp: TcpStream, address: SocketAddr) -> io::Result<()> {
        // Answers are written whole; waiting for more to send with them only delays them.
        tcp.set_nodelay(true)?;
        let config = &self.app.config;
        let trusted =
            config.trusted_proxies.iter().any(|network| network.contains(&address.ip().to_canonical()));
        let peer = Peer { address, trusted, secure: true };
        let Some(tls) = &self.tls else {
            return self.http(Patient::new(tcp, config.write_timeout), peer).await;
        };
        let mut first = [0];
        timeout(config.handshake_timeout, tcp.peek(&mut first)).await??;
        let plain = first != [0x16];
        let stream = Patient::new(tcp, config.write_timeout);
        if !plain {
            let stream = timeout(config.handshake_timeout, tls.accept(stream)).await??;
            return self.http(stream, peer).await;
        }
        if trusted {
            return self.http(stream, Peer { secure: false, ..peer }).await;
        }
        timeout(config.handshake_timeout, refuse::plain_http(stream)).await?
    }

    async fn http(&self, stream: impl AsyncRead + AsyncWrite + Unpin, peer: Peer) -> io::Result<()> {
        let service = service_fn(|mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            self.router.clone().oneshot(request.map(Body::new))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.app.config.idle_timeout)
            // A client may close its side once it has sent a request, and still read the answer (RFC 9112, section 9.6).
            .half_close(true)
            .max_header_size(MAX_HEAD)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = pin!(connection);
        let served = match self.app.stopping.run_until_cancelled(connection.as_mut()).await {
            Some(served) => served,
            None => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        served.map_err(io::Error::other)
    }
}
