//! The search for a `targetSize`: the best picture of at most `target` bytes in few encodings. It tries the highest
//! quality that fits, down to a threshold of visible loss; then fewer pixels; then, if the size must stay, any quality.
//!
//! Sizes are compared as logarithms: they are nearly linear in the logarithm of the number of pixels, and nearly linear
//! in quality after [`curve`] is applied. A format that can estimate its sizes needs no curve: a quality is then final if the next one is
//! estimated not to fit, or if it is close after several encodings. Sizes need not grow with quality everywhere, so the result is the best of all encodings that fit.

use crate::error::{Error, ErrorCode, Result};
use crate::formats::{Encoding, Traits, codec_of};
use crate::image::Encoded;
use crate::image::log2::{OCTAVE, log2};
use crate::image::search::interpolation_search::{Bracket, Point, interpolate};

/// The most encodings of one search.
const MOST_ATTEMPTS: u32 = 14;
/// The most encodings for the quality at one size.
const QUALITY_ATTEMPTS: u32 = 7;
/// Encodings reserved for the last resorts: the smallest size, and its lowest quality.
const LAST_ATTEMPTS: u32 = 2;
/// The quality where the caller sets no upper bound.
const HIGHEST_QUALITY: u8 = 100;
/// A file within 3 % of the target is accepted.
const CLOSE: i64 = OCTAVE * 44 / 1000;
/// After four encodings at one size, a file within 7 % of the target is accepted.
const CLOSE_LATE: i64 = OCTAVE * 105 / 1000;
/// Quality aims 1 % below the target, since a file slightly over it is useless.
const QUALITY_MARGIN: i64 = OCTAVE * 14 / 1000;
/// With estimates, it aims 0.3 % below the target.
const ESTIMATE_MARGIN: i64 = OCTAVE * 4 / 1000;
/// The number of pixels aims 8 % below the target; quality then takes up the rest in finer steps.
const PIXELS_MARGIN: i64 = OCTAVE * 120 / 1000;
/// The number of pixels may end 20 % below the target.
const CLOSE_PIXELS: i64 = OCTAVE * 320 / 1000;

/// Encodes a picture, as often as it is asked to.
pub(crate) trait Coder {
    /// The whole file, with an encoding and an upright size.
    fn code(&mut self, encoding: Encoding, size: (u32, u32)) -> Result<Encoded>;
    /// About how many bytes it has. Those of similar qualities are off by the same factor. `None` if that cannot be told.
    fn estimate(&mut self, _: Encoding, _: (u32, u32)) -> Option<u64> {
        None
    }
}

impl<F: FnMut(Encoding, (u32, u32)) -> Result<Encoded>> Coder for F {
    fn code(&mut self, encoding: Encoding, size: (u32, u32)) -> Result<Encoded> {
        self(encoding, size)
    }
}

/// Finds the best picture of at most `target` bytes, of an upright size of at most `full`. With `lossy`, the quality may be anything up to
/// that of `encoding`. With `scales`, the size may be anything of the shape of `full`.
///
/// # Errors
/// [`ErrorCode::TargetUnreachable`], whose detail `smallest` is the fewest bytes that were reached; the errors of
/// `coder`.
pub(crate) fn search(
    target: u64,
    lossy: bool,
    scales: bool,
    encoding: Encoding,
    full: (u32, u32),
    coder: &mut dyn Coder,
) -> Result<Encoded> {
    let mut search = Search { target, coder, left: MOST_ATTEMPTS, best: None, smallest: u64::MAX };
    search.run(lossy, scales, encoding, full)?;
    match search.best {
        Some((_, made)) => Ok(made),
        None => Err(unreachable(target, search.smallest, lossy, scales)),
    }
}

struct Search<'a> {
    target: u64,
    coder: &'a mut dyn Coder,
    /// Encodings that are left.
    left: u32,
    /// The best file that fits: most pixels first, then highest quality.
    best: Option<((u64, u8), Encoded)>,
    /// The fewest bytes of all encodings.
    smallest: u64,
}

