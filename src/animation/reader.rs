//! What the frames of a file are read with.

use image::RgbaImage;

use crate::error::{Error, Result};

/// Decodes a file that holds one frame of a size.
pub(crate) type DecodeStill<'a> = dyn FnMut(&[u8], (u32, u32)) -> Result<RgbaImage> + 'a;

/// A file whose frames are read.
pub(crate) struct FrameReader<'a> {
    pub(crate) bytes: &'a [u8],
    /// Name of the format.
    pub(crate) name: &'static str,
    /// Width and height in pixels.
    pub(crate) canvas: (u32, u32),
    /// Frames, as counted before.
    pub(crate) frames: u32,
    /// Refuses a frame of so many pixels where there were too many before; called ahead of decoding it.
    pub(crate) spend: &'a mut dyn FnMut(u64) -> Result<()>,
    /// Refuses a frame that is larger than the canvas by more than the limits allow.
    pub(crate) check_size: &'a dyn Fn(u32, u32) -> Result<()>,
    /// Decodes one frame that has been made a file of its own, which must have exactly this size, to the colors of the output.
    pub(crate) still: &'a mut DecodeStill<'a>,
}

impl FrameReader<'_> {
    /// Decodes one frame that has been made a file of its own, which must have exactly this size.
    pub(crate) fn decode(&mut self, file: &[u8], width: u32, height: u32) -> Result<RgbaImage> {
        (self.spend)(u64::from(width) * u64::from(height))?;
        (self.still)(file, (width, height))
    }

    /// Refuses a frame that is not within the canvas.
    pub(crate) fn check_place(&self, (left, top): (u32, u32), (width, height): (u32, u32)) -> Result<()> {
        let fits = |start: u32, length: u32, whole: u32| {
            length > 0 && start.checked_add(length).is_some_and(|end| end <= whole)
        };
        match fits(left, width, self.canvas.0) && fits(top, height, self.canvas.1) {
            true => Ok(()),
            false => Err(self.corrupt("a frame lies outside the picture")),
        }
    }

    pub(crate) fn corrupt(&self, cause: &str) -> Error {
        Error::corrupt(self.name, cause)
    }
}
