//! The color space of decoded pixels in PNG's terms (PNG, third edition, 11.3.2).

use jxl::api::{JxlColorEncoding, JxlColorProfile, JxlPrimaries, JxlTransferFunction, JxlWhitePoint};

/// A color space other than sRGB.
pub(crate) enum Color {
    /// Primaries and transfer characteristics by ITU-T H.273.
    CodePoints(u8, u8),
    /// An ICC profile.
    Profile(Vec<u8>),
}

/// `None` for sRGB, its gray, and what no profile can be made of.
pub(crate) fn of(profile: &JxlColorProfile) -> Option<Color> {
    let srgb = [false, true].map(|gray| JxlColorProfile::Simple(JxlColorEncoding::srgb(gray)));
    if srgb.iter().any(|srgb| srgb.same_color_encoding(profile)) {
        return None;
    }
    match hdr(profile) {
        Some((primaries, transfer)) => Some(Color::CodePoints(primaries, transfer)),
        None => profile.try_as_icc().map(|icc| Color::Profile(icc.into_owned())),
    }
}

/// The code points of PQ and HLG, which a profile only describes for a screen. `None` for others.
fn hdr(profile: &JxlColorProfile) -> Option<(u8, u8)> {
    let transfer = match profile.transfer_function()? {
        JxlTransferFunction::PQ => 16,
        JxlTransferFunction::HLG => 18,
        _ => return None,
    };
    let JxlColorProfile::Simple(encoding) = profile else { return None };
    let primaries = match encoding {
        JxlColorEncoding::RgbColorSpace { white_point: JxlWhitePoint::D65, primaries, .. } => match primaries
        {
            JxlPrimaries::SRGB => 1,
            JxlPrimaries::BT2100 => 9,
            JxlPrimaries::P3 => 12,
            JxlPrimaries::Chromaticities { .. } => return None,
        },
        JxlColorEncoding::GrayscaleColorSpace { white_point: JxlWhitePoint::D65, .. } => 1,
        _ => return None,
    };
    Some((primaries, transfer))
}
