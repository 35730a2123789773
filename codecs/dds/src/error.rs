//! The error of this crate.

use std::fmt;

/// Why a file cannot be decoded, or a picture not encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The file is not as the specification has it.
    Corrupt(&'static str),
    /// The format of the pixels is unknown, or one that this crate does not read.
    Unsupported(Unknown),
    /// The pixels need more memory than is allowed.
    TooMuchMemory,
    /// The number of samples does not match the size of the picture.
    Samples {
        /// How many samples a picture of this size has.
        expected: usize,
        /// How many samples were given.
        given: usize,
    },
}

/// A format of pixels that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// A number of `DXGI_FORMAT`.
    Dxgi(u32),
    /// A four-character code, or a number of `D3DFORMAT` in its place.
    FourCc([u8; 4]),
    /// Bit masks.
    Masks,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrupt(what) => f.write_str(what),
            Self::Unsupported(Unknown::Dxgi(number)) => write!(f, "DXGI format {number}"),
            Self::Unsupported(Unknown::FourCc(code)) => write!(f, "the code {}", code.escape_ascii()),
            Self::Unsupported(Unknown::Masks) => f.write_str("these masks of bits"),
            Self::TooMuchMemory => f.write_str("the pixels need more memory than is allowed"),
            Self::Samples { expected, given } => {
                write!(f, "{given} samples, where the pixels have {expected}")
            }
        }
    }
}

impl std::error::Error for Error {}
