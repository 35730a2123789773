//! Requests by the host's fetch.

use gloo_net::http::{Method, RequestBuilder, Response};
use js_sys::JSON;
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, RequestRedirect};

use super::calls::Ticket;
use super::json::{JsJson, words};
use crate::remote::{self, Content, Credentials, Fault, Reply, Request, Transport};

#[wasm_bindgen]
extern "C" {
    /// What a call in JavaScript brings along: see `pkg-template/lib/client/host.js`. What takes time is done under a ticket.
    #[derive(Clone)]
    pub type Host;

    #[wasm_bindgen(method)]
    fn send(this: &Host, ticket: u32, request: &web_sys::Request, parcel: &JsValue);

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

/// The host's fetch, as a transport. Bytes are `{ body, onProgress }`, of which only `body` concerns the request.
pub(super) struct Fetch(pub(super) Host);

/// Ends a request when it is dropped. For one that is over it does nothing.
struct Abort(AbortController);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// An answer; while it is there, its body can be read.
pub(super) struct Answer {
    host: Host,
    response: Response,
    abort: Abort,
}

impl Transport for Fetch {
    type Json = JsJson;
    type Bytes = JsValue;
    type Reply = Answer;

    async fn send(&self, request: Request<'_, JsJson, JsValue>) -> Result<Answer, Fault> {
        let abort = Abort(self.0.controller());
        let signal = abort.0.signal();
        let redirect = if request.follows { RequestRedirect::Follow } else { RequestRedirect::Manual };
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
        let mut parcel = &JsValue::UNDEFINED;
        let built = match request.content {
            Content::None => builder.build(),
            Content::Document(document) => {
                builder.body(JSON::stringify(&document.0).map_err(|thrown| network(&thrown))?)
            }
            Content::Bytes(bytes) => {
                parcel = bytes;
                builder.body(js_sys::Reflect::get(bytes, &"body".into()).unwrap_or_default())
            }
        };
        let built = built.map_err(|error| Fault::Network(error.to_string()))?;
        let ticket = Ticket::new();
        self.0.send(ticket.0, &built.into(), parcel);
        let response = ticket.outcome().await.map_err(|thrown| network(&thrown))?;
        // The host has looked whether it can be read as one; it may be another realm's or library's.
        let response = Response::from(response.unchecked_into::<web_sys::Response>());
        Ok(Answer { host: self.0.clone(), response, abort })
    }

    async fn credentials(&self) -> Result<Credentials, Fault> {
        if let Some(key) = self.0.api_key() {
            return Ok(Credentials::Key(key));
        }
        if !self.0.has_token() {
            return Ok(Credentials::None);
        }
        let ticket = Ticket::new();
        self.0.token(ticket.0);
        let token = ticket.outcome().await.map_err(|thrown| Fault::Token(words(&thrown)))?;
        let usable = |token: &String| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
        let token = token.as_string().filter(usable);
        token.map(Credentials::Token).ok_or_else(|| Fault::Token("not a string of visible ASCII".to_owned()))
    }
}

impl Answer {
    /// The response itself, for the host to read; it can no longer be aborted here.
    pub(super) fn into_response(self) -> JsValue {
        let Self { response, abort, .. } = self;
        std::mem::forget(abort);
        web_sys::Response::from(response).into()
    }
}

impl Reply for Answer {
    type Json = JsJson;

    fn status(&self) -> u16 {
        self.response.status()
    }

    fn header(&self, name: &str) -> Option<String> {
        self.response.headers().get(name)
    }

    async fn document(self) -> Result<Option<JsJson>, Fault> {
        let response = web_sys::Response::from(self.response);
        let ticket = Ticket::new();
        self.host.text(ticket.0, &response);
        let text = ticket.outcome().await.map_err(|thrown| network(&thrown))?.as_string();
        Ok(text.and_then(|text| JSON::parse(&text).ok()).map(JsJson))
    }
}

fn network(thrown: &JsValue) -> Fault {
    Fault::Network(words(thrown))
}
