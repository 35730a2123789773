//! Describes an image by its header alone, and checks that all of an image is there.

use filepress_wire::MediaType;
use serde::Serialize;

use crate::error::Result;
use crate::formats::codec_of;
use crate::formats::decode::{self, ColorModel};
#[cfg(feature = "pictures")]
use crate::formats::header_probe;
use crate::formats::metadata;
use crate::formats::{self, Build, Traits};
use crate::limits::Limits;

/// The properties of an image.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// The type, recognized by the content.
    #[serde(rename = "type")]
    pub media: MediaType,
    /// Width in pixels, upright.
    pub width: u32,
    /// Height in pixels, upright.
    pub height: u32,
    /// The number of pictures; more than 1 for animations and pages. The sizes of an icon are one picture.
    pub frames: u32,
    /// Whether there is an alpha channel or a transparent palette entry.
    pub has_alpha: bool,
    /// Bits per channel.
    pub bit_depth: u8,
    /// "gray", "rgb", "ycbcr" or "cmyk".
    pub color_space: &'static str,
    /// EXIF orientation, 1 to 8; 1 is upright.
    pub orientation: u8,
    /// Whether the file carries a color profile.
    pub has_icc_profile: bool,
    /// Whether it is an animation, not a document of several pages.
    pub is_animated: bool,
    /// Whether there is an HDR gain map beside the picture.
    pub has_gain_map: bool,
    /// Whether the metadata has a location.
    pub has_gps: bool,
    /// An estimate of the quality of a lossy encoding, 1 to 100, from its tables. Only of JPEG.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// The smallest build that reads the type.
    pub build: Option<Build>,
}

/// Reads the header of an image of type `media`.
///
/// # Errors
/// [`crate::ErrorCode::InputTooLarge`], [`crate::ErrorCode::Corrupt`], [`crate::ErrorCode::UnsupportedType`]. The
/// limits on pixels do not apply: nothing is decoded.
pub fn inspect(bytes: &[u8], media: MediaType, limits: &Limits) -> Result<Inspection> {
    limits.check_input(bytes.len() as u64)?;
    #[cfg(feature = "pictures")]
    let claimed = header_probe::claimed_header(bytes, media);
    #[cfg(not(feature = "pictures"))]
    let claimed = None;
    let header = match claimed {
        Some(header) => header,
        None => decode::header(bytes, media)?,
    };
    let metadata = metadata::read(bytes, media);
    let orientation = metadata.orientation().to_exif();
    let (width, height) = match orientation {
        5..=8 => (header.height, header.width),
        _ => (header.width, header.height),
    };
    Ok(Inspection {
        media,
        width,
        height,
        frames: header.frames,
        has_alpha: header.has_alpha,
        bit_depth: header.bit_depth,
        color_space: match header.color_model {
            ColorModel::Gray => "gray",
            ColorModel::Rgb => "rgb",
            ColorModel::Ycbcr => "ycbcr",
            ColorModel::Cmyk => "cmyk",
        },
        orientation,
        has_icc_profile: metadata.icc.is_some(),
        is_animated: header.frames > 1 && formats::of(media).is_some_and(|format| format.has(Traits::MOVES)),
        has_gain_map: metadata.gain_map,
        has_gps: metadata.has_gps(),
        quality: (codec_of(media).estimate_quality)(bytes),
        build: formats::of(media).map(|format| format.build),
    })
}

/// Checks that no coded pixels of a JPEG or GIF are missing, for callers that pass the file on without decoding it. Other
/// formats only have their header checked.
///
/// # Errors
/// [`ErrorCode::Corrupt`](crate::ErrorCode::Corrupt) for a file that is truncated or damaged, and the errors of limits that
/// decoding would exceed.
#[cfg(feature = "full")]
pub fn check_complete(bytes: &[u8], media: MediaType, limits: &Limits) -> Result<()> {
    limits.check_input(bytes.len() as u64)?;
    let header = decode::header(bytes, media)?;
    limits.check_pixels("input", header.width, header.height)?;
    limits.check_memory((bytes.len() as u64).saturating_add(header.decoder_bytes))?;
    (codec_of(media).check_complete)(bytes)
}
