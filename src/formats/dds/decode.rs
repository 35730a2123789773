//! DDS by `filepress-dds`: the first surface of the file. For a cube map that is the first face, for a volume the first
//! slice.
//!
//! Integer samples are display-encoded, whether the file declares sRGB or not, because most files declare nothing.
//! Floating-point samples are linear light.

use filepress_dds::{Channels, Error as DdsError, File, Samples};
use filepress_wire::MediaType;
use image::{DynamicImage, ImageBuffer};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::{ColorModel, Header, bytes_of_pixels};
use crate::limits::Limits;
use crate::pixels::linear_light;

/// The bits per channel are those of the decoded pixels, 8 or 16, for formats with fewer than 8 bits and for formats
/// that are decoded with less.
pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let file = File::new(bytes).map_err(error)?;
    let sample_bytes = file.depth().bytes() as u8;
    Ok(Header {
        width: file.width(),
        height: file.height(),
        frames: file.pictures(),
        scalable: false,
        reducible: false,
        has_alpha: file.channels() == Channels::Rgba,
        color_model: match file.channels() {
            Channels::Gray => ColorModel::Gray,
            _ => ColorModel::Rgb,
        },
        bit_depth: 8 * sample_bytes,
        bytes_per_pixel: sample_bytes * file.channels().count() as u8,
        // Pixels are decoded in place.
        decoder_bytes: bytes_of_pixels((file.width(), file.height()), 1),
    })
}

/// Whether a file contains more than one surface: faces, slices, array elements or mipmaps.
pub(crate) fn is_set(bytes: &[u8]) -> bool {
    File::new(bytes).is_ok_and(|file| file.mipmaps() > 1 || file.pictures() > 1)
}

/// The first surface at full size.
pub(crate) fn pixels(bytes: &[u8], limits: &Limits) -> Result<DynamicImage> {
    let file = File::new(bytes).map_err(error)?;
    let (width, height) = (file.width(), file.height());
    let samples = file.decode(limits.max_memory_bytes).map_err(error)?;
    match (samples, file.channels()) {
        (Samples::U8(samples), Channels::Gray) => {
            ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageLuma8)
        }
        (Samples::U8(samples), Channels::Rgb) => {
            ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageRgb8)
        }
        (Samples::U8(samples), Channels::Rgba) => {
            ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageRgba8)
        }
        (Samples::U16(samples), Channels::Gray) => {
            ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageLuma16)
        }
        (Samples::U16(samples), Channels::Rgb) => {
            ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageRgb16)
        }
        (Samples::U16(samples), Channels::Rgba) => {
            ImageBuffer::from_raw(width, height, samples).map(DynamicImage::ImageRgba16)
        }
        (Samples::F32(light), Channels::Rgba) => {
            let mut light = finite(light);
            light.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = alpha.clamp(0.0, 1.0));
            ImageBuffer::from_raw(width, height, light).map(DynamicImage::ImageRgba32F)
        }
        (Samples::F32(light), _) => {
            ImageBuffer::from_raw(width, height, finite(light)).map(DynamicImage::ImageRgb32F)
        }
    }
    .ok_or_else(|| Error::corrupt("DDS", "it has no pixels"))
}

fn finite(mut light: Vec<f32>) -> Vec<f32> {
    light.iter_mut().for_each(|light| *light = linear_light::finite(*light));
    light
}

fn error(cause: DdsError) -> Error {
    match cause {
        DdsError::Unsupported(_) => {
            Error::new(ErrorCode::UnsupportedType, format!("This variant of DDS cannot be read: {cause}."))
                .with_detail("type", MediaType::Dds.as_str())
                .with_detail("name", MediaType::Dds.name())
        }
        DdsError::TooMuchMemory => {
            Error::new(ErrorCode::TooMuchMemory, "The image needs more memory than is allowed.")
        }
        other => Error::corrupt("DDS", other),
    }
}

#[cfg(test)]
mod tests;
