//! The options that do not apply to the output of a job: ignored with a warning, or refused.

use crate::error::{Error, ErrorCode, Result};
use crate::formats::{Encoding, Traits};
use crate::job::RateControl;
use crate::options::Options;
use crate::value::OrAuto;

/// The options that have no effect on this output. Those of a palette and of chroma are refused if the caller named the output, or
/// wants every pixel.
pub(super) fn of(
    encoding: Encoding,
    rate_control: RateControl,
    options: &Options,
) -> Result<Vec<&'static str>> {
    let scored = matches!(rate_control, RateControl::Score(_));
    let mut ignored = Vec::new();
    let unsearched = options.quality == Some(OrAuto::Auto) && !scored;
    if options.quality.is_some() && (encoding.quality().is_none() || unsearched) {
        ignored.push("quality");
    }
    if options.min_score.is_some() && !scored {
        ignored.push("minScore");
    }
    if encoding.has(Traits::VECTOR) {
        ignored.extend(options.resize.map(|_| "resize"));
        ignored.extend(options.edit.name());
        ignored.extend(options.overlay.as_ref().map(|_| "overlay"));
    }
    let lossless = options.lossless == Some(true);
    for (option, is_given, traits) in [
        ("colors", options.colors.is_some(), Traits::PALETTE),
        ("dither", options.dither.is_some(), Traits::PALETTE),
        ("chroma", options.chroma.is_some(), Traits::CHROMA),
    ] {
        if !is_given || encoding.has(traits) && !lossless {
            continue;
        }
        if lossless || options.to.is_some() {
            let output = if lossless { "a lossless output" } else { encoding.media().name() };
            return Err(meaningless(option, output));
        }
        ignored.push(option);
    }
    Ok(ignored)
}

/// The error for an option that cannot be used for what the caller wants.
pub(super) fn meaningless(option: &'static str, output: &str) -> Error {
    let message = ["options.", option, " has no meaning for ", output, "; leave it out."];
    Error::new(ErrorCode::InvalidOption, message.concat()).with_detail("option", option)
}
