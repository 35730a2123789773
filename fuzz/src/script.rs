//! A service whose responses come from the input, a clock that advances by waiting, and the properties that every
//! request must have.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use filepress::remote::{
    Body, Clock, Credentials, Millis, Request, Response, Transport, TransportError, Url,
};

use crate::doc::Doc;

/// The URL of the service.
pub const BASE: &str = "https://api.example";
/// The API key.
pub const KEY: &str = "fp_live_secret";

const STATUSES: [u16; 24] = [
    200, 201, 202, 204, 206, 0, 301, 307, 400, 401, 403, 404, 408, 409, 410, 422, 425, 429, 500, 502, 503,
    504, 100, 999,
];

/// A response: a byte for the status, a byte for the headers and how the body ends, then the body.
#[derive(Debug, Clone, Copy, Default)]
pub struct Answer<'a> {
    status: u16,
    flags: u8,
    /// The body.
    pub body: &'a [u8],
}

impl<'a> Answer<'a> {
    /// Reads a response.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (&[status, flags], body) = bytes.split_first_chunk::<2>()?;
        Some(Self { status: STATUSES[usize::from(status) % STATUSES.len()], flags, body })
    }
}

impl Response for Answer<'_> {
    type Json = Doc;

    fn status(&self) -> u16 {
        self.status
    }

    fn header(&self, name: &str) -> Option<String> {
        let value = match (name, self.flags & 7) {
            ("retry-after", 1) => "7",
            ("retry-after", 2) => "99999999999999999999",
            ("retry-after", 3) => "18446744073709551615",
            ("retry-after", 4) => "Wed, 21 Oct 2026 07:28:00 GMT",
            ("x-request-id", 5) => "id-of-the-request",
            _ => return None,
        };
        Some(value.to_owned())
    }

    async fn document(self) -> Result<Option<Doc>, TransportError> {
        match self.flags >> 5 {
            6 => Err(TransportError::Network(format!("closed {BASE}/v1/files?signature=1 Bearer {KEY}"))),
            7 => std::future::pending().await,
            _ => Ok(serde_json::from_slice(self.body).ok().map(Doc)),
        }
    }
}

/// The remaining responses.
pub struct Script<'a> {
    answers: RefCell<std::vec::IntoIter<Answer<'a>>>,
    /// Whether the key was sent.
    key_was_sent: &'a Cell<bool>,
}

impl<'a> Script<'a> {
    /// A service that sends these responses, and then none.
    pub fn new(answers: Vec<Answer<'a>>, key_was_sent: &'a Cell<bool>) -> Self {
        Self { answers: RefCell::new(answers.into_iter()), key_was_sent }
    }
}

impl<'a> Transport for Script<'a> {
    type Json = Doc;
    type Bytes = ();
    type Response = Answer<'a>;

    async fn send(&self, request: Request<'_, Doc, ()>) -> Result<Answer<'a>, TransportError> {
        let address = Url::parse(request.url).unwrap_or_else(|why| panic!("{}: {why:?}", request.url));
        let has_key = request.headers.iter().any(|(_, value)| value.contains(KEY));
        assert!(
            !has_key || address.origin() == BASE && !request.follow_redirects,
            "the key goes to {}",
            request.url
        );
        assert!(has_key || !matches!(request.body, Body::Json(_)), "a document goes to {}", request.url);
        self.key_was_sent.set(self.key_was_sent.get() || has_key);
        let lines = |text: &str| text.bytes().any(|byte| byte.is_ascii_control());
        assert!(request.headers.iter().all(|(_, value)| !lines(value)), "{:?}", request.headers);
        let answer = self.answers.borrow_mut().next();
        answer.ok_or_else(|| TransportError::Network(format!("no route to {}", request.url)))
    }

    async fn credentials(&self) -> Result<Credentials, TransportError> {
        Ok(Credentials::Token(KEY.to_owned()))
    }
}

/// A clock that only waiting advances.
#[derive(Default)]
pub struct Waiting(Cell<Millis>);

impl Clock for &Waiting {
    fn now(&self) -> Millis {
        self.0.get()
    }

    async fn sleep(&self, time: Millis) {
        assert!(time >= 0.0, "{time} ms cannot be waited");
        match time.is_finite() {
            true => self.0.set(self.0.get() + time),
            false => std::future::pending().await,
        }
    }

    fn time_until(&self, date: &str) -> Option<Millis> {
        date.ends_with("GMT").then_some(5000.0)
    }

    fn random(&self) -> f64 {
        0.5
    }
}

/// The result of a call.
///
/// # Panics
/// If it waits: responses and timers are always ready.
pub fn poll_once<V>(call: impl Future<Output = V>) -> V {
    match pin!(call).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("the call never ends"),
    }
}
