//! The search by score: the lowest quality that reaches it. Each step encodes, decodes and compares the whole picture.

use image::DynamicImage;

use crate::error::Result;
use crate::formats::decode;
use crate::formats::{Encoding, Traits};
use crate::image::Encoded;
use crate::image::metric::ScoreReference;
use crate::image::search::interpolation_search::{Bracket, Point, interpolate};
use crate::limits::Limits;
use crate::warning::Warning;

/// The most steps of a search.
const MOST_ATTEMPTS: u32 = 8;
const HIGHEST_QUALITY: u32 = 100;
/// Scores are compared in thousandths, rounded down.
const UNIT: f64 = 1000.0;

/// Finds the smallest file whose score against `picture` is at least `least`. `code` encodes the picture.
///
/// If no quality reaches the score, PNG becomes lossless, unless its colors are limited; other types are encoded at the highest quality, with the
/// warning `score_unreached`.
///
/// # Errors
/// The errors of `code`, and of decoding its result.
pub(crate) fn search(
    picture: &DynamicImage,
    least: f64,
    encoding: Encoding,
    code: &mut dyn FnMut(Encoding, (u32, u32)) -> Result<Encoded>,
) -> Result<Encoded> {
    let size = (picture.width(), picture.height());
    let scorer = ScoreReference::for_search(picture);
    let wanted = (least * UNIT).ceil() as i64;
    let mut bracket = Bracket::new(1, HIGHEST_QUALITY, wanted - 1);
    let (mut smallest, mut best): (Option<Encoded>, Option<Encoded>) = (None, None);
    for attempt in 1..=MOST_ATTEMPTS {
        let Some(next) = bracket.next(&mut curve, wanted, 0) else { break };
        // Only the highest quality shows whether any quality reaches the score.
        let setting = if attempt == MOST_ATTEMPTS && smallest.is_none() { HIGHEST_QUALITY } else { next };
        let mut made = code(encoding.at_quality(setting as u8), size)?;
        let score = scorer.score(decode::pixels(&made.bytes, encoding.media(), &unlimited())?);
        let value = (score * UNIT).floor() as i64;
        bracket.add(Point { setting, value });
        made.score = Some(value as f64 / UNIT);
        let reached = value >= wanted;
        let kept = if reached { &mut smallest } else { &mut best };
        let is_better = |than: &Encoded| match reached {
            true => made.bytes.len() < than.bytes.len(),
            false => made.score > than.score,
        };
        if kept.as_ref().is_none_or(is_better) {
            *kept = Some(made);
        }
    }
    if encoding.has(Traits::LOSSLESS.and(Traits::PALETTE)) && encoding.colors().is_none() {
        // A palette with dithering can take more bytes than the exact colors.
        let lossless = code(encoding.without_loss(), size)?;
        return Ok(match smallest {
            Some(made) if made.bytes.len() < lossless.bytes.len() => made,
            _ => Encoded { score: Some(100.0), ..lossless },
        });
    }
    match (smallest, best) {
        (Some(made), _) => Ok(made),
        (None, Some(mut made)) => {
            let message = format!(
                "No quality reaches the score {least}; the output has the highest score that was found."
            );
            made.warnings.push(Warning::new("score_unreached", message));
            Ok(made)
        }
        (None, None) => code(encoding, size),
    }
}

/// Limits for files that were encoded from pixels that already passed the limits.
fn unlimited() -> Limits {
    Limits { max_input_bytes: u64::MAX, max_pixels: u64::MAX, max_memory_bytes: u64::MAX }
}

/// The expected score of a quality, in thousandths, for photos.
fn curve(quality: u32) -> i64 {
    interpolate(
        &[(1, -40_000), (10, 15_000), (30, 50_000), (50, 63_000), (75, 75_000), (90, 85_000), (100, 95_000)],
        quality,
    )
}
