//! Bytes to pixels: what a header says, and the picture itself.
//!
//! A header is read without allocating anything that grows with the image. Pixels are as they are stored: not yet turned
//! upright, in the file's own colour space, at 8, 16 or 32 bits a channel.

#[cfg(feature = "full")]
mod avif;
mod claimed;
#[cfg(feature = "full")]
pub(super) mod dds;
#[cfg(feature = "full")]
mod exr;
mod frames;
#[cfg(feature = "full")]
pub(super) mod hdr;
pub(super) mod ico;
#[cfg(feature = "full")]
mod inks;
mod jpeg;
#[cfg(feature = "full")]
pub(super) mod svg;
#[cfg(feature = "full")]
pub(super) mod tiff;

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::{bmp, farbfeld, gif, png, pnm, qoi, tga, webp};
use image::error::ImageError;
use image::{DynamicImage, ExtendedColorType, ImageDecoder};

use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;

pub(super) use claimed::{claimed_header, claimed_size};
#[cfg(feature = "full")]
pub(super) use inks::Inks;

/// What is known of an image before its pixels are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    /// Width as stored, in pixels.
    pub(super) width: u32,
    /// Height as stored, in pixels.
    pub(super) height: u32,
    /// Pictures in the file: frames of an animation, pages of a document; the sizes of an icon count as one.
    pub(super) frames: u32,
    /// It is a drawing rather than pixels: its size is what it asks for, and any other is as good.
    pub(super) scalable: bool,
    /// It can be decoded at a half, a quarter or an eighth of its size.
    pub(super) reducible: bool,
    /// The file has an alpha channel or a transparent colour.
    pub(super) has_alpha: bool,
    /// The model of the stored colours.
    pub(super) colour_model: ColourModel,
    /// Bits a channel, as stored.
    pub(super) bit_depth: u8,
    /// Bytes of a decoded pixel.
    pub(super) bytes_per_pixel: u8,
    /// Bytes that the decoder needs for a pixel beside those of the result.
    pub(super) decoder_bytes_per_pixel: u8,
}

/// The model of stored colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColourModel {
    /// Shades of grey.
    Grey,
    /// Red, green and blue, or an index of such colours.
    Rgb,
    /// Luma and chroma.
    Ycbcr,
    /// Inks, alone or as luma and chroma with black.
    Cmyk,
}

/// Reads a header.
pub(super) fn header(bytes: &[u8], media: MediaType) -> Result<Header> {
    match media {
        MediaType::Jpeg => return jpeg::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Avif => return avif::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Tiff => return tiff::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Exr => return exr::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Hdr => return hdr::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Dds => return dds::header(bytes),
        #[cfg(feature = "full")]
        MediaType::Svg => return svg::header(bytes),
        _ => {}
    }
    let decoder = open(bytes, media)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(Error::corrupt(media.name(), "it has no pixels"));
    }
    let stored = decoder.original_color_type();
    let decoded = decoder.color_type();
    Ok(Header {
        width,
        height,
        frames: frames::count(bytes, media),
        scalable: false,
        reducible: false,
        has_alpha: decoded.has_alpha(),
        colour_model: if decoded.has_color() { ColourModel::Rgb } else { ColourModel::Grey },
        bit_depth: bit_depth(stored),
        bytes_per_pixel: decoded.bytes_per_pixel(),
        decoder_bytes_per_pixel: match media {
            MediaType::Webp | MediaType::Gif => 4,
            MediaType::Farbfeld => 2,
            _ => 1,
        },
    })
}

/// Decodes the (first) picture. The header has passed the limits before.
pub(super) fn pixels(bytes: &[u8], media: MediaType, limits: &Limits) -> Result<DynamicImage> {
    match media {
        MediaType::Jpeg => return jpeg::pixels(bytes, 1),
        #[cfg(feature = "full")]
        MediaType::Avif => return avif::pixels(bytes, limits),
        #[cfg(feature = "full")]
        MediaType::Tiff => return tiff::pixels(bytes, limits),
        #[cfg(feature = "full")]
        MediaType::Exr => return exr::pixels(bytes, limits),
        #[cfg(feature = "full")]
        MediaType::Hdr => return hdr::pixels(bytes, limits),
        #[cfg(feature = "full")]
        MediaType::Dds => return dds::pixels(bytes, limits),
        _ => {}
    }
    let mut decoder = open(bytes, media)?;
    let mut bounds = image::Limits::no_limits();
    bounds.max_alloc = Some(limits.max_memory_bytes);
    decoder.set_limits(bounds).map_err(|cause| error(media, &cause))?;
    DynamicImage::from_decoder(decoder).map_err(|cause| error(media, &cause))
}

