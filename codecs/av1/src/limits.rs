//! What the caller allows and asks for.

use crate::error::{Error, Limit};

/// Limits, checked as soon as headers tell what is needed, before memory is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of pixels of a picture. Default: no limit beyond the format's 65,536 × 65,536.
    pub max_pixels: u64,
    /// The largest number of bytes that decoding allocates. Default: no limit.
    pub max_memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_pixels: u64::MAX, max_memory: u64::MAX }
    }
}

impl Limits {
    pub(crate) fn check_pixels(&self, width: usize, height: usize) -> Result<(), Error> {
        let needed = width as u64 * height as u64;
        match needed <= self.max_pixels {
            true => Ok(()),
            false => Err(Error::Limit(Limit::Pixels { needed, limit: self.max_pixels })),
        }
    }

    pub(crate) fn check_memory(&self, needed: u64) -> Result<(), Error> {
        match needed <= self.max_memory {
            true => Ok(()),
            false => Err(Error::Limit(Limit::Memory { needed, limit: self.max_memory })),
        }
    }
}

/// Which picture of a bitstream is decoded, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeOptions {
    /// The operating point, as the `a1op` property of AVIF has it. Default: 0, the one of highest quality.
    pub operating_point: u8,
    /// The spatial layer to show, as the `lsel` property of AVIF has it; it has to be there. Default: the highest of the operating point that
    /// the bitstream has.
    pub spatial_layer: Option<u8>,
    /// Whether film grain is applied. Default: true.
    pub film_grain: bool,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self { operating_point: 0, spatial_layer: None, film_grain: true }
    }
}
