//! The formats that `image` decodes: all formats of `core` except JPEG.

use filepress_wire::MediaType;
use image::error::ImageError;
use image::{DynamicImage, ExtendedColorType, ImageDecoder};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::{ColorModel, Header, bytes_of_pixels};
use crate::limits::Limits;

/// How `image` decodes a format.
pub(crate) struct Reader {
    pub(crate) media: MediaType,
    /// Creates a decoder, which reads the header.
    pub(crate) open: for<'a> fn(&'a [u8]) -> Result<Box<dyn ImageDecoder + 'a>>,
    /// The bytes per pixel that the decoder needs beside the result, without and with alpha.
    pub(crate) decoder_bytes: fn(bool) -> u8,
    /// The frames of an animation. 0 or 1 for a still picture.
    pub(crate) frame_count: fn(&[u8]) -> u32,
}

impl Reader {
    /// Converts the decoder's error.
    pub(crate) fn opened<'a>(
        media: MediaType,
        opened: image::ImageResult<Box<dyn ImageDecoder + 'a>>,
    ) -> Result<Box<dyn ImageDecoder + 'a>> {
        opened.map_err(|cause| error(media, &cause))
    }
}

/// Reads a header.
pub(crate) fn header(bytes: &[u8], reader: &Reader) -> Result<Header> {
    let decoder = (reader.open)(bytes)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(Error::corrupt(reader.media.name(), "it has no pixels"));
    }
    let stored = decoder.original_color_type();
    let decoded = decoder.color_type();
    Ok(Header {
        width,
        height,
        frames: (reader.frame_count)(bytes).max(1),
        scalable: false,
        reducible: false,
        has_alpha: decoded.has_alpha(),
        color_model: if decoded.has_color() { ColorModel::Rgb } else { ColorModel::Gray },
        bit_depth: bit_depth(stored),
        bytes_per_pixel: decoded.bytes_per_pixel(),
        decoder_bytes: bytes_of_pixels((width, height), (reader.decoder_bytes)(decoded.has_alpha()).into()),
    })
}

/// Decodes the (first) picture. The limits were checked against the header.
pub(crate) fn pixels(bytes: &[u8], reader: &Reader, limits: &Limits) -> Result<DynamicImage> {
    let mut decoder = (reader.open)(bytes)?;
    let mut bounds = image::Limits::no_limits();
    bounds.max_alloc = Some(limits.max_memory_bytes);
    let refused = |cause| error(reader.media, &cause);
    decoder.set_limits(bounds).map_err(refused)?;
    DynamicImage::from_decoder(decoder).map_err(refused)
}

/// Erases the type of a decoder.
pub(crate) fn boxed<'a>(decoder: impl ImageDecoder + 'a) -> Box<dyn ImageDecoder + 'a> {
    Box::new(decoder)
}

/// Converts a decoder's error. The memory that it would have needed is unknown; the limit is the caller's.
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
