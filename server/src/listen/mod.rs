//! Accepts connections and serves HTTP/1.1: HTTPS, and plain HTTP only for trusted proxies or in development.
//!
//! A TLS handshake begins with the byte 0x16 and no HTTP request does, so the first byte tells them apart. A plain HTTP request gets
//! an error and no redirect: a redirected client would send its next request and key unencrypted again.

mod client_network;
mod connection_limit;
mod head_errors;
mod raw_response;
mod request_guard;
mod timeout_stream;

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::app::App;
use crate::http::peer::Peer;
use client_network::ClientNetwork;
use connection_limit::{ConnectionLimit, ConnectionPermit};
use head_errors::{HeadErrorStream, ResponseTracker};
use request_guard::RequestGuard;
use timeout_stream::TimeoutStream;

/// The longest request head in bytes; a longer one gets 431.
const MAX_HEAD: usize = 16 << 10;
/// Bytes that are buffered per connection in each direction.
const MAX_BUFFER: usize = 128 << 10;
/// Unsent bytes that the kernel may buffer per connection. Its default is megabytes, which would hide a slow client for minutes.
const NOTSENT_LOWAT: u32 = 128 << 10;
/// The pause after `accept` fails, for example because the process has no file descriptors left.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Serves the connections of one address.
pub struct Listener {
    /// Holds the limits. When it stops, no more connections are accepted, and open ones close after their current request.
    pub app: Arc<App>,
    /// For HTTPS; `None`: plain HTTP for everyone.
    pub tls: Option<TlsAcceptor>,
    /// The handlers.
    pub router: Router,
    /// Closes all connections at once.
    pub abort: CancellationToken,
}

impl Listener {
    /// Accepts until the service stops, then waits for the last connection to close.
    pub async fn run(self, tcp: TcpListener) {
        let this = Arc::new(self);
        let limit = ConnectionLimit::new(&this.app.config, this.app.metrics.clone());
        let open = TaskTracker::new();
        while let Some(accepted) = this.app.stopping.run_until_cancelled(tcp.accept()).await {
            match accepted {
                Ok((stream, address)) => {
                    let peer = this.peer(address);
                    // A proxy forwards requests of many clients.
                    let source = (!peer.trusted).then(|| ClientNetwork::from(address.ip()));
                    let Some(permit) = limit.admit(source) else { continue };
                    open.spawn(Arc::clone(&this).serve(stream, peer, permit));
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept connections");
                    tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                }
            }
        }
        drop(tcp);
        open.close();
        open.wait().await;
    }

    fn peer(&self, address: SocketAddr) -> Peer {
        let client = address.ip();
        Peer { address, client, trusted: self.is_trusted(client), secure: true, over_limit: false }
    }

    fn is_trusted(&self, address: IpAddr) -> bool {
        let proxies = &self.app.config.trusted_proxies;
        proxies.iter().any(|network| network.contains(&address.to_canonical()))
    }

    async fn serve(self: Arc<Self>, tcp: TcpStream, peer: Peer, permit: Arc<ConnectionPermit>) {
        let client = peer.address.ip();
        let served = self.connection(tcp, peer, &permit);
        let served = permit.evicted.run_until_cancelled(self.abort.run_until_cancelled(served)).await;
        match served {
            Some(Some(Err(error))) => tracing::debug!(%client, %error, "connection ended"),
            None => tracing::debug!(%client, "connection closed for a new one"),
            Some(_) => {}
        }
    }

    async fn connection(&self, tcp: TcpStream, peer: Peer, permit: &Arc<ConnectionPermit>) -> io::Result<()> {
        // Responses are written as a whole; Nagle's algorithm would only delay them.
        tcp.set_nodelay(true)?;
        SockRef::from(&tcp).set_tcp_notsent_lowat(NOTSENT_LOWAT)?;
        let config = &self.app.config;
        let paced = |tcp| TimeoutStream::new(tcp, config.min_transfer_rate, Arc::clone(&permit.transferred));
        let Some(tls) = &self.tls else {
            return self.http(paced(tcp), peer, permit).await;
        };
        let mut first = [0];
        timeout(config.handshake_timeout, tcp.peek(&mut first)).await??;
        let plain = first != [0x16];
        let stream = paced(tcp);
        if !plain {
            let stream = timeout(config.handshake_timeout, tls.accept(stream)).await??;
            return self.http(stream, peer, permit).await;
        }
        if peer.trusted {
            return self.http(stream, Peer { secure: false, ..peer }, permit).await;
        }
        timeout(config.handshake_timeout, raw_response::reject_plain_http(stream)).await?
    }

    async fn http(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin,
        peer: Peer,
        permit: &Arc<ConnectionPermit>,
    ) -> io::Result<()> {
        let tracker = ResponseTracker::default();
        let stream = HeadErrorStream::new(stream, tracker.clone(), self.app.metrics.clone());
        let service = service_fn(|request: Request<Incoming>| self.request(request, peer, permit, &tracker));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.app.config.idle_timeout)
            // A client may close its sending side after a request and still read the response (RFC 9112, section 9.6).
            .half_close(true)
            .max_header_size(MAX_HEAD)
            .max_buf_size(MAX_BUFFER)
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

    async fn request(
        &self,
        mut request: Request<Incoming>,
        peer: Peer,
        permit: &Arc<ConnectionPermit>,
        tracker: &ResponseTracker,
    ) -> Result<Response, Infallible> {
        let client = peer.client_of(request.headers(), |address| self.is_trusted(address));
        let forwarded = peer.trusted.then(|| ClientNetwork::from(client));
        let (served, is_allowed) = permit.begin_request(forwarded);
        let guard = RequestGuard::new(tracker.clone(), served);
        request.extensions_mut().insert(Peer { client, over_limit: !is_allowed, ..peer });
        let response = self.router.clone().oneshot(request.map(Body::new)).await?;
        Ok(guard.guard_body(response))
    }
}
