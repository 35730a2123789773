//! Bytes to pixels: what a header says, and the picture itself.
//!
//! A header is read without allocating anything that grows with the image. Pixels are as they are stored: not yet turned
//! upright, in the file's own color space, at 8, 16 or 32 bits a channel.

use filepress_wire::MediaType;
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::{self, codec_of};
use crate::limits::Limits;
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;

/// What is known of an image before its pixels are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    /// Width as stored, in pixels.
    pub(crate) width: u32,
    /// Height as stored, in pixels.
    pub(crate) height: u32,
    /// Pictures in the file: frames of an animation, pages of a document; the sizes of an icon count as one.
    pub(crate) frames: u32,
    /// It is a drawing rather than pixels: its size is what it asks for, and any other is as good.
    pub(crate) scalable: bool,
    /// It can be decoded at a half, a quarter or an eighth of its size.
    pub(crate) reducible: bool,
    /// The file has an alpha channel or a transparent color.
    pub(crate) has_alpha: bool,
    /// The model of the stored colors.
    pub(crate) color_model: ColorModel,
    /// Bits a channel, as stored.
    pub(crate) bit_depth: u8,
    /// Bytes of a decoded pixel.
    pub(crate) bytes_per_pixel: u8,
    /// Bytes that the decoder needs for a pixel beside those of the result.
    pub(crate) decoder_bytes_per_pixel: u8,
}

/// The model of stored colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColorModel {
    /// Shades of gray.
    Gray,
    /// Red, green and blue, or an index of such colors.
    Rgb,
    /// Luma and chroma.
    Ycbcr,
    /// Inks, alone or as luma and chroma with black.
    Cmyk,
}

/// Reads a header.
pub(crate) fn header(bytes: &[u8], media: MediaType) -> Result<Header> {
    codec_of(media).header.ok_or_else(|| not_in_build(media))?(bytes)
}

/// Decodes the (first) picture. The header has passed the limits before.
#[cfg(feature = "core")]
pub(crate) fn pixels(bytes: &[u8], media: MediaType, limits: &Limits) -> Result<DynamicImage> {
    reduced_pixels(bytes, media, limits, 1)
}

/// Decodes the picture at 1/`reduction` of its size, each side rounded up: 2, 4 or 8 where the header is reducible, else 1.
pub(crate) fn reduced_pixels(
    bytes: &[u8],
    media: MediaType,
    limits: &Limits,
    reduction: u32,
) -> Result<DynamicImage> {
    codec_of(media).pixels.ok_or_else(|| not_in_build(media))?(bytes, reduction, limits)
}

/// The inks of a picture whose model is [`ColorModel::Cmyk`]. The header has passed the limits before.
#[cfg(feature = "full")]
pub(crate) fn cmyk(bytes: &[u8], media: MediaType) -> Result<Cmyk> {
    let decode = codec_of(media).cmyk.ok_or_else(|| {
        let message = format!("The inks of {} cannot be read.", media.name());
        Error::new(ErrorCode::UnsupportedType, message)
    })?;
    decode(bytes)
}

/// The refusal of a type whose decoder is in a larger build.
fn not_in_build(media: MediaType) -> Error {
    let message = format!("This build cannot read {}.", media.name());
    let error = Error::new(ErrorCode::NotInBuild, message).with_detail("type", media.as_str());
    match formats::of(media) {
        Some(format) => error.with_detail("build", format.build.as_str()),
        None => error,
    }
}
