//! The error of this crate.

use std::collections::TryReserveError;
use std::fmt;

/// Why a bitstream cannot be decoded, or a picture not encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bitstream violates the AV1 specification.
    Corrupt(&'static str),
    /// The bitstream is valid, or the picture is, but of a kind that this crate does not decode or encode.
    Unsupported(&'static str),
    /// A limit of the caller would be exceeded.
    Limit(Limit),
    /// Memory could not be allocated.
    OutOfMemory,
}

/// A limit that would be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The number of pixels, as the headers have it.
    Pixels {
        /// The pixels of the picture.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// The memory that decoding would take, in bytes.
    Memory {
        /// The bytes that are needed.
        needed: u64,
        /// The limit.
        limit: u64,
    },
}

impl Error {
    /// A name that stays the same from version to version: `corrupt`, `unsupported`, `limit` or `out_of_memory`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Corrupt(_) => "corrupt",
            Self::Unsupported(_) => "unsupported",
            Self::Limit(_) => "limit",
            Self::OutOfMemory => "out_of_memory",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrupt(reason) => f.write_str(reason),
            Self::Unsupported(what) => write!(f, "{what} is not supported"),
            Self::Limit(Limit::Pixels { needed, limit }) => {
                write!(f, "the picture has {needed} pixels, more than {limit}")
            }
            Self::Limit(Limit::Memory { needed, limit }) => {
                write!(f, "decoding takes {needed} bytes of memory, more than {limit}")
            }
            Self::OutOfMemory => f.write_str("memory could not be allocated"),
        }
    }
}

impl std::error::Error for Error {}

impl From<TryReserveError> for Error {
    fn from(_: TryReserveError) -> Self {
        Self::OutOfMemory
    }
}