impl Search<'_> {
    fn run(&mut self, lossy: bool, scales: bool, planned: Encoding, full: (u32, u32)) -> Result<()> {
        let stepped = lossy && planned.has(Traits::STEPS);
        let planned_highest = planned.quality();
        // Below an eighth of a bit per pixel, only pictures of few colors are lossless, and a palette keeps those as
        // well.
        let hopeless = stepped && self.target.saturating_mul(64) < pixels(full);
        if !stepped || (planned_highest.is_none() && !hopeless) {
            self.attempt(planned, full)?;
        }
        if self.best.is_some() || !lossy {
            return Ok(());
        }
        let highest = planned_highest.unwrap_or(HIGHEST_QUALITY);
        let coded = planned.at_quality(highest);
        let qualities = Qualities {
            coded,
            lowest: if scales { codec_of(coded.media()).decent_quality.min(highest) } else { 1 },
            highest,
        };
        if stepped {
            self.quality(qualities, full, None)?;
        } else if coded != planned {
            self.attempt(coded, full)?;
        }
        if self.best.is_none() && scales {
            self.scale(qualities, stepped, full)?;
        }
        Ok(())
    }

    /// Encodes once, keeps the file if it is the best that fits, and returns the logarithm of its bytes.
    fn attempt(&mut self, encoding: Encoding, size: (u32, u32)) -> Result<i64> {
        self.left = self.left.saturating_sub(1);
        let made = self.coder.code(encoding, size)?;
        let bytes = made.bytes.len() as u64;
        self.smallest = self.smallest.min(bytes);
        let rank = (pixels(size), encoding.quality().unwrap_or(u8::MAX));
        if bytes <= self.target && self.best.as_ref().is_none_or(|(best, _)| rank > *best) {
            self.best = Some((rank, made));
        }
        // Rounding must not accept a file that is a byte too long.
        Ok(if bytes > self.target { log2(bytes).max(log2(self.target) + 1) } else { log2(bytes) })
    }

    /// Finds the highest quality that fits at one size. `lowest` is the measured value of the lowest quality, if known.
    fn quality(&mut self, qualities: Qualities, size: (u32, u32), lowest: Option<Point>) -> Result<()> {
        let Qualities { coded, lowest: from, highest: to } = qualities;
        let bits_per_pixel = log2(self.target.saturating_mul(8)) - log2(pixels(size));
        let mut bracket = Bracket::new(from.into(), to.into(), log2(self.target));
        if let Some(point) = lowest {
            bracket.add(point);
        }
        let mut model = |quality| curve(coded, quality);
        let guess = bracket.next(&mut model, bits_per_pixel, QUALITY_MARGIN).unwrap_or(to.into());
        // What is prepared for one quality may not do for another.
        if self.coder.estimate(coded.at_quality(guess as u8), size).is_some() {
            return self.estimated_quality(coded, bracket, size);
        }
        for attempt in 1..=QUALITY_ATTEMPTS {
            if self.left <= LAST_ATTEMPTS {
                break;
            }
            let Some(setting) = bracket.next(&mut model, bits_per_pixel, QUALITY_MARGIN) else { break };
            let value = self.attempt(coded.at_quality(setting as u8), size)?;
            bracket.add(Point { setting, value });
            if bracket.is_close(if attempt < 4 { CLOSE } else { CLOSE_LATE }) {
                break;
            }
        }
        self.lowest_quality(coded, &bracket, size)
    }

    /// The same if sizes can be estimated: by the estimates, it is the highest.
    fn estimated_quality(&mut self, coded: Encoding, mut bracket: Bracket, size: (u32, u32)) -> Result<()> {
        for attempt in 0..QUALITY_ATTEMPTS {
            let coder = &mut *self.coder;
            let mut model = |quality: u32| {
                coder.estimate(coded.at_quality(quality as u8), size).map_or(curve(coded, quality), log2)
            };
            let margin = if bracket.is_empty() { 0 } else { ESTIMATE_MARGIN };
            let is_late = attempt >= 4 && bracket.is_close(CLOSE_LATE);
            if self.left <= LAST_ATTEMPTS || is_late || bracket.is_settled(&mut model, ESTIMATE_MARGIN) {
                break;
            }
            let Some(setting) = bracket.next(&mut model, log2(self.target), margin) else { break };
            let value = self.attempt(coded.at_quality(setting as u8), size)?;
            bracket.add(Point { setting, value });
        }
        self.lowest_quality(coded, &bracket, size)
    }

    /// Tries the lowest quality if nothing fits: the target is unreachable only once it was tried.
    fn lowest_quality(&mut self, coded: Encoding, bracket: &Bracket, size: (u32, u32)) -> Result<()> {
        if bracket.below.is_none() && bracket.above.is_some_and(|point| point.setting > bracket.lowest) {
            self.attempt(coded.at_quality(bracket.lowest as u8), size)?;
        }
        Ok(())
    }

    /// Reduces the pixels at the lowest quality, then finds the highest quality that fits; at last accepts anything.
    fn scale(&mut self, qualities: Qualities, stepped: bool, full: (u32, u32)) -> Result<()> {
        let Qualities { coded, lowest, .. } = qualities;
        let (coded, margin, close) = match stepped {
            true => (coded.at_quality(lowest), PIXELS_MARGIN, CLOSE_PIXELS),
            false => (coded, QUALITY_MARGIN, CLOSE),
        };
        let side = full.0.max(full.1);
        // Bytes grow a little slower than pixels.
        let mut model = |side| log2(pixels(scaled(full, side))) * 7 / 8;
        let mut bracket = Bracket::new(1, side, log2(self.target));
        bracket.add(Point { setting: side, value: log2(self.smallest).max(log2(self.target) + 1) });
        while self.left > LAST_ATTEMPTS && !bracket.is_close(close) {
            let Some(setting) = bracket.next(&mut model, 0, margin) else { break };
            let value = self.attempt(coded, scaled(full, setting))?;
            bracket.add(Point { setting, value });
        }
        match bracket.below {
            Some(Point { setting, value }) if stepped => {
                let known = Point { setting: lowest.into(), value };
                self.quality(qualities, scaled(full, setting), Some(known))
            }
            Some(_) => Ok(()),
            None => self.last_resorts(coded, stepped, scaled(full, 1)),
        }
    }

    fn last_resorts(&mut self, coded: Encoding, stepped: bool, smallest: (u32, u32)) -> Result<()> {
        self.attempt(coded, smallest)?;
        if self.best.is_none() && stepped {
            self.attempt(coded.at_quality(1), smallest)?;
        }
        Ok(())
    }
}

