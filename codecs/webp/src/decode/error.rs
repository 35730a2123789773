//! The error of the decoder.

use std::collections::TryReserveError;
use std::fmt;

/// Why a picture cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// The data violates the format. The text says how.
    Corrupt(&'static str),
    /// Memory could not be allocated, or prefix codes would take more than a file of this length should.
    OutOfMemory,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrupt(what) => f.write_str(what),
            Self::OutOfMemory => f.write_str("memory could not be allocated"),
        }
    }
}

impl std::error::Error for DecodeError {}

impl From<TryReserveError> for DecodeError {
    fn from(_: TryReserveError) -> Self {
        Self::OutOfMemory
    }
}
