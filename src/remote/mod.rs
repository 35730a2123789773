//! The client of the REST API that `wire` describes: every endpoint, and a whole conversion in one call.
//!
//! The client builds requests, retries them and interprets responses. The host sends requests ([`Transport`]) and keeps time
//! ([`Clock`]). Nothing here is `Send`, since a WebAssembly host has one thread. Dropping a call aborts it.
//!
//! Requests are strict, responses are read tolerantly: unknown members are ignored, any 2xx status is a success, and optional members
//! may be absent. A successful call returns the document as received, after a check that the requested resource is in it.
#![allow(clippy::result_large_err, reason = "a call ends once, and the module is smaller without boxes")]

mod call;
mod conversion;
mod download;
mod error;
mod files;
mod json;
mod list;
mod percent_encode;
mod redact;
mod request;
mod response;
mod retry;
mod tasks;
mod transport;
mod upload;
mod url;
mod wait;

use std::cell::Cell;

pub use call::Call;
pub use conversion::{Conversion, Step};
pub use error::{Error, Result, Source};
pub use files::FileRef;
pub use json::Json;
pub use list::PageRequest;
pub use retry::RetryPolicy;
pub use tasks::{NewTask, output};
pub use transport::{Body, Clock, Credentials, Method, Millis, Request, Response, Transport, TransportError};
pub use upload::Upload;
pub use url::{InvalidUrl, Url};

/// Timeouts and retries of every request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How long a request may take until its response has been read. Default 60 s.
    pub timeout: Millis,
    /// When a failed request is retried.
    pub retry: RetryPolicy,
}

impl Default for Settings {
    fn default() -> Self {
        Self { timeout: 60_000.0, retry: RetryPolicy::default() }
    }
}

/// A client of one server. It holds no connection.
pub struct Client<T, C> {
    transport: T,
    clock: C,
    base: Url,
    settings: Settings,
    /// The key or token that was sent last, to redact it from messages.
    secret: Cell<String>,
}

impl<T: Transport, C: Clock> Client<T, C> {
    /// Creates a client of the server at `base`, which is the URL without `/v1`.
    pub fn new(transport: T, clock: C, base: Url, settings: Settings) -> Self {
        Self { transport, clock, base, settings, secret: Cell::default() }
    }

    /// Reads the user who owns the key.
    ///
    /// # Errors
    /// See [`Error`], as for every call.
    pub fn me(&self) -> Call<'_, T, C> {
        self.get("/v1/users/me", "", "users")
    }
}
