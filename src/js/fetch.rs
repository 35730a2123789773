//! The transport of [`crate::remote`] over the host's `fetch`.

use gloo_net::http::{Method, RequestBuilder, Response};
use js_sys::JSON;
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, RequestRedirect};

use super::executor::Ticket;
use super::json::{JsJson, error_message};
use crate::remote::{self, Body, Credentials, Request, Transport, TransportError};

#[wasm_bindgen]
extern "C" {
    /// The host functions of a call, `pkg-template/lib/client/host.js`. Asynchronous ones deliver their outcome for a ticket.
    #[derive(Clone)]
    pub type Host;

    #[wasm_bindgen(method)]
    fn send(this: &Host, ticket: u32, request: &web_sys::Request, upload: &JsValue);

    #[wasm_bindgen(method)]
    fn text(this: &Host, ticket: u32, response: &web_sys::Response);

    #[wasm_bindgen(method)]
    fn token(this: &Host, ticket: u32);

    #[wasm_bindgen(method)]
    pub(super) fn sleep(this: &Host, ticket: u32, milliseconds: f64);

    #[wasm_bindgen(method)]
    pub(super) fn clear(this: &Host, ticket: u32);

    #[wasm_bindgen(method)]
    fn controller(this: &Host) -> AbortController;

    #[wasm_bindgen(method, getter, js_name = apiKey)]
    fn api_key(this: &Host) -> Option<String>;

    #[wasm_bindgen(method, getter, js_name = hasToken)]
    fn has_token(this: &Host) -> bool;
}

/// The host's `fetch` as a transport. An upload is `{ body, onProgress }`; the host reads `onProgress`.
pub(super) struct FetchTransport(pub(super) Host);

/// Aborts a request when dropped; a finished request is not affected.
struct AbortOnDrop(AbortController);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A response; dropping it aborts the reading of its body.
pub(super) struct FetchResponse {
    host: Host,
    response: Response,
    abort: AbortOnDrop,
}

impl Transport for FetchTransport {
    type Json = JsJson;
    type Bytes = JsValue;
    type Response = FetchResponse;

    async fn send(&self, request: Request<'_, JsJson, JsValue>) -> Result<FetchResponse, TransportError> {
        let abort = AbortOnDrop(self.0.controller());
        let signal = abort.0.signal();
        let redirect =
            if request.follow_redirects { RequestRedirect::Follow } else { RequestRedirect::Manual };
        let mut builder = RequestBuilder::new(request.url)
            .method(match request.method {
                remote::Method::Get => Method::GET,
                remote::Method::Post => Method::POST,
                remote::Method::Put => Method::PUT,
                remote::Method::Patch => Method::PATCH,
                remote::Method::Delete => Method::DELETE,
            })
            .redirect(redirect)
            .abort_signal(Some(&signal));
        for (name, value) in request.headers {
            builder = builder.header(name, value);
        }
        let mut upload = &JsValue::UNDEFINED;
        let built = match request.body {
            Body::None => builder.build(),
            Body::Json(document) => {
                builder.body(JSON::stringify(&document.0).map_err(|thrown| network(&thrown))?)
            }
            Body::Bytes(bytes) => {
                upload = bytes;
                builder.body(js_sys::Reflect::get(bytes, &"body".into()).unwrap_or_default())
            }
        };
        let built = built.map_err(|error| TransportError::Network(error.to_string()))?;
        let ticket = Ticket::new();
        self.0.send(ticket.0, &built.into(), upload);
        let response = ticket.outcome().await.map_err(|thrown| network(&thrown))?;
        // The host has checked that it behaves like a Response; it may belong to another realm or library.
        let response = Response::from(response.unchecked_into::<web_sys::Response>());
        Ok(FetchResponse { host: self.0.clone(), response, abort })
    }

    async fn credentials(&self) -> Result<Credentials, TransportError> {
        if let Some(key) = self.0.api_key() {
            return Ok(Credentials::Key(key));
        }
        if !self.0.has_token() {
            return Ok(Credentials::None);
        }
        let ticket = Ticket::new();
        self.0.token(ticket.0);
        let token = ticket.outcome().await.map_err(|thrown| TransportError::Token(error_message(&thrown)))?;
        let is_usable =
            |token: &String| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
        let token = token.as_string().filter(is_usable);
        token
            .map(Credentials::Token)
            .ok_or_else(|| TransportError::Token("not a string of visible ASCII".to_owned()))
    }
}

impl FetchResponse {
    /// The response itself, for the host to read; it can no longer be aborted here.
    pub(super) fn into_response(self) -> JsValue {
        let Self { response, abort, .. } = self;
        std::mem::forget(abort);
        web_sys::Response::from(response).into()
    }
}

impl remote::Response for FetchResponse {
    type Json = JsJson;

    fn status(&self) -> u16 {
        self.response.status()
    }

    fn header(&self, name: &str) -> Option<String> {
        self.response.headers().get(name)
    }

    async fn document(self) -> Result<Option<JsJson>, TransportError> {
        let response = web_sys::Response::from(self.response);
        let ticket = Ticket::new();
        self.host.text(ticket.0, &response);
        let text = ticket.outcome().await.map_err(|thrown| network(&thrown))?.as_string();
        Ok(text.and_then(|text| JSON::parse(&text).ok()).map(JsJson))
    }
}

fn network(thrown: &JsValue) -> TransportError {
    TransportError::Network(error_message(thrown))
}
