//! What the caller of the decoder asks for.

use crate::error::{Error, Limit};

/// Settings of the decoder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecodeOptions {
    /// Refuses damaged files that could be shown in part. Default: false.
    pub strict: bool,
    /// In a reduced picture, chroma of 4:2:2 and 4:4:0 keeps the resolution that the file has, as far as the picture shows it;
    /// otherwise it has that of libjpeg-turbo. Default: false.
    pub sharp_chroma: bool,
    /// What decoding may take.
    pub limits: Limits,
}

/// Limits, checked as soon as headers tell what is needed, before memory is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of pixels of a picture. Default: no limit beyond the format's 65,535 × 65,535.
    pub max_pixels: u64,
    /// The largest number of bytes that the decoder allocates, without the caller's buffers. Default: no limit.
    pub max_memory: u64,
    /// The largest number of scans; each is a pass over the picture. Default: 100.
    pub max_scans: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_pixels: u64::MAX, max_memory: u64::MAX, max_scans: 100 }
    }
}

impl Limits {
    pub(crate) fn check_pixels(&self, width: u16, height: u16) -> Result<(), Error> {
        let needed = u64::from(width) * u64::from(height);
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
