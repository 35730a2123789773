//! Warnings of a result.

use serde::Serialize;

/// Something that was lost, or done differently from what a caller may expect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Warning {
    /// A stable code.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
}

impl Warning {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
