//! A transport that returns scripted responses and records every request.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use filepress::remote::{
    Body, Client, Clock, Credentials, Millis, Request, RetryPolicy, Settings, Transport, TransportError, Url,
};
use serde_json::Value;

use super::manual_clock::HandClock;
use crate::answer::{Answer, End, name_of};
use crate::doc::Doc;
use crate::harness::Harness;

/// Where the service seems to be.
pub(crate) const BASE: &str = "https://files.example.com";
/// The key of the tests.
pub(crate) const KEY: &str = "fp_the-key-that-nobody-may-see";

/// What happens to a request.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Answer(Answer),
    /// There is no answer.
    Fault(&'static str),
    /// Nothing happens.
    Silence,
}

impl Step {
    /// The same with a header more.
    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        let Self::Answer(mut answer) = self else { panic!("{self:?} has no headers") };
        answer.headers.push((name.to_owned(), value.to_owned()));
        Self::Answer(answer)
    }

    /// The same with a body that ends so.
    pub(crate) fn ending(self, end: End) -> Self {
        let Self::Answer(answer) = self else { panic!("{self:?} has no body") };
        Self::Answer(Answer { end, ..answer })
    }
}

/// A request as it was sent.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) method: &'static str,
    pub(crate) url: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) content: Vec<u8>,
    pub(crate) follows: bool,
    pub(crate) at: Millis,
}

impl Sent {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str())
    }
}

/// The service and its clients; clones are the same.
#[derive(Clone, Default)]
pub(crate) struct Scripted(Rc<Script>);

#[derive(Default)]
struct Script {
    clock: HandClock,
    steps: RefCell<VecDeque<Step>>,
    sent: RefCell<Vec<Sent>>,
    /// What the function for tokens says, turn by turn.
    tokens: RefCell<VecDeque<Result<Credentials, TransportError>>>,
}

/// A client of such a service.
pub(crate) type ScriptedClient = Client<ScriptTransport, HandClock>;

pub(crate) struct ScriptTransport {
    scripted: Scripted,
    credentials: Credentials,
}

impl Scripted {
    pub(crate) fn new(steps: Vec<Step>) -> Self {
        let scripted = Self::default();
        scripted.script(steps);
        scripted
    }

    pub(crate) fn clock(&self) -> &HandClock {
        &self.0.clock
    }

    /// What is answered when credentials are asked for, before those of the client.
    pub(crate) fn tokens(&self, tokens: Vec<Result<Credentials, TransportError>>) {
        self.0.tokens.borrow_mut().extend(tokens);
    }

    /// A client at another address, or with other settings.
    pub(crate) fn client_with(&self, base: &str, settings: Settings) -> ScriptedClient {
        let transport = ScriptTransport { scripted: self.clone(), credentials: self.key() };
        Client::new(transport, self.0.clock.clone(), Url::parse(base).unwrap(), settings)
    }

    /// A client that tries nothing again.
    pub(crate) fn once(&self) -> ScriptedClient {
        let retry = RetryPolicy { attempts: 0, ..RetryPolicy::default() };
        self.client_with(BASE, Settings { retry, ..Settings::default() })
    }

    pub(crate) fn sent(&self) -> Vec<Sent> {
        self.0.sent.borrow().clone()
    }

    /// Method and path of each request.
    pub(crate) fn seen(&self) -> Vec<String> {
        let path = |url: &str| url.strip_prefix(BASE).unwrap_or(url).split('?').next().unwrap().to_owned();
        self.sent().iter().map(|sent| format!("{} {}", sent.method, path(&sent.url))).collect()
    }

    /// How many steps are left.
    pub(crate) fn left(&self) -> usize {
        self.0.steps.borrow().len()
    }
}

impl Harness for Scripted {
    type Transport = ScriptTransport;
    type Clock = HandClock;

    fn client_as(&self, credentials: Credentials) -> ScriptedClient {
        let transport = ScriptTransport { scripted: self.clone(), credentials };
        let base = Url::parse(BASE).unwrap();
        Client::new(transport, self.0.clock.clone(), base, Settings::default())
    }

    fn key(&self) -> Credentials {
        Credentials::Key(KEY.to_owned())
    }

    fn script(&self, steps: Vec<Step>) {
        self.0.steps.borrow_mut().extend(steps);
    }
}

impl Transport for ScriptTransport {
    type Json = Doc;
    type Bytes = Vec<u8>;
    type Response = Answer;

    async fn send(&self, request: Request<'_, Doc, Vec<u8>>) -> Result<Answer, TransportError> {
        let Scripted(script) = &self.scripted;
        let content = match request.body {
            Body::None => Vec::new(),
            Body::Json(document) => document.0.to_string().into_bytes(),
            Body::Bytes(bytes) => bytes.clone(),
        };
        script.sent.borrow_mut().push(Sent {
            method: name_of(request.method),
            url: request.url.to_owned(),
            headers: request.headers.to_vec(),
            content,
            follows: request.follow_redirects,
            at: script.clock.now(),
        });
        let step = script.steps.borrow_mut().pop_front();
        match step.unwrap_or_else(|| panic!("not in the script: {:?}", self.scripted.seen())) {
            Step::Answer(answer) => Ok(answer),
            Step::Fault(words) => Err(TransportError::Network(words.to_owned())),
            Step::Silence => std::future::pending().await,
        }
    }

    async fn credentials(&self) -> Result<Credentials, TransportError> {
        let next = self.scripted.0.tokens.borrow_mut().pop_front();
        next.unwrap_or_else(|| Ok(self.credentials.clone()))
    }
}

/// An answer with a body of any kind.
pub(crate) fn raw(status: u16, body: impl Into<Vec<u8>>) -> Step {
    Step::Answer(Answer { status, headers: Vec::new(), body: body.into(), end: End::Whole })
}

/// An answer with a document.
pub(crate) fn answer(status: u16, document: &Value) -> Step {
    raw(status, document.to_string()).with("content-type", "application/vnd.api+json")
}
