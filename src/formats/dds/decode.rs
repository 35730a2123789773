//! DDS by the `dds` crate: the first surface of the file. For a cube map that is the first face, for a volume the first
//! slice.
//!
//! Integer samples are display-encoded, whether the file declares sRGB or not, because most files declare nothing.
//! Floating-point samples are linear light.

use std::io::Cursor;

use ::dds::header::{AlphaMode, Header as DdsHeader};
use ::dds::{
    Channels, ColorFormat, DataLayout, Decoder, DecodingError, ImageViewMut, PixelInfo, Precision, Size,
};
use filepress_wire::MediaType;
use image::{DynamicImage, GrayImage, ImageBuffer, RgbImage, RgbaImage};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::{ColorModel, Header};
use crate::limits::Limits;

/// The bits per channel are those of the decoded pixels, 8 or 16, for formats with fewer than 8 bits and for formats
/// that are decoded with less.
pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let decoder = open(bytes)?;
    let Size { width, height } = decoder.main_size();
    let color = target(&decoder);
    Ok(Header {
        width,
        height,
        frames: pictures(&decoder.layout()),
        scalable: false,
        reducible: false,
        has_alpha: color.channels == Channels::Rgba,
        color_model: match color.channels {
            Channels::Grayscale => ColorModel::Gray,
            _ => ColorModel::Rgb,
        },
        bit_depth: 8 * color.precision.size(),
        bytes_per_pixel: color.bytes_per_pixel(),
        // 8-bit formats are decoded in place.
        decoder_bytes_per_pixel: if color.precision == Precision::U8 { 1 } else { color.bytes_per_pixel() },
    })
}

/// Whether a file contains more than one surface: faces, slices, array elements or mipmaps.
pub(crate) fn is_set(bytes: &[u8]) -> bool {
    open(bytes)
        .is_ok_and(|decoder| decoder.header().mipmap_count().get() > 1 || pictures(&decoder.layout()) > 1)
}

/// The first surface at full size.
pub(crate) fn pixels(bytes: &[u8], limits: &Limits) -> Result<DynamicImage> {
    let mut decoder = open(bytes)?;
    let size = decoder.main_size();
    let stored = PixelInfo::from(decoder.format()).surface_bytes(size);
    if stored.is_none_or(|stored| stored > bytes.len() as u64) {
        return Err(Error::corrupt("DDS", "it ends too soon"));
    }
    decoder.options.memory_limit = usize::try_from(limits.max_memory_bytes).unwrap_or(usize::MAX);
    match target(&decoder) {
        ColorFormat::GRAYSCALE_U8 => surface(&mut decoder, ColorFormat::GRAYSCALE_U8)
            .map(|pixels| GrayImage::from_raw(size.width, size.height, pixels).map(DynamicImage::from)),
        ColorFormat::RGB_U8 => surface(&mut decoder, ColorFormat::RGB_U8)
            .map(|pixels| RgbImage::from_raw(size.width, size.height, pixels).map(DynamicImage::from)),
        ColorFormat::GRAYSCALE_U16 => surface(&mut decoder, ColorFormat::GRAYSCALE_U16).map(|pixels| {
            ImageBuffer::from_raw(size.width, size.height, wide(&pixels)).map(DynamicImage::ImageLuma16)
        }),
        ColorFormat::RGB_U16 => surface(&mut decoder, ColorFormat::RGB_U16).map(|pixels| {
            ImageBuffer::from_raw(size.width, size.height, wide(&pixels)).map(DynamicImage::ImageRgb16)
        }),
        ColorFormat::RGBA_U16 => surface(&mut decoder, ColorFormat::RGBA_U16).map(|pixels| {
            ImageBuffer::from_raw(size.width, size.height, wide(&pixels)).map(DynamicImage::ImageRgba16)
        }),
        ColorFormat::RGB_F32 => surface(&mut decoder, ColorFormat::RGB_F32).map(|pixels| {
            ImageBuffer::from_raw(size.width, size.height, light(&pixels)).map(DynamicImage::ImageRgb32F)
        }),
        ColorFormat::RGBA_F32 => surface(&mut decoder, ColorFormat::RGBA_F32).map(|pixels| {
            ImageBuffer::from_raw(size.width, size.height, light(&pixels)).map(DynamicImage::ImageRgba32F)
        }),
        _ => surface(&mut decoder, ColorFormat::RGBA_U8)
            .map(|pixels| RgbaImage::from_raw(size.width, size.height, pixels).map(DynamicImage::from)),
    }?
    .ok_or_else(|| Error::corrupt("DDS", "it has no pixels"))
}

fn open(bytes: &[u8]) -> Result<Decoder<Cursor<&[u8]>>> {
    let options = ::dds::header::ParseOptions::new_permissive(Some(bytes.len() as u64));
    Decoder::new_with_options(Cursor::new(bytes), &options).map_err(error)
}

/// The pixel format to decode to: the file's own, or the next that is supported.
fn target(decoder: &Decoder<Cursor<&[u8]>>) -> ColorFormat {
    let ColorFormat { channels, precision } = decoder.native_color();
    let channels = match channels {
        Channels::Rgba if is_opaque(decoder.header()) => Channels::Rgb,
        Channels::Alpha => Channels::Rgba,
        Channels::Grayscale if precision == Precision::F32 => Channels::Rgb,
        other => other,
    };
    ColorFormat::new(channels, precision)
}

/// Whether the header declares that the fourth channel is not alpha.
fn is_opaque(header: &DdsHeader) -> bool {
    header.dx10().is_some_and(|header| header.alpha_mode == AlphaMode::Opaque)
}

/// Faces, array elements and slices, without mipmaps.
fn pictures(layout: &DataLayout) -> u32 {
    let told = match layout {
        DataLayout::Texture(_) => 1,
        DataLayout::Volume(volume) => volume.main().depth(),
        DataLayout::TextureArray(array) => u32::try_from(array.len()).unwrap_or(u32::MAX),
    };
    // A cube map may declare no faces, and a volume no slices.
    told.max(1)
}

fn surface(decoder: &mut Decoder<Cursor<&[u8]>>, color: ColorFormat) -> Result<Vec<u8>> {
    let size = decoder.main_size();
    let bytes = color.buffer_size(size).ok_or_else(|| Error::corrupt("DDS", "its size is absurd"))?;
    let mut pixels = vec![0; bytes];
    let view = ImageViewMut::new(&mut pixels, size, color)
        .ok_or_else(|| Error::corrupt("DDS", "it has no pixels"))?;
    decoder.read_surface(view).map_err(error)?;
    Ok(pixels)
}

fn wide(samples: &[u8]) -> Vec<u16> {
    samples.as_chunks().0.iter().map(|&sample| u16::from_ne_bytes(sample)).collect()
}

/// NaN becomes 0.
fn light(samples: &[u8]) -> Vec<f32> {
    let number = |&sample| Some(f32::from_ne_bytes(sample)).filter(|light| light.is_finite()).unwrap_or(0.0);
    samples.as_chunks().0.iter().map(number).collect()
}

fn error(cause: DecodingError) -> Error {
    match cause {
        DecodingError::Format(cause) => {
            Error::new(ErrorCode::UnsupportedType, format!("This variant of DDS cannot be read: {cause}."))
                .with_detail("type", MediaType::Dds.as_str())
                .with_detail("name", MediaType::Dds.name())
        }
        DecodingError::MemoryLimitExceeded => {
            Error::new(ErrorCode::TooMuchMemory, "The image needs more memory than is allowed.")
        }
        other => Error::corrupt("DDS", other),
    }
}

#[cfg(test)]
mod tests;
