//! Determines the encoding of an output from the options and the defaults of its format.

use filepress_wire::MediaType;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::{Encoding, Format, Traits};
use crate::options::Options;
use crate::value::OrAuto;

/// The quality at which a search begins.
const HIGHEST_QUALITY: u8 = 100;
/// The default effort.
pub const DEFAULT_EFFORT: u8 = 4;

/// Determines the settings of the output's format.
pub(super) fn planned(input: MediaType, format: &'static Format, options: &Options) -> Result<Encoding> {
    let lossless = options.lossless == Some(true);
    let is_same_picture = input == format.media && options.resize.is_none() && options.overlay.is_none();
    let is_transcoded = format.has(Traits::TRANSCODE) && is_same_picture;
    if lossless && !format.lossless_refusal.is_empty() && !is_transcoded {
        return Err(Error::new(ErrorCode::LosslessUnsupported, format.lossless_refusal));
    }
    if format.has(Traits::VECTOR) && input != format.media {
        let message = format!(
            "{} is made of pixels, which do not become a drawing; write PNG, WebP or AVIF.",
            input.name()
        );
        return Err(
            Error::new(ErrorCode::UnsupportedOutput, message).with_detail("type", format.media.as_str())
        );
    }
    let has_palette = format.has(Traits::PALETTE) && (options.colors.is_some() || options.dither.is_some());
    // Where no quality can be found by a score, `"auto"` is ignored.
    let asked = options.quality.filter(|&quality| quality != OrAuto::Auto || format.has(Traits::AUTO));
    let given = match asked {
        Some(OrAuto::Value(quality)) => Some(quality),
        Some(OrAuto::Auto) => Some(HIGHEST_QUALITY),
        None => (has_palette || options.target_size.is_some()).then_some(HIGHEST_QUALITY),
    };
    let encoding = Encoding::lossless(format, options.effort.unwrap_or(DEFAULT_EFFORT))
        .with_palette(options.colors, options.dither.unwrap_or(1.0))
        .with_chroma(options.chroma);
    // A format without a default quality is lossless unless an option asks for lossy encoding. With a target size,
    // lossless is tried first.
    let quality = match format.default_quality {
        0 => given.filter(|_| has_palette || asked.is_some()),
        default => Some(given.unwrap_or(default)),
    };
    Ok(match quality.filter(|_| !lossless) {
        Some(quality) => encoding.at_quality(quality),
        None => encoding,
    })
}
