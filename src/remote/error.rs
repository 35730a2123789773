//! The error of a failed call.

use std::borrow::Cow;
use std::fmt;

/// Result with [`Error`].
pub type Result<V, E> = std::result::Result<V, E>;

/// A failed call. Messages contain neither keys nor signed URLs.
#[derive(Debug, Clone, PartialEq)]
pub struct Error<J> {
    /// A stable code: a [`filepress_wire::ErrorCode`], a code of another server, or one of the constants below.
    pub code: Cow<'static, str>,
    /// A message for people.
    pub message: String,
    /// The HTTP status, if a response was received.
    pub status: Option<u16>,
    /// The `x-request-id` of the response.
    pub request_id: Option<String>,
    /// What part of the request was wrong.
    pub source: Source,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// The task's error code; only with [`Error::TASK_FAILED`].
    pub reason: Option<String>,
    /// The document of the failed task; only with [`Error::TASK_FAILED`].
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
    /// No response: the connection failed.
    pub const NETWORK: &'static str = "network";
    /// No response within the timeout.
    pub const TIMEOUT: &'static str = "timeout";
    /// A response that does not follow the API.
    pub const BAD_ANSWER: &'static str = "bad_answer";
    /// An HTTP error status without an error code.
    pub const HTTP_ERROR: &'static str = "http_error";
    /// The conversion failed.
    pub const TASK_FAILED: &'static str = "task_failed";
    /// The task did not finish within the time that the caller set.
    pub const WAIT_TIMEOUT: &'static str = "wait_timeout";
    /// A link in a response that is not safe to follow.
    pub const FOREIGN_LINK: &'static str = "foreign_link";
    /// The caller's `getToken` returned no usable token.
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
