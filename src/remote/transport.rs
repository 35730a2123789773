//! What a host implements: an asynchronous function from request to response, and a clock.

use std::future::Future;

use super::Json;

/// Milliseconds.
pub type Millis = f64;

/// Sends requests.
pub trait Transport {
    /// JSON values.
    type Json: Json;
    /// The content of a file to be uploaded, in a form of the host. It is not accessed here.
    type Bytes;
    /// A response whose status and headers have arrived.
    type Response: Response<Json = Self::Json>;

    /// Sends a request. Completes when the status and headers of the response have arrived, whatever the status. Dropping the future
    /// aborts the request.
    fn send(
        &self,
        request: Request<'_, Self::Json, Self::Bytes>,
    ) -> impl Future<Output = Result<Self::Response, TransportError>>;

    /// The credentials for `Authorization`, requested before each API request.
    fn credentials(&self) -> impl Future<Output = Result<Credentials, TransportError>>;
}

/// The credentials of a request.
#[derive(Clone, PartialEq, Eq)]
pub enum Credentials {
    /// None: a proxy in front of the server adds them.
    None,
    /// An API key, in visible ASCII.
    Key(String),
    /// A token that can be renewed, in visible ASCII.
    Token(String),
}

/// A response. Reading its body consumes it.
pub trait Response {
    /// JSON values.
    type Json;
    /// The HTTP status; 0 if the host hides it, as browsers do for redirects.
    fn status(&self) -> u16;
    /// A header, by its name in lower case.
    fn header(&self, name: &str) -> Option<String>;
    /// The body as JSON; `None` if it is not JSON or too long for a document.
    fn document(self) -> impl Future<Output = Result<Option<Self::Json>, TransportError>>;
}

/// Why there is no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransportError {
    /// The connection failed; the host's message.
    Network(String),
    /// The caller's `getToken` failed; its message.
    Token(String),
}

/// A request method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Creates.
    Post,
    /// Stores bytes.
    Put,
    /// Changes.
    Patch,
    /// Removes.
    Delete,
}

/// The body of a request.
#[derive(Debug)]
pub enum Body<'a, J, B> {
    /// No body.
    None,
    /// A JSON document.
    Json(&'a J),
    /// The content of a file.
    Bytes(&'a B),
}

/// A complete request.
pub struct Request<'a, J, B> {
    /// The method.
    pub method: Method,
    /// The absolute URL.
    pub url: &'a str,
    /// Names in lower case and values.
    pub headers: &'a [(&'static str, String)],
    /// The body.
    pub body: Body<'a, J, B>,
    /// Whether redirects are followed: only for requests without credentials.
    pub follow_redirects: bool,
}

/// Time and randomness.
pub trait Clock {
    /// Time since an arbitrary fixed moment.
    fn now(&self) -> Millis;
    /// Waits. Dropping the future cancels the timer.
    fn sleep(&self, time: Millis) -> impl Future<Output = ()>;
    /// The time until an HTTP date (RFC 9110, section 5.6.7); zero if it is past, `None` if it is not a date.
    fn time_until(&self, date: &str) -> Option<Millis>;
    /// A uniformly distributed number from 0 to 1.
    fn random(&self) -> f64;
}
