//! Pictures that move: frames are read, composed, brought to size and written one by one, so that their number costs
//! no memory.

pub(crate) mod frames;

use image::DynamicImage;

use crate::animation::{Show, canvas, note};
use crate::error::{Error, ErrorCode, Result};
use crate::formats::gif::animation_encode::{self as gif, Animation};
use crate::formats::webp::animation_encode as webp;
use crate::image::{Encoded, Request, Warning, resize};
use crate::job::Encoding;
use crate::pixels;
use crate::pixels::orient;

/// All frames of an animation together may have so many times the pixels of `limits.maxPixels`.
const MAX_PICTURES: u64 = 20;

/// Codes every frame, at an upright size of (width, height).
pub(crate) fn run(request: &Request<'_>, encoding: Encoding, size: (u32, u32)) -> Result<Encoded> {
    Budget::new(request)?.check(size)?;
    let mut warnings = Vec::new();
    let plays = frames::plays(request);
    let most = request.job.limits.max_memory_bytes;
    let mut play = |show: &mut Show<'_>| each(request, size, &mut warnings, show);
    let (coded, told) = match encoding {
        Encoding::Gif { quality } => {
            let mut told = Vec::new();
            let animation = Animation { size, plays, most };
            (gif::encode(animation, quality, &mut play, &mut told)?, told)
        }
        _ => (webp::encode(size, plays, encoding, most, &mut play)?, Vec::new()),
    };
    let exact = Encoding::Gif { quality: 100 };
    if encoding == exact
        && request.is_same_picture()
        && told.iter().any(|warning| warning.code == gif::REDUCED)
    {
        // No pixel may change where only fewer bytes were asked for.
        if let Some(original) = request.original() {
            return Ok(Encoded { bytes: original, size, encoding, score: None, warnings: Vec::new() });
        }
    }
    told.into_iter().for_each(|warning| note(&mut warnings, warning));
    Ok(request.finish(coded, encoding, size, warnings))
}

/// Shows every frame as a viewer does, upright and in an asked size.
fn each(
    request: &Request<'_>,
    size: (u32, u32),
    warnings: &mut Vec<Warning>,
    show: &mut Show<'_>,
) -> Result<()> {
    let mut canvas = canvas::Canvas::new(request.header.width, request.header.height);
    let stored = request.geometry.upright(size.0, size.1);
    let mut shown = 0;
    frames::each(request, warnings, &mut |piece| {
        shown += 1;
        let frame = canvas.show(piece);
        let frame = match frame.dimensions() == stored {
            true => DynamicImage::ImageRgba8(frame.clone()),
            false => resize::apply(DynamicImage::ImageRgba8(frame.clone()), stored, request.geometry.crops)?,
        };
        show(pixels::rgba8(orient::apply(frame, request.geometry.orientation)), piece.delay)
    })?;
    match shown {
        0 => Err(Error::corrupt(request.job.input.name(), "it holds no frame")),
        _ => Ok(()),
    }
}

/// The pixels that all frames together may have.
struct Budget {
    frames: u64,
    left: u64,
    all: u64,
}

impl Budget {
    /// Refuses a canvas with more frames than the limit allows, before any is decoded.
    fn new(request: &Request<'_>) -> Result<Self> {
        let all = request.job.limits.max_pixels.saturating_mul(MAX_PICTURES);
        let budget = Self { frames: u64::from(request.header.frames), left: all, all };
        budget.check((request.header.width, request.header.height))?;
        Ok(budget)
    }

    /// Refuses so many frames of a size.
    fn check(&self, (width, height): (u32, u32)) -> Result<()> {
        let pixels = self.frames.saturating_mul(u64::from(width) * u64::from(height));
        if pixels <= self.all { Ok(()) } else { Err(self.refusal(pixels)) }
    }

    /// Takes the pixels of one more frame.
    fn spend(&mut self, pixels: u64) -> Result<()> {
        self.left =
            self.left.checked_sub(pixels).ok_or_else(|| self.refusal(self.all - self.left + pixels))?;
        Ok(())
    }

    fn refusal(&self, pixels: u64) -> Error {
        let message = format!(
            "The frames have {pixels} pixels in all; {MAX_PICTURES} times limits.maxPixels are allowed, which is {}.",
            self.all
        );
        Error::limit(ErrorCode::TooManyPixels, message, pixels, self.all)
    }
}
