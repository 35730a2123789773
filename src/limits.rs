//! The limits of a call: bytes, pixels, memory. Every limit is checked against a header before a pixel is allocated;
//! some decoders check again.

use crate::error::{Error, ErrorCode, Result};

/// Upper bounds of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the input. Default 256 MiB.
    pub max_input_bytes: u64,
    /// Pixels (width × height) of the input and of the output. Default 100 million.
    pub max_pixels: u64,
    /// Estimated peak memory of the call in bytes. Default 1 GiB.
    pub max_memory_bytes: u64,
}

/// All frames of an animation together may have so many times [`Limits::max_pixels`].
const MAX_PICTURES: u64 = 20;

impl Default for Limits {
    fn default() -> Self {
        Self { max_input_bytes: 256 << 20, max_pixels: 100_000_000, max_memory_bytes: 1 << 30 }
    }
}

impl Limits {
    /// Checks the size of an input in bytes.
    ///
    /// # Errors
    /// [`ErrorCode::InputTooLarge`] above `max_input_bytes`.
    pub fn check_input(&self, size: u64) -> Result<()> {
        if size > self.max_input_bytes {
            return Err(Error::limit(
                ErrorCode::InputTooLarge,
                format!("The input has {size} bytes; limits.maxInputBytes allows {}.", self.max_input_bytes),
                size,
                self.max_input_bytes,
            ));
        }
        Ok(())
    }

    /// Checks the pixels of an image; `which` is "input" or "output" for the message.
    ///
    /// # Errors
    /// [`ErrorCode::TooManyPixels`] above `max_pixels`.
    pub fn check_pixels(&self, which: &str, width: u32, height: u32) -> Result<()> {
        let pixels = u64::from(width) * u64::from(height);
        if pixels > self.max_pixels {
            return Err(Error::limit(
                ErrorCode::TooManyPixels,
                format!(
                    "The {which} has {width} × {height} = {pixels} pixels; limits.maxPixels allows {}.",
                    self.max_pixels
                ),
                pixels,
                self.max_pixels,
            ));
        }
        Ok(())
    }

    /// Checks the pixels of all frames of an animation together.
    ///
    /// # Errors
    /// [`ErrorCode::TooManyPixels`] above 20 times `max_pixels`.
    pub fn check_frame_pixels(&self, pixels: u64) -> Result<()> {
        let most = self.max_pixels.saturating_mul(MAX_PICTURES);
        if pixels > most {
            let message = format!(
                "The frames have {pixels} pixels in all; {MAX_PICTURES} times limits.maxPixels are allowed, which is {most}."
            );
            return Err(Error::limit(ErrorCode::TooManyPixels, message, pixels, most));
        }
        Ok(())
    }

    /// Checks the estimated memory of a call.
    ///
    /// # Errors
    /// [`ErrorCode::TooMuchMemory`] above `max_memory_bytes`.
    pub fn check_memory(&self, estimate: u64) -> Result<()> {
        if estimate > self.max_memory_bytes {
            return Err(Error::too_much_memory(
                format!(
                    "The call needs about {estimate} bytes of memory; limits.maxMemoryBytes allows {}.",
                    self.max_memory_bytes
                ),
                estimate,
                self.max_memory_bytes,
            ));
        }
        Ok(())
    }
}
