//! DDS: one texture without mipmaps, with the oldest header that can describe it, because more programs read that.
//!
//! Without a quality the pixels are stored uncompressed: 8 bits for gray, 24 or 32 for colors, 16 bits per channel if
//! the picture has them. With a quality, the picture is compressed in 4 × 4 blocks; blocks at the edges are padded.

use ::dds::header::{Dx9Header, Dx9PixelFormat, Header};
use ::dds::{ColorFormat, CompressionQuality, Encoder, Format, ImageView, Size};
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::pixels;

/// From this quality on, colors use BC7 with 8 bits per pixel: 43.5 dB on a photo of one megapixel. Below it, opaque
/// pictures use BC1 with 4 bits (36.3 dB), and others BC3, with 4 more bits for alpha. Gray uses BC4 at every quality,
/// with 4 bits (44.8 dB).
const BC7_FROM: u8 = 85;

/// From this quality on, BC7 is searched longer: 1.2 dB more in twice the time.
const SEARCH_FROM: u8 = 95;

/// Compresses a picture. `quality` is 1 to 100.
pub(crate) fn encode(image: DynamicImage, quality: Option<u8>) -> Result<Vec<u8>> {
    let size = Size::new(image.width(), image.height());
    match quality {
        Some(quality) => in_blocks(image, size, quality),
        None => exactly(image, size),
    }
}

fn in_blocks(image: DynamicImage, size: Size, quality: u8) -> Result<Vec<u8>> {
    let alpha = image.color().has_alpha();
    if !image.color().has_color() && !alpha {
        let gray = pixels::gray8(image);
        return write(size, Format::BC4_UNORM, CompressionQuality::High, ColorFormat::GRAYSCALE_U8, &gray);
    }
    let (format, effort) = match quality {
        SEARCH_FROM.. => (Format::BC7_UNORM, CompressionQuality::Normal),
        BC7_FROM.. => (Format::BC7_UNORM, CompressionQuality::Fast),
        _ if alpha => (Format::BC3_UNORM, CompressionQuality::Normal),
        _ => (Format::BC1_UNORM, CompressionQuality::Normal),
    };
    write(size, format, effort, ColorFormat::RGBA_U8, &pixels::rgba8(image))
}

fn exactly(image: DynamicImage, size: Size) -> Result<Vec<u8>> {
    let deep = image.color().bytes_per_pixel() > image.color().channel_count();
    let (format, color, samples) = match (image.color().has_color(), image.color().has_alpha()) {
        (false, false) if deep => {
            (Format::R16_UNORM, ColorFormat::GRAYSCALE_U16, native(&pixels::gray16(image)))
        }
        _ if deep => (Format::R16G16B16A16_UNORM, ColorFormat::RGBA_U16, native(&pixels::rgba16(image))),
        (false, false) => (Format::R8_UNORM, ColorFormat::GRAYSCALE_U8, pixels::gray8(image).into_raw()),
        (true, false) => (Format::B8G8R8_UNORM, ColorFormat::RGB_U8, pixels::rgb8(image).into_raw()),
        (_, true) => (Format::B8G8R8A8_UNORM, ColorFormat::RGBA_U8, pixels::rgba8(image).into_raw()),
    };
    write(size, format, CompressionQuality::Normal, color, &samples)
}

/// The samples in native byte order, as the encoder expects them.
fn native(samples: &[u16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_ne_bytes()).collect()
}

fn write(
    size: Size,
    format: Format,
    effort: CompressionQuality,
    color: ColorFormat,
    samples: &[u8],
) -> Result<Vec<u8>> {
    let header = match Dx9PixelFormat::try_from(format) {
        Ok(old) => Header::Dx9(Dx9Header::new_image(size.width, size.height, old)),
        Err(()) => Header::new_image(size.width, size.height, format),
    };
    let view = ImageView::new(samples, size, color).ok_or_else(|| failed("the picture has no pixels"))?;
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, format, &header).map_err(failed)?;
    encoder.encoding.quality = effort;
    encoder.write_surface(view).map_err(failed)?;
    encoder.finish().map_err(failed)?;
    Ok(out)
}

fn failed(cause: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The image could not be written: {cause}."))
}
