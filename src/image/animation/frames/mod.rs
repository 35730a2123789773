//! The frames of a file, one by one: pieces of a canvas, as they are stored.

mod apng;
mod gif;
mod webp;

use filepress_wire::MediaType;
use image::RgbaImage;

use super::super::{Call, Warning, color, decode, pixels};
use super::canvas::Piece;
use super::{Budget, note};
use crate::error::{Error, Result};

/// How often the animation plays; 0 is for ever.
pub(super) fn plays(call: &Call<'_>) -> u32 {
    match call.job.input {
        MediaType::Gif => gif::plays(call.bytes),
        MediaType::Webp => webp::plays(call.bytes),
        _ => apng::plays(call.bytes),
    }
}

/// Hands out every frame. Pixels are in the colors of the output; only one frame is in memory at a time.
pub(super) fn each(
    call: &Call<'_>,
    warnings: &mut Vec<Warning>,
    take: &mut dyn FnMut(&Piece) -> Result<()>,
) -> Result<()> {
    let mut budget = Budget::new(call)?;
    let canvas = u64::from(call.header.width) * u64::from(call.header.height);
    let mut reader = Reader { call, warnings, spend: &mut |pixels| budget.spend(pixels.max(canvas)) };
    match call.job.input {
        MediaType::Gif => gif::each(&mut reader, take),
        MediaType::Webp => webp::each(&mut reader, take),
        _ => apng::each(&mut reader, take),
    }
}

/// What the frames are read with.
struct Reader<'a, 'b> {
    call: &'a Call<'a>,
    warnings: &'b mut Vec<Warning>,
    /// Refuses a frame of so many pixels where there were too many before; called ahead of decoding it.
    spend: &'b mut dyn FnMut(u64) -> Result<()>,
}

impl Reader<'_, '_> {
    /// Decodes one frame that has been made a file of its own, which must have exactly this size.
    fn decode(&mut self, file: &[u8], width: u32, height: u32) -> Result<RgbaImage> {
        let media = self.call.job.input;
        (self.spend)(u64::from(width) * u64::from(height))?;
        let header = decode::header(file, media)?;
        if (header.width, header.height) != (width, height) {
            return Err(self.corrupt("a frame has another size than it claims"));
        }
        let decoded = decode::pixels(file, media, &self.call.job.limits)?;
        let icc = self.call.metadata.icc.as_deref();
        let mut told = Vec::new();
        let settled = color::settle(decoded, icc, self.call.profile, &mut told);
        told.into_iter().for_each(|warning| note(self.warnings, warning));
        Ok(pixels::rgba8(settled))
    }

    /// Refuses a frame that is not within the canvas.
    fn check_place(&self, (left, top): (u32, u32), (width, height): (u32, u32)) -> Result<()> {
        let fits = |start: u32, length: u32, whole: u32| {
            length > 0 && start.checked_add(length).is_some_and(|end| end <= whole)
        };
        let header = &self.call.header;
        match fits(left, width, header.width) && fits(top, height, header.height) {
            true => Ok(()),
            false => Err(self.corrupt("a frame lies outside the picture")),
        }
    }

    /// Refuses a frame that is larger than the canvas by more than the limits allow: five bytes of each pixel are held.
    fn check_size(&self, width: u32, height: u32) -> Result<()> {
        let Call { bytes, job, header, geometry, .. } = self.call;
        job.limits.check_pixels("frame", width, height)?;
        let canvas = u64::from(header.width) * u64::from(header.height);
        let beyond = (u64::from(width) * u64::from(height)).saturating_sub(canvas);
        job.limits.check_memory(geometry.memory_estimate(bytes.len(), header, job).saturating_add(5 * beyond))
    }

    fn corrupt(&self, cause: &str) -> Error {
        Error::corrupt(self.call.job.input.name(), cause)
    }
}
