//! Animations: frames are decoded, composed, resized and encoded one by one, so that memory does not grow with their
//! number.

pub(crate) mod frames;

use image::DynamicImage;

use crate::animation::{Animation, COLORS_REDUCED, Show, canvas, note};
use crate::error::{Error, ErrorCode, Result};
use crate::formats::codec::ReadFrames;
use crate::formats::{Encoding, Traits, codec_of};
use crate::image::pipeline::{Decoded, Stages};
use crate::image::progress::Reporter;
use crate::image::{Encoded, Request};
use crate::limits::Limits;
use crate::pixels;
use crate::warning::Warning;

/// The quality at which an animation is lossless.
const HIGHEST_QUALITY: u8 = 100;

/// Encodes every frame at an upright size of (width, height).
pub(crate) fn run(
    request: &Request<'_>,
    encoding: Encoding,
    size: (u32, u32),
    progress: &mut Reporter<'_>,
) -> Result<Encoded> {
    Budget::new(request)?.check(size)?;
    let codecs = (&codec_of(request.job.input).read_frames, &codec_of(encoding.media()).write_frames);
    let (Some(reading), Some(writing)) = codecs else {
        return Err(Error::new(ErrorCode::NotInBuild, "This build cannot write this animation."));
    };
    let (mut warnings, mut told) = (Vec::new(), Vec::new());
    let animation = Animation {
        size,
        plays: (reading.plays)(request.source.bytes),
        max_bytes: request.job.limits.max_memory_bytes,
        has_profile: request.kept().icc.is_some(),
    };
    // Other types reduce the colors of frames.
    let encoding = if encoding.has(Traits::ANIMATION) { encoding } else { encoding.without_loss() };
    progress.encode();
    let mut shown = 0;
    let mut play = |show: &mut Show<'_>| {
        each(request, reading, size, &mut warnings, &mut |frame, delay| {
            show(frame, delay)?;
            shown += 1;
            progress.part(shown, request.source.header.frames.saturating_mul(writing.passes));
            Ok(())
        })
    };
    let coded = (writing.write)(animation, encoding, &mut play, &mut told)?;
    let is_exact = encoding.quality() == Some(HIGHEST_QUALITY)
        && encoding.colors().is_none()
        && request.is_same_picture();
    if is_exact && told.iter().any(|warning| warning.code == COLORS_REDUCED) {
        // If only fewer bytes were requested, no pixel may change.
        if let Some(original) = request.original() {
            return Ok(Encoded { bytes: original, size, encoding, score: None, warnings: Vec::new() });
        }
    }
    told.into_iter().for_each(|warning| note(&mut warnings, warning));
    Ok(request.finish(coded, encoding, size, warnings))
}

/// Composes every frame as a viewer shows it, upright and resized.
fn each(
    request: &Request<'_>,
    reading: &ReadFrames,
    size: (u32, u32),
    warnings: &mut Vec<Warning>,
    show: &mut Show<'_>,
) -> Result<()> {
    let stored = (request.source.header.width, request.source.header.height);
    let geometry = &request.source.geometry;
    let padding = request.source.padding();
    let target = geometry.stored_target_at(size);
    let overlay = request.mark(size)?;
    let stages =
        Stages { padding, overlay: overlay.as_ref(), ..Stages::of(geometry, geometry.part.into(), target) };
    let mut canvas = canvas::Canvas::new(stored.0, stored.1);
    let mut shown = 0;
    frames::each(request, reading, warnings, &mut |piece| {
        shown += 1;
        let frame = Decoded::Pixels(DynamicImage::ImageRgba8(canvas.show(piece).clone()));
        show(pixels::rgba8(stages.run(frame, None, &mut Vec::new())?), piece.delay)
    })?;
    match shown {
        0 => Err(Error::corrupt(request.job.input.name(), "it holds no frame")),
        _ => Ok(()),
    }
}

/// The limit on the pixels of all frames together.
struct Budget {
    limits: Limits,
    frames: u64,
    spent: u64,
}

impl Budget {
    /// Checks the canvas and the number of frames before any frame is decoded.
    fn new(request: &Request<'_>) -> Result<Self> {
        let header = &request.source.header;
        let budget = Self { limits: request.job.limits, frames: u64::from(header.frames), spent: 0 };
        budget.check((header.width, header.height))?;
        Ok(budget)
    }

    /// Checks `frames` frames of one size.
    fn check(&self, (width, height): (u32, u32)) -> Result<()> {
        self.limits.check_frame_pixels(self.frames.saturating_mul(u64::from(width) * u64::from(height)))
    }

    /// Counts the pixels of one more frame.
    fn spend(&mut self, pixels: u64) -> Result<()> {
        self.spent = self.spent.saturating_add(pixels);
        self.limits.check_frame_pixels(self.spent)
    }
}
