//! The error of this crate.

use std::fmt;

/// Why a picture cannot be encoded.
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
    /// The number of samples does not match the size and the layout.
    Samples {
        /// How many samples a picture of this size and layout has.
        expected: usize,
        /// How many samples were given.
        given: usize,
    },
    /// The file would be longer than the format allows.
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
