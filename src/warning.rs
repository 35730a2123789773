//! What a caller should know of a result.

use serde::Serialize;

/// Something that was lost or done differently from what one might expect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Warning {
    /// A stable name.
    pub code: &'static str,
    /// A sentence for a person.
    pub message: String,
}

impl Warning {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
