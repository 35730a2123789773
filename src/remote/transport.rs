//! The seam to the host: an asynchronous function from request to answer, and a clock.

use std::future::Future;

use super::Json;

/// Milliseconds.
pub type Millis = f64;

/// Sends requests.
pub trait Transport {
    /// Documents.
    type Json: Json;
    /// Bytes of a file to be sent: whatever the host calls so. They are never looked at here.
    type Bytes;
    /// An answer, of which the head has arrived.
    type Reply: Reply<Json = Self::Json>;

    /// Sends a request; ready when the head of the answer is there, whatever its status. Dropping the future ends the request.
    fn send(
        &self,
        request: Request<'_, Self::Json, Self::Bytes>,
    ) -> impl Future<Output = Result<Self::Reply, Fault>>;

    /// What goes into `Authorization`, asked before each request to the service.
    fn credentials(&self) -> impl Future<Output = Result<Credentials, Fault>>;
}

/// What a request identifies itself by.
#[derive(Clone, PartialEq, Eq)]
pub enum Credentials {
    /// Nothing: what stands before the service adds it.
    None,
    /// A key that stays the same: visible ASCII.
    Key(String),
    /// A token that may be another when it is asked for again: visible ASCII.
    Token(String),
}

/// An answer. Reading it takes it.
pub trait Reply {
    /// Documents.
    type Json;
    /// The HTTP status. 0 where the host hides it, as browsers do with redirections.
    fn status(&self) -> u16;
    /// A header, by its name in lower case.
    fn header(&self, name: &str) -> Option<String>;
    /// The body as JSON: `None` for what is no JSON, or longer than a document may be.
    fn document(self) -> impl Future<Output = Result<Option<Self::Json>, Fault>>;
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No connection, or it broke; in the host's words.
    Network(String),
    /// The caller's function for tokens failed; in its words.
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

/// What a request carries.
#[derive(Debug)]
pub enum Content<'a, J, B> {
    /// Nothing.
    None,
    /// JSON.
    Document(&'a J),
    /// The bytes of a file.
    Bytes(&'a B),
}

/// A request to be sent as it stands.
pub struct Request<'a, J, B> {
    /// The method.
    pub method: Method,
    /// The whole address.
    pub url: &'a str,
    /// Name and value, all valid.
    pub headers: &'a [(&'static str, String)],
    /// The body.
    pub content: Content<'a, J, B>,
    /// Whether a redirection may be followed: only where no key is sent.
    pub follows: bool,
}

/// What time it is, and chance.
pub trait Clock {
    /// Time since any fixed moment; never goes back.
    fn now(&self) -> Millis;
    /// Waits. Dropping the future ends it.
    fn sleep(&self, time: Millis) -> impl Future<Output = ()>;
    /// How long it is until a date of HTTP (RFC 9110, section 5.6.7); zero for the past, `None` for what is no date.
    fn until(&self, date: &str) -> Option<Millis>;
    /// From 0 to 1, evenly.
    fn random(&self) -> f64;
}
