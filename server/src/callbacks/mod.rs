//! What it takes to call the URL of a callback: which URLs and addresses are allowed, how a call is signed, and the request itself. The
//! URLs come from clients of the API, so a call must not reach what only this machine can: a name is resolved first, and the connection
//! goes to an address that was checked. [`crate::callback_worker`] decides what is called and when.

mod address;
mod callback_url;
mod request;
mod signature;

pub use address::Reach;
pub use callback_url::{CallbackUrl, MAX_URL_LENGTH, UrlError};
pub use request::{CallError, Caller};
pub use signature::{Secret, SecretError};
