//! The frames of a file, one by one: pieces of a canvas, as they are stored.

use filepress_wire::MediaType;
use image::RgbaImage;

use crate::animation::canvas::Piece;
use crate::animation::note;
use crate::error::{Error, Result};
use crate::formats::decode;
use crate::formats::{
    gif::animation_decode as gif, png::animation_decode as apng, webp::animation_decode as webp,
};
use crate::image::animation::Budget;
use crate::image::{Request, Warning, color};
use crate::pixels;

/// How often the animation plays; 0 is for ever.
pub(crate) fn plays(request: &Request<'_>) -> u32 {
    match request.job.input {
        MediaType::Gif => gif::plays(request.bytes),
        MediaType::Webp => webp::plays(request.bytes),
        _ => apng::plays(request.bytes),
    }
}

/// Hands out every frame. Pixels are in the colors of the output; only one frame is in memory at a time.
pub(crate) fn each(
    request: &Request<'_>,
    warnings: &mut Vec<Warning>,
    take: &mut dyn FnMut(&Piece) -> Result<()>,
) -> Result<()> {
    let mut budget = Budget::new(request)?;
    let canvas = u64::from(request.header.width) * u64::from(request.header.height);
    let mut reader = Reader { request, warnings, spend: &mut |pixels| budget.spend(pixels.max(canvas)) };
    match request.job.input {
        MediaType::Gif => gif::each(&mut reader, take),
        MediaType::Webp => webp::each(&mut reader, take),
        _ => apng::each(&mut reader, take),
    }
}

/// What the frames are read with.
pub(crate) struct Reader<'a, 'b> {
    pub(crate) request: &'a Request<'a>,
    pub(crate) warnings: &'b mut Vec<Warning>,
    /// Refuses a frame of so many pixels where there were too many before; called ahead of decoding it.
    pub(crate) spend: &'b mut dyn FnMut(u64) -> Result<()>,
}

impl Reader<'_, '_> {
    /// Decodes one frame that has been made a file of its own, which must have exactly this size.
    pub(crate) fn decode(&mut self, file: &[u8], width: u32, height: u32) -> Result<RgbaImage> {
        let media = self.request.job.input;
        (self.spend)(u64::from(width) * u64::from(height))?;
        let header = decode::header(file, media)?;
        if (header.width, header.height) != (width, height) {
            return Err(self.corrupt("a frame has another size than it claims"));
        }
        let decoded = decode::pixels(file, media, &self.request.job.limits)?;
        let icc = self.request.metadata.icc.as_deref();
        let mut told = Vec::new();
        let settled = color::settle(decoded, icc, self.request.profile, &mut told);
        told.into_iter().for_each(|warning| note(self.warnings, warning));
        Ok(pixels::rgba8(settled))
    }

    /// Refuses a frame that is not within the canvas.
    pub(crate) fn check_place(&self, (left, top): (u32, u32), (width, height): (u32, u32)) -> Result<()> {
        let fits = |start: u32, length: u32, whole: u32| {
            length > 0 && start.checked_add(length).is_some_and(|end| end <= whole)
        };
        let header = &self.request.header;
        match fits(left, width, header.width) && fits(top, height, header.height) {
            true => Ok(()),
            false => Err(self.corrupt("a frame lies outside the picture")),
        }
    }

    /// Refuses a frame that is larger than the canvas by more than the limits allow: five bytes of each pixel are held.
    pub(crate) fn check_size(&self, width: u32, height: u32) -> Result<()> {
        let Request { bytes, job, header, geometry, .. } = self.request;
        job.limits.check_pixels("frame", width, height)?;
        let canvas = u64::from(header.width) * u64::from(header.height);
        let beyond = (u64::from(width) * u64::from(height)).saturating_sub(canvas);
        job.limits.check_memory(geometry.memory_estimate(bytes.len(), header, job).saturating_add(5 * beyond))
    }

    pub(crate) fn corrupt(&self, cause: &str) -> Error {
        Error::corrupt(self.request.job.input.name(), cause)
    }
}
