//! The best picture of at most so many bytes, in few encodings: first the highest quality that fits, down to where a
//! picture begins to look poor; then fewer pixels; then, where those must stay, any quality.
//!
//! Sizes are compared as logarithms, in which they are close to straight lines over the number of pixels, and over
//! quality once that is bent by [`curve`]. A size need not grow with the quality everywhere: what is handed back is the
//! best of all that was tried and fits, whatever was expected of it.

use crate::error::{Error, ErrorCode, Result};
use crate::formats::{Encoding, Traits, codec_of};
use crate::image::Encoded;
use crate::image::search::interpolation_search::{Bracket, Point, interpolate};

/// The most encodings of one search.
const MOST_ATTEMPTS: u32 = 14;
/// Of those, the most for the quality at one size.
const QUALITY_ATTEMPTS: u32 = 7;
/// Of those, what is kept for the last resorts: the smallest size, and the lowest quality there.
const LAST_ATTEMPTS: u32 = 2;
/// Quality where none limits it.
const HIGHEST_QUALITY: u8 = 100;
/// The doubling of a number, as a difference of two logarithms.
const OCTAVE: i64 = 1 << 10;
/// A file that is 3 % smaller than the target is not bettered.
const CLOSE: i64 = OCTAVE * 44 / 1000;
/// Nor, after four attempts at one size, one that is 7 % smaller.
const CLOSE_LATE: i64 = OCTAVE * 105 / 1000;
/// Quality is aimed 1 % below the target: a file a little over it is of no use.
const QUALITY_MARGIN: i64 = OCTAVE * 14 / 1000;
/// The number of pixels is aimed 8 % below: the quality takes up the rest, in finer steps.
const PIXELS_MARGIN: i64 = OCTAVE * 120 / 1000;
/// And may end 20 % below.
const CLOSE_PIXELS: i64 = OCTAVE * 320 / 1000;

/// Finds the best picture of at most `target` bytes. `code` codes the picture into a whole file, by an encoding and in an
/// upright size of at most `full`. With `lossy`, the quality may be anything up to that of `encoding`; with `scales`, the
/// size may be anything of the shape of `full`.
///
/// # Errors
/// [`ErrorCode::TargetUnreachable`], whose detail `smallest` is the fewest bytes that were reached; those of `code`.
pub(crate) fn search(
    target: u64,
    lossy: bool,
    scales: bool,
    encoding: Encoding,
    full: (u32, u32),
    code: &mut dyn FnMut(Encoding, (u32, u32)) -> Result<Encoded>,
) -> Result<Encoded> {
    let mut search = Search { target, code, left: MOST_ATTEMPTS, best: None, smallest: u64::MAX };
    search.run(lossy, scales, encoding, full)?;
    match search.best {
        Some((_, made)) => Ok(made),
        None => Err(unreachable(target, search.smallest, lossy, scales)),
    }
}

struct Search<'a> {
    target: u64,
    code: &'a mut dyn FnMut(Encoding, (u32, u32)) -> Result<Encoded>,
    /// Attempts that may still be made.
    left: u32,
    /// The best that fits, by its number of pixels first, then by its quality.
    best: Option<((u64, u8), Encoded)>,
    /// The fewest bytes of all attempts.
    smallest: u64,
}

