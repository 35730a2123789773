//! The error of this crate.

use std::fmt;

/// Why a file cannot be decoded, or a picture not be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The file violates the standard so that nothing can be shown, or, if decoding is strict, at all.
    Corrupt(&'static str),
    /// The file is of a kind that this crate does not decode.
    Unsupported(&'static str),
    /// A limit of the caller would be exceeded.
    Limit(Limit),
    /// An argument of the caller has no meaning: a size of zero, a buffer of the wrong length.
    Argument(&'static str),
}

/// A limit that would be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The number of pixels, as the frame header has it.
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
    /// The number of scans.
    Scans {
        /// The limit.
        limit: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrupt(reason) | Self::Argument(reason) => f.write_str(reason),
            Self::Unsupported(what) => write!(f, "{what} is not supported"),
            Self::Limit(Limit::Pixels { needed, limit }) => {
                write!(f, "the picture has {needed} pixels, more than {limit}")
            }
            Self::Limit(Limit::Memory { needed, limit }) => {
                write!(f, "decoding takes {needed} bytes of memory, more than {limit}")
            }
            Self::Limit(Limit::Scans { limit }) => write!(f, "the file has more than {limit} scans"),
        }
    }
}

impl std::error::Error for Error {}
