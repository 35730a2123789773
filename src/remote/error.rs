//! What a call ends with when it does not succeed.

use std::borrow::Cow;
use std::fmt;

/// Result with [`Error`].
pub type Result<V, E> = std::result::Result<V, E>;

/// A call that failed: by the service's own code, or by one of the client's, which are the constants below.
///
/// No message has a key or a signed address in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Error<J> {
    /// A stable name: [`filepress_wire::ErrorCode`] as text, another service's, or one of the constants below.
    pub code: Cow<'static, str>,
    /// For a person.
    pub message: String,
    /// The HTTP status, where there was an answer.
    pub status: Option<u16>,
    /// The service's name for the request.
    pub request_id: Option<String>,
    /// What part of the request was wrong.
    pub source: Source,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// Why the task failed, by the service's name; with [`Error::TASK_FAILED`] alone.
    pub reason: Option<String>,
    /// The document of the task, as it ended; with [`Error::TASK_FAILED`] alone.
    pub task: Option<J>,
}

/// What part of a request was wrong (JSON:API 1.1, "Error Objects").
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// JSON pointer (RFC 6901) into the request's document.
    pub pointer: Option<String>,
    /// Name of a query parameter.
    pub parameter: Option<String>,
    /// Name of a header.
    pub header: Option<String>,
}

impl<J> Error<J> {
    /// No answer: no connection, or it broke.
    pub const NETWORK: &'static str = "network";
    /// No answer in time.
    pub const TIMEOUT: &'static str = "timeout";
    /// An answer that does not follow the interface.
    pub const BAD_ANSWER: &'static str = "bad_answer";
    /// A status of failure without a code.
    pub const HTTP_ERROR: &'static str = "http_error";
    /// The conversion failed.
    pub const TASK_FAILED: &'static str = "task_failed";
    /// The task did not end within the time that the caller gave.
    pub const WAIT_TIMEOUT: &'static str = "wait_timeout";
    /// An address that the key must not go to, or that no bytes are to be sent to.
    pub const FOREIGN_LINK: &'static str = "foreign_link";
    /// The caller's function gave no token.
    pub const NO_TOKEN: &'static str = "no_token";

    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: Cow::Borrowed(code),
            message: message.into(),
            status: None,
            request_id: None,
            source: Source::default(),
            retryable: false,
            reason: None,
            task: None,
        }
    }
}

impl<J> fmt::Display for Error<J> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl<J: fmt::Debug> std::error::Error for Error<J> {}
