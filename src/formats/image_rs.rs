//! The types that `image` decodes: all of `core` but JPEG.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::{bmp, farbfeld, gif, png, pnm, qoi, tga, webp};
use image::error::ImageError;
use image::{DynamicImage, ExtendedColorType, ImageDecoder};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::{self, ColorModel, Header};
use crate::formats::frame_count as frames;
use crate::formats::header_probe::claimed_size;
use crate::formats::ico::decode as ico;
use crate::formats::webp::decode::is_within;
use crate::limits::Limits;
use crate::metadata::MAX_UNFOLDED;

/// Reads a header.
pub(crate) fn header(bytes: &[u8], media: MediaType) -> Result<Header> {
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
        color_model: if decoded.has_color() { ColorModel::Rgb } else { ColorModel::Gray },
        bit_depth: bit_depth(stored),
        bytes_per_pixel: decoded.bytes_per_pixel(),
        decoder_bytes_per_pixel: match media {
            // Of a lossy one, alpha is coded as pixels of its own.
            MediaType::Webp if decoded.has_alpha() => 7,
            MediaType::Webp => 5,
            MediaType::Gif => 4,
            MediaType::Farbfeld => 2,
            _ => 1,
        },
    })
}

/// Decodes the (first) picture. The header has passed the limits before.
pub(crate) fn pixels(bytes: &[u8], media: MediaType, limits: &Limits) -> Result<DynamicImage> {
    let mut decoder = open(bytes, media)?;
    let mut bounds = image::Limits::no_limits();
    bounds.max_alloc = Some(limits.max_memory_bytes);
    decoder.set_limits(bounds).map_err(|cause| error(media, &cause))?;
    DynamicImage::from_decoder(decoder).map_err(|cause| error(media, &cause))
}

fn open<'a>(bytes: &'a [u8], media: MediaType) -> Result<Box<dyn ImageDecoder + 'a>> {
    let reader = Cursor::new(bytes);
    let opened: image::ImageResult<Box<dyn ImageDecoder + 'a>> = match media {
        MediaType::Png => open_png(bytes).map(boxed),
        MediaType::Webp => match webp::WebPDecoder::new(reader) {
            Ok(decoder) if !is_within(bytes, decoder.dimensions()) => {
                return Err(Error::corrupt(media.name(), "its pixels reach beyond the canvas"));
            }
            opened => opened.map(boxed),
        },
        MediaType::Gif => gif::GifDecoder::new(reader).map(boxed),
        MediaType::Bmp => bmp::BmpDecoder::new(reader).map(boxed),
        MediaType::Ico => return ico::open(bytes),
        MediaType::Pnm => pnm::PnmDecoder::new(reader).map(boxed),
        MediaType::Tga => tga::TgaDecoder::new(reader).map(boxed),
        MediaType::Qoi => qoi::QoiDecoder::new(reader).map(boxed),
        MediaType::Farbfeld => farbfeld::FarbfeldDecoder::new(reader).map(boxed),
        other => return Err(decode::not_in_build(other)),
    };
    opened.map_err(|cause| error(media, &cause))
}

/// A decoder of PNG, held to what its chunks take as they are, a row, and a profile of [`MAX_UNFOLDED`] bytes; a larger one is as
/// absent.
pub(crate) fn open_png(bytes: &[u8]) -> image::ImageResult<png::PngDecoder<Cursor<&[u8]>>> {
    let (width, _) = claimed_size(bytes, MediaType::Png).unwrap_or_default();
    let mut bounds = image::Limits::no_limits();
    bounds.max_alloc = Some(4 * bytes.len() as u64 + 16 * u64::from(width) + MAX_UNFOLDED as u64);
    png::PngDecoder::with_limits(Cursor::new(bytes), bounds)
}

fn boxed<'a>(decoder: impl ImageDecoder + 'a) -> Box<dyn ImageDecoder + 'a> {
    Box::new(decoder)
}

/// A decoder's refusal in our terms. What a decoder would have needed is not told; the limit is the caller's own.
fn error(media: MediaType, cause: &ImageError) -> Error {
    match cause {
        ImageError::Unsupported(cause) => Error::new(
            ErrorCode::UnsupportedType,
            format!("This variant of {} cannot be read: {cause}.", media.name()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use image::{ExtendedColorType, ImageEncoder};

    #[test]
    fn a_profile_that_unfolds_without_end_is_as_absent() {
        for (size, is_there) in [(1 << 16, true), (2 * MAX_UNFOLDED, false)] {
            let mut file = Vec::new();
            let mut encoder = png::PngEncoder::new(&mut file);
            encoder.set_icc_profile(vec![0; size]).expect("a profile");
            encoder.write_image(&[1, 2, 3], 1, 1, ExtendedColorType::Rgb8).expect("a PNG");
            let mut decoder = open(&file, MediaType::Png).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(decoder.icc_profile().expect("chunks").is_some(), is_there, "{size} bytes");
            assert!(pixels(&file, MediaType::Png, &Limits::default()).is_ok());
        }
    }
}
