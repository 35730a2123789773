//! Bytes to pixels: what a header says, and the picture itself.
//!
//! A header is read without allocating anything that grows with the image. Pixels are as they are stored: not yet turned
//! upright, in the file's own color space, at 8, 16 or 32 bits a channel.

use filepress_wire::MediaType;
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
#[cfg(feature = "core")]
use crate::formats::image_rs;
use crate::formats::jpeg::decode as jpeg;
#[cfg(feature = "full")]
use crate::formats::{
    avif::decode as avif, dds::decode as dds, exr::decode as exr, hdr::decode as hdr, svg::decode as svg,
    tiff::decode as tiff,
};
use crate::limits::Limits;
use crate::media;
#[cfg(feature = "full")]
use crate::pixels::cmyk::Inks;

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
    match media {
        MediaType::Jpeg => jpeg::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Avif => avif::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Tiff => tiff::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Exr => exr::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Hdr => hdr::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Dds => dds::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Svg => svg::header(bytes),
        #[cfg(feature = "core")]
        _ => image_rs::header(bytes, media),
        #[cfg(not(feature = "core"))]
        _ => Err(not_in_build(media)),
    }
}

/// Decodes the (first) picture. The header has passed the limits before.
#[cfg_attr(not(feature = "core"), allow(unused_variables))]
pub(crate) fn pixels(bytes: &[u8], media: MediaType, limits: &Limits) -> Result<DynamicImage> {
    match media {
        MediaType::Jpeg => jpeg::pixels(bytes, 1),
        #[cfg(feature = "full")]
        MediaType::Avif => avif::pixels(bytes, limits),
        #[cfg(feature = "full")]
        MediaType::Tiff => tiff::pixels(bytes, limits),
        #[cfg(feature = "full")]
        MediaType::Exr => exr::pixels(bytes, limits),
        #[cfg(feature = "full")]
        MediaType::Hdr => hdr::pixels(bytes, limits),
        #[cfg(feature = "full")]
        MediaType::Dds => dds::pixels(bytes, limits),
        #[cfg(feature = "core")]
        _ => image_rs::pixels(bytes, media, limits),
        #[cfg(not(feature = "core"))]
        _ => Err(not_in_build(media)),
    }
}

/// Decodes the picture at 1/`reduction` of its size, each side rounded up: 2, 4 or 8 where the header is reducible, else 1.
pub(crate) fn reduced_pixels(
    bytes: &[u8],
    media: MediaType,
    limits: &Limits,
    reduction: u32,
) -> Result<DynamicImage> {
    match media {
        MediaType::Jpeg => jpeg::pixels(bytes, reduction),
        _ => pixels(bytes, media, limits),
    }
}

/// The inks of a picture whose model is [`ColorModel::Cmyk`]. The header has passed the limits before.
#[cfg(feature = "full")]
pub(crate) fn inks(bytes: &[u8], media: MediaType) -> Result<Inks> {
    match media {
        MediaType::Jpeg => jpeg::inks(bytes),
        other => Err(Error::new(
            ErrorCode::UnsupportedType,
            format!("The inks of {} cannot be read.", other.name()),
        )),
    }
}

/// Whether frames of this type can be read one by one.
pub(crate) fn has_frames(media: MediaType) -> bool {
    matches!(media, MediaType::Gif | MediaType::Webp | MediaType::Png)
}

/// The refusal of a type whose decoder is in a larger build.
pub(crate) fn not_in_build(media: MediaType) -> Error {
    let message = format!("This build cannot read {}.", media.name());
    let error = Error::new(ErrorCode::NotInBuild, message).with_detail("type", media.as_str());
    match media::local_support(media) {
        Some(support) => error.with_detail("build", support.build.as_str()),
        None => error,
    }
}
