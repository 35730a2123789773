//! Decodes files: headers and pixels.
//!
//! Reading a header allocates nothing in proportion to the image. Pixels are as they are stored: not rotated, in the
//! file's color space, with 8, 16 or 32 bits per channel.

use filepress_wire::MediaType;
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::{self, codec_of};
use crate::limits::Limits;
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;

/// The facts about an image before its pixels are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    /// The stored width in pixels.
    pub(crate) width: u32,
    /// The stored height in pixels.
    pub(crate) height: u32,
    /// The number of pictures in the file: frames of an animation or pages of a document. The sizes of an icon count as
    /// one.
    pub(crate) frames: u32,
    /// Whether it is a vector image: its size is a default, and any other is as good.
    pub(crate) scalable: bool,
    /// Whether it can be decoded at 1/2, 1/4 or 1/8 of its size.
    pub(crate) reducible: bool,
    /// Whether the file has an alpha channel or a transparent color.
    pub(crate) has_alpha: bool,
    /// The color model of the stored pixels.
    pub(crate) color_model: ColorModel,
    /// The stored bits per channel. A decoder may reduce them: see [`decoded_depth`](Self::decoded_depth).
    pub(crate) bit_depth: u8,
    /// The bytes of a decoded pixel.
    pub(crate) bytes_per_pixel: u8,
    /// The bytes that the decoder needs beside the result.
    pub(crate) decoder_bytes: u64,
}

impl Header {
    /// The bytes of the pixels, and those that the decoder needs.
    #[cfg(feature = "pictures")]
    pub(crate) fn decoding_bytes(&self) -> u64 {
        bytes_of_pixels((self.width, self.height), self.bytes_per_pixel.into())
            .saturating_add(self.decoder_bytes)
    }

    /// The header of the same picture, converted to linear light: floating-point pixels of color, beside the code values in 16 bits that
    /// they are made of.
    #[cfg(feature = "pictures")]
    pub(crate) fn as_light(self) -> Self {
        let (light, code_values) = if self.has_alpha { (16, 8) } else { (12, 6) };
        Self {
            color_model: ColorModel::Rgb,
            bytes_per_pixel: light,
            decoder_bytes: self.decoder_bytes.max(bytes_of_pixels((self.width, self.height), code_values)),
            ..self
        }
    }

    /// The bits per channel of decoded pixels, or the stored ones if those are fewer.
    pub(crate) fn decoded_depth(&self) -> u8 {
        let colors = if self.color_model == ColorModel::Gray { 1 } else { 3 };
        let is_narrow = self.bytes_per_pixel <= colors + u8::from(self.has_alpha);
        if is_narrow { self.bit_depth.min(8) } else { self.bit_depth }
    }
}

/// What so many bytes for each pixel are in all.
#[cfg(feature = "pictures")]
pub(crate) fn bytes_of_pixels((width, height): (u32, u32), bytes: u64) -> u64 {
    (u64::from(width) * u64::from(height)).saturating_mul(bytes)
}

/// A color model of stored pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColorModel {
    /// Gray.
    Gray,
    /// RGB, or a palette of RGB colors.
    Rgb,
    /// YCbCr.
    Ycbcr,
    /// CMYK, or YCCK.
    Cmyk,
}

/// Reads a header.
pub(crate) fn header(bytes: &[u8], media: MediaType) -> Result<Header> {
    codec_of(media).header.ok_or_else(|| not_in_build(media))?(bytes)
}

/// Decodes the (first) picture. The limits were checked against the header.
#[cfg(feature = "core")]
pub(crate) fn pixels(bytes: &[u8], media: MediaType, limits: &Limits) -> Result<DynamicImage> {
    reduced_pixels(bytes, media, limits, 1)
}

/// Decodes the picture at 1/`reduction` of its size, each side rounded up. 2, 4 or 8 if the header is reducible,
/// otherwise 1.
pub(crate) fn reduced_pixels(
    bytes: &[u8],
    media: MediaType,
    limits: &Limits,
    reduction: u32,
) -> Result<DynamicImage> {
    codec_of(media).pixels.ok_or_else(|| not_in_build(media))?(bytes, reduction, limits)
}

/// The CMYK samples of a picture whose model is [`ColorModel::Cmyk`]. The limits were checked against the header.
#[cfg(feature = "full")]
pub(crate) fn cmyk(bytes: &[u8], media: MediaType) -> Result<Cmyk> {
    let decode = codec_of(media).cmyk.ok_or_else(|| {
        let message = format!("The inks of {} cannot be read.", media.name());
        Error::new(ErrorCode::UnsupportedType, message)
    })?;
    decode(bytes)
}

/// The error for a format whose decoder is in a larger build.
fn not_in_build(media: MediaType) -> Error {
    let message = format!("This build cannot read {}.", media.name());
    let error = Error::new(ErrorCode::NotInBuild, message).with_detail("type", media.as_str());
    match formats::of(media) {
        Some(format) => error.with_detail("build", format.build.as_str()),
        None => error,
    }
}