/// Decodes the picture at 1/`reduction` of its size, each side rounded up: 2, 4 or 8 where the header is reducible, else 1.
pub(super) fn reduced_pixels(
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

/// The inks of a picture whose model is [`ColourModel::Cmyk`]. The header has passed the limits before.
#[cfg(feature = "full")]
pub(super) fn inks(bytes: &[u8], media: MediaType) -> Result<Inks> {
    match media {
        MediaType::Jpeg => jpeg::inks(bytes),
        other => Err(Error::new(
            ErrorCode::UnsupportedType,
            format!("The inks of {} can not be read.", other.name()),
        )),
    }
}

fn open<'a>(bytes: &'a [u8], media: MediaType) -> Result<Box<dyn ImageDecoder + 'a>> {
    let reader = Cursor::new(bytes);
    let opened: image::ImageResult<Box<dyn ImageDecoder + 'a>> = match media {
        MediaType::Png => png::PngDecoder::new(reader).map(boxed),
        MediaType::Webp => webp::WebPDecoder::new(reader).map(boxed),
        MediaType::Gif => gif::GifDecoder::new(reader).map(boxed),
        MediaType::Bmp => bmp::BmpDecoder::new(reader).map(boxed),
        MediaType::Ico => return ico::open(bytes),
        MediaType::Pnm => pnm::PnmDecoder::new(reader).map(boxed),
        MediaType::Tga => tga::TgaDecoder::new(reader).map(boxed),
        MediaType::Qoi => qoi::QoiDecoder::new(reader).map(boxed),
        MediaType::Farbfeld => farbfeld::FarbfeldDecoder::new(reader).map(boxed),
        other => {
            return Err(Error::new(
                ErrorCode::NotInBuild,
                format!("This build can not read {}.", other.name()),
            )
            .with_detail("type", other.as_str()));
        }
    };
    opened.map_err(|cause| error(media, &cause))
}

fn boxed<'a>(decoder: impl ImageDecoder + 'a) -> Box<dyn ImageDecoder + 'a> {
    Box::new(decoder)
}

/// A decoder's refusal in our terms. What a decoder would have needed is not told; the limit is the caller's own.
fn error(media: MediaType, cause: &ImageError) -> Error {
    match cause {
        ImageError::Unsupported(cause) => Error::new(
            ErrorCode::UnsupportedType,
            format!("This variant of {} can not be read: {cause}.", media.name()),
        )
        .with_detail("type", media.as_str())
        .with_detail("name", media.name()),
        ImageError::Limits(cause) => Error::new(
            ErrorCode::TooMuchMemory,
            format!("The image needs more memory than is allowed: {cause}."),
        ),
        other => Error::corrupt(media.name(), other),
    }
}

fn bit_depth(stored: ExtendedColorType) -> u8 {
    match stored {
        ExtendedColorType::L1
        | ExtendedColorType::La1
        | ExtendedColorType::Rgb1
        | ExtendedColorType::Rgba1 => 1,
        ExtendedColorType::L2
        | ExtendedColorType::La2
        | ExtendedColorType::Rgb2
        | ExtendedColorType::Rgba2 => 2,
        ExtendedColorType::L4
        | ExtendedColorType::La4
        | ExtendedColorType::Rgb4
        | ExtendedColorType::Rgba4 => 4,
        ExtendedColorType::Rgb5x1 => 5,
        ExtendedColorType::L16
        | ExtendedColorType::La16
        | ExtendedColorType::Rgb16
        | ExtendedColorType::Rgba16 => 16,
        ExtendedColorType::Rgb32F | ExtendedColorType::Rgba32F => 32,
        _ => 8,
    }
}
