//! A service that listens over TLS, with its self-signed certificate.

use filepress::remote::{Body, Client, Credentials, Request, Settings, Transport, TransportError, Url};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Method};

use crate::answer::{Answer, End, name_of};
use crate::doc::Doc;
use crate::harness::Harness;
use crate::scripted::Step;
use crate::service::{PassingTime, Service};

pub(crate) struct Live(Service);

pub(crate) struct Https {
    http: reqwest::Client,
    credentials: Credentials,
}

impl Live {
    pub(crate) async fn start() -> Self {
        let service = Service::start().await;
        assert!(service.running.url.starts_with("https://"), "{}", service.running.url);
        Self(service)
    }
}

impl Harness for Live {
    type Transport = Https;
    type Clock = PassingTime;

    fn client_as(&self, credentials: Credentials) -> Client<Https, PassingTime> {
        let certificate = std::fs::read(self.0.data.path().join("tls/self-signed.crt")).unwrap();
        let trusted = Certificate::from_pem(&certificate).unwrap();
        let http = reqwest::Client::builder().redirect(Policy::none()).add_root_certificate(trusted).build();
        let transport = Https { http: http.unwrap(), credentials };
        let base = Url::parse(&self.0.running.url).unwrap();
        Client::new(transport, PassingTime::start(), base, Settings::default())
    }

    fn key(&self) -> Credentials {
        self.0.key()
    }

    fn script(&self, _: Vec<Step>) {}
}

impl Transport for Https {
    type Json = Doc;
    type Bytes = Vec<u8>;
    type Response = Answer;

    async fn send(&self, request: Request<'_, Doc, Vec<u8>>) -> Result<Answer, TransportError> {
        let method = Method::from_bytes(name_of(request.method).as_bytes()).unwrap();
        let mut built = self.http.request(method, request.url);
        for (name, value) in request.headers {
            built = built.header(*name, value);
        }
        built = match request.body {
            Body::None => built,
            Body::Json(document) => built.body(document.0.to_string()),
            Body::Bytes(bytes) => built.body(bytes.clone()),
        };
        let fault = |error: reqwest::Error| TransportError::Network(error.to_string());
        let response = built.send().await.map_err(fault)?;
        let headers = response.headers().iter();
        Ok(Answer {
            status: response.status().as_u16(),
            headers: headers
                .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
                .collect(),
            body: response.bytes().await.map_err(fault)?.into(),
            end: End::Whole,
        })
    }

    async fn credentials(&self) -> Result<Credentials, TransportError> {
        Ok(self.credentials.clone())
    }
}