/// A lossy encoding, and the range of qualities to try.
#[derive(Clone, Copy)]
struct Qualities {
    coded: Encoding,
    lowest: u8,
    highest: u8,
}

/// The logarithm of the bits per pixel for each listed quality, from photos. Other pictures differ mostly by a
/// constant.
fn curve(encoding: Encoding, quality: u32) -> i64 {
    match encoding.has(Traits::PALETTE) {
        true => interpolate(&[(1, 300), (20, 1500), (50, 2000), (100, 2400)], quality),
        false => interpolate(
            &[
                (1, -4200),
                (10, -2700),
                (30, -1500),
                (50, -950),
                (70, -300),
                (80, 150),
                (90, 1000),
                (95, 1650),
                (100, 2800),
            ],
            quality,
        ),
    }
}

/// A size with the shape of `full` whose longer side is `side`.
fn scaled(full: (u32, u32), side: u32) -> (u32, u32) {
    let longer = u64::from(full.0.max(full.1)).max(1);
    let scale = |length: u32| ((u64::from(length) * u64::from(side) + longer / 2) / longer).max(1) as u32;
    (scale(full.0), scale(full.1))
}

fn pixels(size: (u32, u32)) -> u64 {
    u64::from(size.0) * u64::from(size.1)
}

/// The error of a search whose smallest output is over its target.
pub(crate) fn unreachable(target: u64, smallest: u64, lossy: bool, scales: bool) -> Error {
    let advice = match (lossy, scales) {
        (false, _) => "leave out `lossless`, or raise `targetSize`",
        (true, false) => "ask for a smaller size, leave the size open, or raise `targetSize`",
        (true, true) => {
            "raise `targetSize`, choose another type, or leave out the profile with `metadata: \"strip\"`"
        }
    };
    let message = format!("The smallest output has {smallest} bytes, not {target}: {advice}.");
    Error::limit(ErrorCode::TargetUnreachable, message, smallest, target).with_detail("smallest", smallest)
}

#[cfg(test)]
mod tests;
