//! The client of a service that speaks the interface of `wire`: every endpoint, and a conversion from bytes to bytes.
//!
//! It decides what is sent, when it is sent again, and what an answer means. How a request travels ([`Transport`]), and what time
//! it is ([`Clock`]), is the host's business; nothing here is `Send`, since hosts of WebAssembly have one thread. A call that is
//! dropped ends there and then.
//!
//! What is sent is strict, what is read is tolerant: unknown members are ignored, any 2xx is a success, and what may be absent
//! may be absent. A call that succeeds gives the document as it came, of which the resource is known to be there.
#![allow(clippy::result_large_err, reason = "a call ends once, and the module is smaller without boxes")]

mod address;
mod call;
mod conversion;
mod download;
mod error;
mod files;
mod json;
mod list;
mod redact;
mod request;
mod retry;
mod tasks;
mod transport;
mod upload;
mod wait;

use std::cell::Cell;

pub use address::{Address, InvalidAddress};
pub use call::Call;
pub use conversion::{Conversion, Step};
pub use error::{Error, Result, Source};
pub use files::FileRef;
pub use json::Json;
pub use list::PageRequest;
pub use retry::RetryPolicy;
pub use tasks::{NewTask, output};
pub use transport::{Clock, Content, Credentials, Fault, Method, Millis, Reply, Request, Transport};
pub use upload::Upload;

/// How requests are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How long a request may take until its answer is there.
    pub timeout: Millis,
    /// When it is made again.
    pub retry: RetryPolicy,
}

impl Default for Settings {
    fn default() -> Self {
        Self { timeout: 60_000.0, retry: RetryPolicy::default() }
    }
}

/// A service, seen from outside. It holds no connection.
pub struct Client<T, C> {
    transport: T,
    clock: C,
    base: Address,
    settings: Settings,
    /// The key that was last sent, so that no message quotes it.
    secret: Cell<String>,
}

impl<T: Transport, C: Clock> Client<T, C> {
    /// A client of the service at `base`, which is the address without `/v1`.
    pub fn new(transport: T, clock: C, base: Address, settings: Settings) -> Self {
        Self { transport, clock, base, settings, secret: Cell::default() }
    }

    /// The owner of the key.
    ///
    /// # Errors
    /// See [`Error`]; so for every call.
    pub fn me(&self) -> Call<'_, T, C> {
        self.get("/v1/users/me", "", "users")
    }
}
