//! What can go wrong.

use std::fmt;

/// Why a picture can not be coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A side is not 1 to [`MAX_SIDE`](crate::MAX_SIDE) pixels.
    Size {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
    /// There are more or fewer samples than the pixels have.
    Samples {
        /// How many the pixels have.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// The file would be longer than the format can say.
    TooLong,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height } => {
                write!(f, "a picture of {width} × {height} pixels; each side can be 1 to {}", crate::MAX_SIDE)
            }
            Self::Samples { expected, given } => {
                write!(f, "{given} samples, where the pixels have {expected}")
            }
            Self::TooLong => write!(f, "the file would be longer than the format allows"),
        }
    }
}

impl std::error::Error for Error {}
