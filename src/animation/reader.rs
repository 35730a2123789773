//! The interface between the frame readers of the formats and the animation pipeline.

use image::RgbaImage;

use crate::error::{Error, Result};

/// Decodes a file with one frame of a given size.
pub(crate) type DecodeStill<'a> = dyn FnMut(&[u8], (u32, u32)) -> Result<RgbaImage> + 'a;

/// A file whose frames are read.
pub(crate) struct FrameReader<'a> {
    pub(crate) bytes: &'a [u8],
    /// Name of the format.
    pub(crate) name: &'static str,
    /// Width and height in pixels.
    pub(crate) canvas: (u32, u32),
    /// The number of frames, counted before.
    pub(crate) frames: u32,
    /// Checks the pixels of one more frame against the limits, before it is decoded.
    pub(crate) spend: &'a mut dyn FnMut(u64) -> Result<()>,
    /// Checks that a frame is not larger than the canvas by more than the limits allow.
    pub(crate) check_size: &'a dyn Fn(u32, u32) -> Result<()>,
    /// Checks the bytes of a file that a frame is wrapped into, before it is made.
    pub(crate) check_file: &'a dyn Fn(u64) -> Result<()>,
    /// Decodes one frame that was wrapped into a file of its own and must have exactly this size, in the colors of the
    /// output.
    pub(crate) still: &'a mut DecodeStill<'a>,
}

impl FrameReader<'_> {
    /// Decodes one frame that was wrapped into a file of its own and must have exactly this size.
    pub(crate) fn decode(&mut self, file: &[u8], width: u32, height: u32) -> Result<RgbaImage> {
        (self.spend)(u64::from(width) * u64::from(height))?;
        (self.still)(file, (width, height))
    }

    /// Returns an error for a frame that is not within the canvas.
    pub(crate) fn check_place(&self, (left, top): (u32, u32), (width, height): (u32, u32)) -> Result<()> {
        let fits = |start: u32, length: u32, whole: u32| {
            length > 0 && start.checked_add(length).is_some_and(|end| end <= whole)
        };
        match fits(left, width, self.canvas.0) && fits(top, height, self.canvas.1) {
            true => Ok(()),
            false => Err(self.corrupt("a frame lies outside the image")),
        }
    }

    pub(crate) fn corrupt(&self, cause: &str) -> Error {
        Error::corrupt(self.name, cause)
    }
}
