//! Calls the router as a function, without a connection.

use std::net::SocketAddr;

use axum::Router;
use axum::body::{Body, to_bytes};
use filepress::remote::{self, Client, Credentials, Request, Settings, Transport, TransportError, Url};
use filepress_server::http::peer::Peer;
use filepress_server::router;
use http::header::CONTENT_LENGTH;
use tower::ServiceExt;

use crate::answer::{Answer, End, name_of};
use crate::doc::Doc;
use crate::harness::Harness;
use crate::scripted::Step;
use crate::service::{PassingTime, Service};

pub(crate) struct Routed(Service);

pub(crate) struct RouterTransport {
    router: Router,
    credentials: Credentials,
}

impl Routed {
    pub(crate) async fn start() -> Self {
        Self(Service::start().await)
    }
}

impl Harness for Routed {
    type Transport = RouterTransport;
    type Clock = PassingTime;

    fn client_as(&self, credentials: Credentials) -> Client<RouterTransport, PassingTime> {
        let transport = RouterTransport { router: router::router(&self.0.running.app), credentials };
        let base = Url::parse(&self.0.running.url).unwrap();
        Client::new(transport, PassingTime::start(), base, Settings::default())
    }

    fn key(&self) -> Credentials {
        self.0.key()
    }

    fn script(&self, _: Vec<Step>) {}
}

impl Transport for RouterTransport {
    type Json = Doc;
    type Bytes = Vec<u8>;
    type Response = Answer;

    async fn send(&self, request: Request<'_, Doc, Vec<u8>>) -> Result<Answer, TransportError> {
        let mut built = http::Request::builder()
            .method(name_of(request.method))
            .uri(request.url)
            .header("host", "localhost");
        for (name, value) in request.headers {
            built = built.header(*name, value);
        }
        let body = match request.body {
            remote::Body::None => Vec::new(),
            remote::Body::Json(document) => document.0.to_string().into_bytes(),
            remote::Body::Bytes(bytes) => bytes.clone(),
        };
        let mut built = built.header(CONTENT_LENGTH, body.len()).body(Body::from(body)).unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], 1));
        let peer = Peer { address, client: address.ip(), trusted: false, secure: true, over_limit: false };
        built.extensions_mut().insert(peer);
        let (head, body) = self.router.clone().oneshot(built).await.unwrap().into_parts();
        let headers = head.headers.iter();
        Ok(Answer {
            status: head.status.as_u16(),
            headers: headers
                .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
                .collect(),
            body: to_bytes(body, usize::MAX).await.unwrap().into(),
            end: End::Whole,
        })
    }

    async fn credentials(&self) -> Result<Credentials, TransportError> {
        Ok(self.credentials.clone())
    }
}
