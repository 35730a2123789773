//! What Amazon S3 checks and s3s-fs does not: a request by a presigned URL may have no header that begins with `x-amz-` unless the URL was
//! signed for it (Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters"). All other requests go on to the server.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode, Uri};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::AbortOnDropHandle;

type Answer = Response<BoxBody<Bytes, hyper::Error>>;

pub struct Gate {
    pub address: SocketAddr,
    /// The status for a request with such a header.
    pub status: Arc<AtomicU16>,
    _task: AbortOnDropHandle<()>,
}

impl Gate {
    pub async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let status = Arc::new(AtomicU16::new(StatusCode::FORBIDDEN.as_u16()));
        let answered = Arc::clone(&status);
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let status = Arc::clone(&answered);
                let service =
                    service_fn(move |request| answer(server, status.load(Ordering::Relaxed), request));
                tokio::spawn(
                    hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(client), service),
                );
            }
        });
        Self { address, status, _task: AbortOnDropHandle::new(task) }
    }
}

async fn answer(server: SocketAddr, status: u16, request: Request<Incoming>) -> Result<Answer, hyper::Error> {
    let refusal = |status| {
        let mut response = Response::new(Empty::new().map_err(|never| match never {}).boxed());
        *response.status_mut() = status;
        Ok(response)
    };
    if has_unsigned(request.uri(), request.headers()) {
        return refusal(StatusCode::from_u16(status).unwrap());
    }
    let Ok(stream) = TcpStream::connect(server).await else { return refusal(StatusCode::BAD_GATEWAY) };
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender.send_request(request).await?.map(BodyExt::boxed))
}

fn has_unsigned(uri: &Uri, headers: &HeaderMap) -> bool {
    let query: Vec<_> = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).collect();
    let Some((_, signed)) = query.iter().find(|(name, _)| name == "X-Amz-SignedHeaders") else {
        return false;
    };
    headers
        .keys()
        .any(|name| name.as_str().starts_with("x-amz-") && !signed.split(';').any(|one| one == name.as_str()))
}
