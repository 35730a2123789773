//! The color stage: the profile is carried; or dropped, because it does not fit the pixels, or is sRGB and cannot be
//! carried; or the pixels are converted to sRGB, which needs the build `full` (`source.rs`). CMYK pixels are converted by
//! their profile, or else by a formula; PQ and HLG become linear light, unless the output says what they are. What a metadata policy
//! keeps is in `metadata/mod.rs`.

use image::DynamicImage;

use crate::formats::Traits;
use crate::formats::decode::{ColorModel, Header};
#[cfg(feature = "full")]
use crate::image::icc_transform;
use crate::image::pad::Padding;
#[cfg(feature = "pictures")]
use crate::metadata::code_points::CodePoints;
use crate::metadata::{self, Metadata};
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;
#[cfg(feature = "full")]
use crate::pixels::hdr_transfer::{self, Curve};
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
    /// The pixels are converted to linear light by their code points, and these and a profile are dropped.
    #[cfg(feature = "pictures")]
    ToLight(CodePoints),
}

impl ProfileAction {
    /// Whether it changes pixels.
    pub(crate) fn converts(self) -> bool {
        !matches!(self, Self::Carried | Self::Dropped)
    }

    /// The header of a file as the stages behind this one see its pixels.
    pub(crate) fn header_of(self, header: Header) -> Header {
        match self {
            #[cfg(feature = "pictures")]
            Self::ToLight(_) => header.as_light(),
            _ => header,
        }
    }
}

/// What is added to a picture: in sRGB.
#[derive(Clone, Copy)]
pub(crate) struct Additions {
    /// Anything at all that is seen.
    #[cfg_attr(not(feature = "pictures"), allow(dead_code))]
    pub(crate) any: bool,
    /// Another color than gray.
    pub(crate) colored: bool,
}

impl Additions {
    #[cfg(feature = "full")]
    pub(crate) const NONE: Self = Self { any: false, colored: false };

    /// A padding, and an overlay that may recolor a gray picture.
    pub(crate) fn of(padding: Option<Padding>, has_overlay: bool, is_recolored: bool) -> Self {
        Self {
            any: has_overlay || padding.is_some_and(|padding| padding.is_seen()),
            colored: is_recolored || padding.is_some_and(|padding| padding.is_colored()),
        }
    }
}

/// Decides what happens to the profile, from the header alone. `output`: what the output can store.
pub(crate) fn profile_action(
    metadata: &Metadata,
    header: &Header,
    output: Traits,
    added: Additions,
) -> ProfileAction {
    #[cfg(feature = "pictures")]
    if let Some(colors) = metadata.code_points.filter(CodePoints::is_hdr)
        && (added.any || !output.has(Traits::CODE_POINTS))
    {
        return ProfileAction::ToLight(colors);
    }
    let Some(icc) = &metadata.icc else { return ProfileAction::Carried };
    if !describes(icc, header.color_model) {
        return ProfileAction::Dropped;
    }
    let is_colored = header.color_model == ColorModel::Gray && added.colored;
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
        #[cfg(feature = "full")]
        ProfileAction::ToLight(colors) => match Curve::of(colors.primaries.into(), colors.transfer.into()) {
            Some(curve) => hdr_transfer::to_light(image, curve),
            None => image,
        },
        #[cfg(all(feature = "pictures", not(feature = "full")))]
        ProfileAction::ToLight(_) => image,
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
