//! The error of this crate.

use std::fmt;

/// Why a file cannot be read. The text completes the sentence "The file cannot be read: …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The file is damaged, or breaks the format.
    Corrupt(&'static str),
    /// The file uses what this crate does not read.
    Unsupported(&'static str),
}

/// The compressed bytes of a block are not what its compression writes.
pub(crate) const DAMAGED: Error = Error::Corrupt("a block is damaged");

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Corrupt(cause) | Self::Unsupported(cause)) = self;
        f.write_str(cause)
    }
}

impl std::error::Error for Error {}
