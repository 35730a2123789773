//! Describes the gain map of a JPEG for a format that stores the parameters of ISO 21496-1. They are taken from the segment of that
//! standard, else from the XMP of Ultra HDR, else from Apple's headroom.

use crate::formats::codec::GainMapDescription;
use crate::formats::jpeg::gain_map::{apple, find};
use crate::formats::jpeg::metadata::{ISO_GAIN_MAP, read, segments};
use crate::metadata::gain_map_parameters::{Parameters, numbers};

/// Why a map cannot be described.
const DAMAGED: &str = ": its description is damaged";
const OTHER_COLORS: &str = ": it applies in other colors than those of the image";

/// Describes the map of a file.
pub(crate) fn describe(jpeg: &[u8]) -> Result<GainMapDescription, &'static str> {
    let map = find(jpeg).ok_or(DAMAGED)?;
    let iso =
        segments(map).find_map(|(_, payload)| Parameters::from_iso(payload.strip_prefix(ISO_GAIN_MAP)?));
    let xmp = read(map).xmp.unwrap_or_default();
    match iso.or_else(|| Parameters::from_xmp(&xmp)) {
        Some(parameters) if !parameters.uses_base_colors() => Err(OTHER_COLORS),
        Some(parameters) => Ok(GainMapDescription { parameters, curve: None }),
        None => apples(&xmp, jpeg).ok_or(DAMAGED),
    }
}

/// Apple's map contains the linear gain as a share of the headroom, coded with the transfer function of BT.709 (Apple, "Applying
/// Apple HDR effect to your photos").
fn apples(xmp: &[u8], jpeg: &[u8]) -> Option<GainMapDescription> {
    let headroom = match apple::headroom(xmp, jpeg) {
        Some(headroom) => headroom,
        None => *numbers(xmp, "HDRGainMapHeadroom").first()?,
    };
    let stops = libm::log2(headroom);
    let parameters = Parameters::of_stops(stops)?;
    let logarithm = |sample: u8| {
        let coded = f64::from(sample) / 255.0;
        let linear = if coded < 0.081 { coded / 4.5 } else { libm::pow((coded + 0.099) / 1.099, 1.0 / 0.45) };
        let share = libm::log2(1.0 + (headroom - 1.0) * linear) / stops;
        (share * 65_535.0).round() as u16
    };
    Some(GainMapDescription {
        parameters,
        curve: Some(Box::new(std::array::from_fn(|sample| logarithm(sample as u8)))),
    })
}
