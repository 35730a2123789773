//! Colors never shift: a profile that the output can carry stays with its pixels; else the pixels become sRGB.

use image::DynamicImage;

use crate::formats::Traits;
use crate::formats::decode::{ColorModel, Header};
#[cfg(feature = "full")]
use crate::image::icc_transform;
use crate::metadata::{self, Metadata};
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;
use crate::warning::Warning;

/// What becomes of the profile of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProfileAction {
    /// It goes with the pixels, or there is none.
    Carried,
    /// It says nothing about these pixels, or nothing but sRGB: it is left out.
    Dropped,
    /// The pixels are converted to sRGB by it, and it is left out.
    Applied,
}

/// Decides from the header, so that nothing is decoded in vain.
pub(crate) fn profile_action(metadata: &Metadata, header: &Header, output: Traits) -> ProfileAction {
    let Some(icc) = &metadata.icc else { return ProfileAction::Carried };
    if !describes(icc, header.color_model) {
        return ProfileAction::Dropped;
    }
    if output.has(Traits::ICC) && keeps_model(header, output) {
        return ProfileAction::Carried;
    }
    if metadata::is_srgb(icc) {
        return ProfileAction::Dropped;
    }
    ProfileAction::Applied
}

/// Applies what was decided about the profile `icc` to the pixels.
pub(crate) fn settle(
    image: DynamicImage,
    icc: Option<&[u8]>,
    profile_action: ProfileAction,
    warnings: &mut Vec<Warning>,
) -> DynamicImage {
    match profile_action {
        ProfileAction::Carried | ProfileAction::Dropped => image,
        ProfileAction::Applied => apply(image, icc, warnings),
    }
}

/// Cmyk become sRGB by their profile, or by a formula where it is damaged.
#[cfg(feature = "full")]
pub(crate) fn settle_cmyk(inks: &Cmyk, icc: Option<&[u8]>, warnings: &mut Vec<Warning>) -> DynamicImage {
    match icc.and_then(|icc| icc_transform::cmyk_to_srgb(inks, icc)) {
        Some(converted) => {
            warnings.push(converted_warning());
            DynamicImage::ImageRgb8(converted)
        }
        None => DynamicImage::ImageRgb8(inks.without_profile()),
    }
}

#[cfg(feature = "full")]
fn apply(image: DynamicImage, icc: Option<&[u8]>, warnings: &mut Vec<Warning>) -> DynamicImage {
    match icc.and_then(|icc| icc_transform::to_srgb(&image, icc)) {
        Some(converted) => {
            warnings.push(converted_warning());
            converted
        }
        None => image,
    }
}

#[cfg(feature = "full")]
fn converted_warning() -> Warning {
    let message = "The output cannot carry the color profile; the pixels were converted to sRGB.";
    Warning::new("color_converted", message)
}

#[cfg(not(feature = "full"))]
fn apply(image: DynamicImage, _: Option<&[u8]>, _: &mut Vec<Warning>) -> DynamicImage {
    image
}

/// Whether gray stays gray and color stays color. WebP knows color alone, and a background may have one; CMYK is
/// written nowhere.
fn keeps_model(header: &Header, output: Traits) -> bool {
    match header.color_model {
        ColorModel::Rgb | ColorModel::Ycbcr => true,
        ColorModel::Cmyk => false,
        ColorModel::Gray => output.has(Traits::GRAY) && (output.has(Traits::ALPHA) || !header.has_alpha),
    }
}

/// Whether a profile is made for pixels of this model: one for inks says nothing about decoded RGB. The model stands at
/// byte 16 of a profile (ICC.1:2022, 7.2.6).
fn describes(icc: &[u8], model: ColorModel) -> bool {
    matches!(
        (icc.get(16..20), model),
        (Some(b"RGB "), ColorModel::Rgb | ColorModel::Ycbcr)
            | (Some(b"GRAY"), ColorModel::Gray)
            | (Some(b"CMYK"), ColorModel::Cmyk)
    )
}
