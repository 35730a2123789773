//! What Amazon S3 does and s3s-fs does not. A request by a presigned URL may have no header that begins with `x-amz-` unless the URL was
//! signed for it (Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters"). And it may refuse what is well-formed, because it
//! is busy or elsewhere. All other requests go on to the server.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::header::LOCATION;
use http::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_util::task::AbortOnDropHandle;

type Answer = Response<BoxBody<Bytes, hyper::Error>>;

pub struct Gate {
    pub address: SocketAddr,
    /// The status for a request with such a header.
    pub status: Arc<AtomicU16>,
    /// What the next objects get that are sent with one request.
    pub refusal: Arc<Mutex<Refusal>>,
    _task: AbortOnDropHandle<()>,
}

/// How PUTs of objects are refused.
#[derive(Clone, Copy, Default)]
pub struct Refusal {
    pub status: StatusCode,
    /// How many more.
    pub times: u32,
    /// Each when so many bytes of it have come.
    pub after: usize,
}

impl Gate {
    pub async fn before(server: SocketAddr) -> Self {
        let listener = listener();
        let address = listener.local_addr().unwrap();
        let status = Arc::new(AtomicU16::new(StatusCode::FORBIDDEN.as_u16()));
        let refusal = Arc::new(Mutex::new(Refusal::default()));
        let (answered, refused) = (Arc::clone(&status), Arc::clone(&refusal));
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (status, refusal) = (Arc::clone(&answered), Arc::clone(&refused));
                let service = service_fn(move |request| {
                    let refusal = next(&refusal, &request);
                    answer(server, status.load(Ordering::Relaxed), refusal, request)
                });
                tokio::spawn(
                    hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(client), service),
                );
            }
        });
        Self { address, status, refusal, _task: AbortOnDropHandle::new(task) }
    }
}

/// Most of a body is not on its way before the gate reads it: a refusal that comes at once comes before the end of it.
fn listener() -> TcpListener {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(1 << 16).unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    socket.listen(1024).unwrap()
}

/// How this request is refused, if it is.
fn next(refusal: &Mutex<Refusal>, request: &Request<Incoming>) -> Option<Refusal> {
    let is_object = request.method() == Method::PUT
        && !request.headers().contains_key("x-amz-copy-source")
        && !request.uri().query().unwrap_or_default().contains("uploadId");
    let mut refusal = refusal.lock().unwrap();
    refusal.times = refusal.times.checked_sub(u32::from(is_object))?;
    is_object.then_some(*refusal)
}

async fn answer(
    server: SocketAddr,
    status: u16,
    refused: Option<Refusal>,
    mut request: Request<Incoming>,
) -> Result<Answer, hyper::Error> {
    let refusal = |status| {
        let mut response = Response::new(Empty::new().map_err(|never| match never {}).boxed());
        *response.status_mut() = status;
        Ok(response)
    };
    if let Some(Refusal { status, after, .. }) = refused {
        let mut come = 0;
        while come < after {
            let Some(frame) = request.body_mut().frame().await else { break };
            come += frame?.data_ref().map_or(0, Bytes::len);
        }
        let mut answer = refusal(status)?;
        let elsewhere = format!("http://{server}{}", request.uri());
        answer.headers_mut().insert(LOCATION, elsewhere.parse().unwrap());
        return Ok(answer);
    }
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