impl Search<'_> {
    fn run(&mut self, lossy: bool, scales: bool, planned: Encoding, full: (u32, u32)) -> Result<()> {
        let stepped = lossy && planned.has(Traits::STEPS);
        let planned_highest = planned.quality();
        // Below an eighth of a bit a pixel nothing is lossless but what has few colors, which a palette keeps as well.
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

    /// Codes once; keeps the file if it is the best that fits, and tells the logarithm of its bytes.
    fn attempt(&mut self, encoding: Encoding, size: (u32, u32)) -> Result<i64> {
        self.left = self.left.saturating_sub(1);
        let made = (self.code)(encoding, size)?;
        let bytes = made.bytes.len() as u64;
        self.smallest = self.smallest.min(bytes);
        let rank = (pixels(size), encoding.quality().unwrap_or(u8::MAX));
        if bytes <= self.target && self.best.as_ref().is_none_or(|(best, _)| rank > *best) {
            self.best = Some((rank, made));
        }
        // Rounding must not let a file pass that is a byte too long.
        Ok(if bytes > self.target { log2(bytes).max(log2(self.target) + 1) } else { log2(bytes) })
    }

    /// The highest quality that fits at one size. `lowest` is what the lowest was measured at, if it was.
    fn quality(&mut self, qualities: Qualities, size: (u32, u32), lowest: Option<Point>) -> Result<()> {
        let Qualities { coded, lowest: from, highest: to } = qualities;
        let model = |quality| curve(coded, quality);
        let bits_per_pixel = log2(self.target.saturating_mul(8)) - log2(pixels(size));
        let mut bracket = Bracket::new(from.into(), to.into(), log2(self.target));
        if let Some(point) = lowest {
            bracket.add(point);
        }
        for attempt in 1..=QUALITY_ATTEMPTS {
            if self.left <= LAST_ATTEMPTS {
                break;
            }
            let Some(setting) = bracket.next(&model, bits_per_pixel, QUALITY_MARGIN) else { break };
            let value = self.attempt(coded.at_quality(setting as u8), size)?;
            bracket.add(Point { setting, value });
            if bracket.is_close(if attempt < 4 { CLOSE } else { CLOSE_LATE }) {
                break;
            }
        }
        // Nothing is out of reach before the lowest was tried.
        if bracket.below.is_none() && bracket.above.is_some_and(|point| point.setting > from.into()) {
            self.attempt(coded.at_quality(from), size)?;
        }
        Ok(())
    }

    /// Fewer pixels at the lowest quality, then the highest quality that fits there; at last anything at all.
    fn scale(&mut self, qualities: Qualities, stepped: bool, full: (u32, u32)) -> Result<()> {
        let Qualities { coded, lowest, .. } = qualities;
        let (coded, margin, close) = match stepped {
            true => (coded.at_quality(lowest), PIXELS_MARGIN, CLOSE_PIXELS),
            false => (coded, QUALITY_MARGIN, CLOSE),
        };
        let side = full.0.max(full.1);
        // Bytes grow a little slower than pixels.
        let model = |side| log2(pixels(scaled(full, side))) * 7 / 8;
        let mut bracket = Bracket::new(1, side, log2(self.target));
        bracket.add(Point { setting: side, value: log2(self.smallest).max(log2(self.target) + 1) });
        while self.left > LAST_ATTEMPTS && !bracket.is_close(close) {
            let Some(setting) = bracket.next(&model, 0, margin) else { break };
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

/// A lossy coding, and the qualities that are tried.
#[derive(Clone, Copy)]
struct Qualities {
    coded: Encoding,
    lowest: u8,
    highest: u8,
}

/// The logarithm of the bits of a pixel, for each quality of this list: of photos, from which others differ mostly by a
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

/// A size of the shape of `full` whose longer side is `side`.
fn scaled(full: (u32, u32), side: u32) -> (u32, u32) {
    let longer = u64::from(full.0.max(full.1)).max(1);
    let scale = |length: u32| ((u64::from(length) * u64::from(side) + longer / 2) / longer).max(1) as u32;
    (scale(full.0), scale(full.1))
}

fn pixels(size: (u32, u32)) -> u64 {
    u64::from(size.0) * u64::from(size.1)
}

/// The binary logarithm of a number of at least 1, in 1/1024, rounded down: by squaring, one bit of the fraction at a time.
fn log2(number: u64) -> i64 {
    let number = number.max(1);
    let whole = number.ilog2();
    let mut mantissa = (number << (63 - whole)) >> 32;
    let mut log = i64::from(whole);
    for _ in 0..OCTAVE.ilog2() {
        mantissa = (mantissa * mantissa) >> 31;
        let bit = mantissa >> 32;
        mantissa >>= bit;
        log = log << 1 | bit as i64;
    }
    log
}

fn unreachable(target: u64, smallest: u64, lossy: bool, scales: bool) -> Error {
    let advice = match (lossy, scales) {
        (false, _) => "leave out `lossless`, or raise `targetSize`",
        (true, false) => "ask for a smaller size, leave the size open, or raise `targetSize`",
        (true, true) => {
            "raise `targetSize`, choose another type, or leave out the profile with `metadata: \"strip\"`"
        }
    };
    let message = format!("The fewest bytes that were reached are {smallest}, not {target}: {advice}.");
    Error::limit(ErrorCode::TargetUnreachable, message, smallest, target).with_detail("smallest", smallest)
}

#[cfg(test)]
mod tests;
