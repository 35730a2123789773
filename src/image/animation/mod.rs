//! Pictures that move: frames are read, composed, brought to size and written one by one, so that their number costs
//! no memory.

mod canvas;
mod clock;
mod frames;
mod gif;
mod paint;
mod region;
mod webp;

use image::{DynamicImage, RgbaImage};

use super::{Call, Made, Warning, orient, pixels, resize};
use crate::error::{Error, ErrorCode, Result};
use crate::job::Encoding;
pub(super) use clock::Delay;
pub(super) use gif::{Animation, encode as encode_gif};

/// All frames of an animation together may have so many times the pixels of `limits.maxPixels`.
const MAX_PICTURES: u64 = 20;

/// What the visitor of frames is handed: a canvas as it is shown, and for how long.
pub(super) type Show<'a> = dyn FnMut(RgbaImage, Delay) -> Result<()> + 'a;

/// Codes every frame, at an upright size of (width, height).
pub(super) fn run(call: &Call<'_>, encoding: Encoding, size: (u32, u32)) -> Result<Made> {
    Budget::new(call)?.check(size)?;
    let mut warnings = Vec::new();
    let plays = frames::plays(call);
    let most = call.job.limits.max_memory_bytes;
    let mut play = |show: &mut Show<'_>| each(call, size, &mut warnings, show);
    let (coded, told) = match encoding {
        Encoding::Gif { quality } => {
            let mut told = Vec::new();
            let animation = Animation { size, plays, most };
            (gif::encode(animation, quality, &mut play, &mut told)?, told)
        }
        _ => (webp::encode(size, plays, encoding, most, &mut play)?, Vec::new()),
    };
    let exact = Encoding::Gif { quality: 100 };
    if encoding == exact && call.is_same_picture() && told.iter().any(|warning| warning.code == gif::REDUCED)
    {
        // No pixel may change where only fewer bytes were asked for.
        if let Some(original) = call.original() {
            return Ok(Made { bytes: original, size, encoding, score: None, warnings: Vec::new() });
        }
    }
    told.into_iter().for_each(|warning| note(&mut warnings, warning));
    Ok(call.finish(coded, encoding, size, warnings))
}

/// Shows every frame as a viewer does, upright and in an asked size.
fn each(call: &Call<'_>, size: (u32, u32), warnings: &mut Vec<Warning>, show: &mut Show<'_>) -> Result<()> {
    let mut canvas = canvas::Canvas::new(call.header.width, call.header.height);
    let stored = call.geometry.upright(size.0, size.1);
    let mut shown = 0;
    frames::each(call, warnings, &mut |piece| {
        shown += 1;
        let frame = canvas.show(piece);
        let frame = match frame.dimensions() == stored {
            true => DynamicImage::ImageRgba8(frame.clone()),
            false => resize::apply(DynamicImage::ImageRgba8(frame.clone()), stored, call.geometry.crops)?,
        };
        show(pixels::rgba8(orient::apply(frame, call.geometry.orientation)), piece.delay)
    })?;
    match shown {
        0 => Err(Error::corrupt(call.job.input.name(), "it holds no frame")),
        _ => Ok(()),
    }
}

/// Says something once.
fn note(warnings: &mut Vec<Warning>, new: Warning) {
    if warnings.iter().all(|warning| warning.code != new.code) {
        warnings.push(new);
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
    fn new(call: &Call<'_>) -> Result<Self> {
        let all = call.job.limits.max_pixels.saturating_mul(MAX_PICTURES);
        let budget = Self { frames: u64::from(call.header.frames), left: all, all };
        budget.check((call.header.width, call.header.height))?;
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
