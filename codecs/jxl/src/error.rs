//! Why a file is not read.

use std::fmt;

/// Why a file is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// It is no JPEG XL file, is damaged, or ends early; the cause in words.
    Damaged(String),
    /// It is valid, and what it uses is not read; the sentence says what.
    Unsupported(&'static str),
    /// There is no memory for so many bytes; 0 if their number is not known.
    OutOfMemory(u64),
}

impl Error {
    pub(crate) const CUT_OFF: &'static str = "it ends early";

    pub(crate) fn damaged(cause: impl fmt::Display) -> Self {
        Self::Damaged(cause.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(cause) => formatter.write_str(cause),
            Self::Unsupported(what) => formatter.write_str(what),
            Self::OutOfMemory(bytes) => write!(formatter, "no memory for {bytes} bytes"),
        }
    }
}

impl std::error::Error for Error {}

impl From<jxl::error::Error> for Error {
    fn from(error: jxl::error::Error) -> Self {
        use jxl::error::Error::{ImageOutOfMemory, OutOfMemory};
        match error {
            ImageOutOfMemory(row, rows) => Self::OutOfMemory((row as u64).saturating_mul(rows as u64)),
            OutOfMemory(_) => Self::OutOfMemory(0),
            other => Self::damaged(other),
        }
    }
}
