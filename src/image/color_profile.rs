//! The color stage: the profile is carried; or dropped, because it does not fit the pixels, or is sRGB and cannot be
//! carried; or the pixels are converted to sRGB, which needs the build `full` (`source.rs`). CMYK pixels are converted by
//! their profile, or else by a formula. What a metadata policy keeps is in `metadata/mod.rs`.

use image::DynamicImage;

use crate::formats::Traits;
use crate::formats::decode::{ColorModel, Header};
#[cfg(feature = "full")]
use crate::image::icc_transform;
use crate::metadata::{self, Metadata};
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;
use crate::warning::Warning;

/// What happens to the color profile of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProfileAction {
    /// The output carries the profile, or the input has none.
    Carried,
    /// The profile is dropped: it does not apply to these pixels, or it is sRGB.
    Dropped,
    /// The pixels are converted to sRGB, and the profile is dropped.
    Applied,
}

/// Decides what happens to the profile, from the header alone. `output`: what the output can store, and whether it is padded with
/// another color than gray.
pub(crate) fn profile_action(metadata: &Metadata, header: &Header, output: (Traits, bool)) -> ProfileAction {
    let (output, is_padded_in_color) = output;
    let Some(icc) = &metadata.icc else { return ProfileAction::Carried };
    if !describes(icc, header.color_model) {
        return ProfileAction::Dropped;
    }
    let is_colored = header.color_model == ColorModel::Gray && is_padded_in_color;
    if output.has(Traits::ICC) && keeps_model(header, output) && !is_colored {
        return ProfileAction::Carried;
    }
    if metadata::is_srgb(icc) {
        return ProfileAction::Dropped;
    }
    ProfileAction::Applied
}

/// Carries out `action` with the profile `icc`.
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

/// Converts CMYK to sRGB by the profile, or by a formula if the profile is damaged.
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

/// Whether the output keeps gray as gray and color as color. WebP stores color only, a background may be colored, and
/// no type is written as CMYK.
fn keeps_model(header: &Header, output: Traits) -> bool {
    match header.color_model {
        ColorModel::Rgb | ColorModel::Ycbcr => true,
        ColorModel::Cmyk => false,
        ColorModel::Gray => output.has(Traits::GRAY) && (output.has(Traits::ALPHA) || !header.has_alpha),
    }
}

/// Whether a profile describes pixels of this color model: a CMYK profile does not apply to decoded RGB. The color
/// space is at byte 16 of a profile (ICC.1:2022, 7.2.6).
fn describes(icc: &[u8], model: ColorModel) -> bool {
    matches!(
        (icc.get(16..20), model),
        (Some(b"RGB "), ColorModel::Rgb | ColorModel::Ycbcr)
            | (Some(b"GRAY"), ColorModel::Gray)
            | (Some(b"CMYK"), ColorModel::Cmyk)
    )
}
