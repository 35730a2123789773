//! The password of an input. Only the tool that needs it receives it.

use std::fmt;

use super::reader::Reader;
use crate::media::PlanError;

/// The name of the setting.
pub(in crate::media) const PASSWORD: &str = "password";
/// The maximum length in bytes, as in PDF 2.0 (ISO 32000-2, 7.6.4.3.3).
const MAX_BYTES: usize = 127;

/// A password; `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::media) struct Password(String);

impl Password {
    /// Reads the setting. Control characters are refused: qpdf reads the password from a file and would stop at a line break.
    pub(super) fn read(reader: &Reader<'_>) -> Result<Option<Self>, PlanError> {
        let expected = format!("a string of 1 to {MAX_BYTES} bytes without control characters");
        let Some(text) = reader.text(PASSWORD, &expected)? else { return Ok(None) };
        let is_taken = (1..=MAX_BYTES).contains(&text.len()) && !text.contains(char::is_control);
        match is_taken {
            true => Ok(Some(Self(text.to_owned()))),
            false => Err(reader.refuse(PASSWORD, format_args!("must be {expected}"))),
        }
    }

    /// The password itself.
    pub(in crate::media) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Password(…)")
    }
}
