//! Accepts connections and serves HTTP/1.1 on each: HTTPS on the one port, and plain HTTP only to those who may.
//!
//! A TLS handshake begins with the byte 0x16 and no HTTP request does, so the first byte tells them apart. Whoever speaks
//! plain HTTP is answered in plain HTTP, with a refusal: a redirect would let the next request, key and all, go out in the
//! open again.

mod client_network;
mod connection_limit;
mod head_errors;
mod raw_response;
mod request_guard;
mod timeout_stream;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
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
use client_network::Source;
use connection_limit::{Room, Seat};
use head_errors::{Handed, Heads};
use request_guard::Exchange;
use timeout_stream::Paced;

/// The most bytes of the head of a request; a longer one is a 431.
const MAX_HEAD: usize = 16 << 10;
/// What is read ahead of a body, or not written yet, a connection.
const BUFFER: usize = 128 << 10;
/// Bytes that the kernel may hold of an answer and not have sent yet. By default it takes megabytes, which a slow client takes minutes to
/// read, and which therefore hide how slow it is.
const UNSENT: u32 = 128 << 10;
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
        let room = Room::new(&this.app.config, this.app.metrics.clone());
        let open = TaskTracker::new();
        while let Some(accepted) = this.app.stopping.run_until_cancelled(tcp.accept()).await {
            match accepted {
                Ok((stream, address)) => {
                    let peer = this.peer(address);
                    // A proxy speaks for many clients.
                    let source = (!peer.trusted).then(|| Source::from(address.ip()));
                    let Some(seat) = room.admit(source) else { continue };
                    open.spawn(Arc::clone(&this).serve(stream, peer, seat));
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept connections");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        drop(tcp);
        open.close();
        open.wait().await;
    }

    fn peer(&self, address: SocketAddr) -> Peer {
        let proxies = &self.app.config.trusted_proxies;
        let trusted = proxies.iter().any(|network| network.contains(&address.ip().to_canonical()));
        Peer { address, trusted, secure: true, crowded: false }
    }

    async fn serve(self: Arc<Self>, tcp: TcpStream, peer: Peer, seat: Arc<Seat>) {
        let client = peer.address.ip();
        let served = self.connection(tcp, peer, &seat);
        let served = seat.shed.run_until_cancelled(self.abort.run_until_cancelled(served)).await;
        match served {
            Some(Some(Err(error))) => tracing::debug!(%client, %error, "connection ended"),
            None => tracing::debug!(%client, "connection gave way to another"),
            Some(_) => {}
        }
    }

    async fn connection(&self, tcp: TcpStream, peer: Peer, seat: &Arc<Seat>) -> io::Result<()> {
        // Answers are written whole; waiting for more to send with them only delays them.
        tcp.set_nodelay(true)?;
        SockRef::from(&tcp).set_tcp_notsent_lowat(UNSENT)?;
        let config = &self.app.config;
        let paced = |tcp| Paced::new(tcp, config.pace, Arc::clone(&seat.moved));
        let Some(tls) = &self.tls else {
            return self.http(paced(tcp), peer, seat).await;
        };
        let mut first = [0];
        timeout(config.handshake_timeout, tcp.peek(&mut first)).await??;
        let plain = first != [0x16];
        let stream = paced(tcp);
        if !plain {
            let stream = timeout(config.handshake_timeout, tls.accept(stream)).await??;
            return self.http(stream, peer, seat).await;
        }
        if peer.trusted {
            return self.http(stream, Peer { secure: false, ..peer }, seat).await;
        }
        timeout(config.handshake_timeout, raw_response::plain_http(stream)).await?
    }

    async fn http(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin,
        peer: Peer,
        seat: &Arc<Seat>,
    ) -> io::Result<()> {
        let handed = Handed::default();
        let stream = Heads::new(stream, handed.clone(), self.app.metrics.clone());
        let service = service_fn(|request: Request<Incoming>| self.request(request, peer, seat, &handed));
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

    async fn request(
        &self,
        mut request: Request<Incoming>,
        peer: Peer,
        seat: &Arc<Seat>,
        handed: &Handed,
    ) -> Result<Response, Infallible> {
        let forwarded = peer.trusted.then(|| Source::from(peer.client(request.headers())));
        let (served, is_fitting) = seat.serve(forwarded);
        let exchange = Exchange::begin(handed.clone(), served);
        request.extensions_mut().insert(Peer { crowded: !is_fitting, ..peer });
        let response = self.router.clone().oneshot(request.map(Body::new)).await?;
        Ok(exchange.answered(response))
    }
}
