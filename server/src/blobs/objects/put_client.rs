//! The HTTP client of requests whose body is sent while it comes. `object_store` signs them and repeats them, but its own client takes only
//! bodies that are in memory.

use async_trait::async_trait;
use http::StatusCode;
use http::header::CONTENT_LENGTH;
use http_body_util::BodyExt;
use object_store::client::{
    ClientConfigKey, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService, ReqwestConnector,
};
use object_store::{ClientOptions, Error, Result};
use reqwest::{Body, Certificate, Client, NoProxy, Proxy, redirect};

use super::put::FedBody;
use super::{CONNECT_TIMEOUT, STORE};

/// Makes such clients.
#[derive(Debug)]
pub(super) struct PutConnector;

#[derive(Debug)]
struct PutClient {
    client: Client,
    /// For all other requests.
    plain: HttpClient,
}

impl HttpConnector for PutConnector {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient> {
        let client =
            client(options).map_err(|error| Error::Generic { store: STORE, source: error.into() })?;
        let plain = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(PutClient { client, plain }))
    }
}

/// A client that reaches the store as that of `object_store` does. It has no time limit: how long a request takes is up to who sends the body.
fn client(options: &ClientOptions) -> reqwest::Result<Client> {
    use ClientConfigKey::{AllowHttp, AllowInvalidCertificates, ProxyCaCertificate, ProxyExcludes, ProxyUrl};
    let value = |key| options.get_config_value(&key);
    let is_set = |key| value(key).as_deref() == Some("true");
    let mut builder = Client::builder()
        .http1_only()
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .https_only(!is_set(AllowHttp))
        .danger_accept_invalid_certs(is_set(AllowInvalidCertificates));
    if let Some(agent) = value(ClientConfigKey::UserAgent) {
        builder = builder.user_agent(agent);
    }
    if let Some(url) = value(ProxyUrl) {
        let excluded = value(ProxyExcludes).and_then(|hosts| NoProxy::from_string(&hosts));
        builder = builder.proxy(Proxy::all(url)?.no_proxy(excluded));
        if let Some(certificate) = value(ProxyCaCertificate) {
            builder = builder.add_root_certificate(Certificate::from_pem(certificate.as_bytes())?);
        }
    }
    builder.build()
}

#[async_trait]
impl HttpService for PutClient {
    async fn call(&self, request: HttpRequest) -> std::result::Result<HttpResponse, HttpError> {
        let Some(body) = request.extensions().get::<FedBody>().cloned() else {
            return self.plain.execute(request).await;
        };
        let (mut head, _) = request.into_parts();
        // It is not signed.
        head.headers.insert(CONTENT_LENGTH, body.length().into());
        let sent = self
            .client
            .request(head.method, head.uri.to_string())
            .headers(head.headers)
            .body(Body::wrap_stream(body.chunks()));
        // Only a body that is whole can be sent again.
        let kind = || if body.is_whole() { HttpErrorKind::Interrupted } else { HttpErrorKind::Unknown };
        let response = sent.send().await.map_err(|error| HttpError::new(kind(), error.without_url()))?;
        let status = response.status();
        if may_pass(status) && !body.is_whole() {
            return Err(HttpError::new(HttpErrorKind::Unknown, GivenUp(status)));
        }
        let unread = |error: reqwest::Error| HttpError::new(HttpErrorKind::Decode, error.without_url());
        let (head, body) = http::Response::<Body>::from(response).into_parts();
        Ok(HttpResponse::from_parts(head, HttpResponseBody::new(body.map_err(unread))))
    }
}

/// Whether a request is repeated that was answered so.
fn may_pass(status: StatusCode) -> bool {
    status.is_server_error() || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status)
}

#[derive(Debug, thiserror::Error)]
#[error("the store has given up an upload with the status {0}")]
struct GivenUp(StatusCode);
