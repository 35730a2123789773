//! DDS by `filepress-dds`: one texture without mipmaps, with the oldest header that can describe it, because more
//! programs read that.
//!
//! Without a quality the pixels are stored uncompressed: 8 bits for gray, 24 or 32 for colors, 16 bits per channel if
//! the picture has them. With a quality, the picture is compressed in 4 × 4 blocks; blocks at the edges are padded.

use filepress_dds::{Blocks, Pixels};
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::pixels;

/// From this quality on, colors use BC7 with 8 bits per pixel: 45.0 dB on a photo of one megapixel. Below it, opaque
/// pictures use BC1 with 4 bits (36.6 dB), and others BC3, with 4 more bits for alpha. Gray uses BC4 at every quality,
/// with 4 bits (45.2 dB).
const BC7_FROM: u8 = 85;

/// From this quality on, BC7 is searched longer: 0.3 dB more in four times the time.
const SEARCH_FROM: u8 = 95;

/// Compresses a picture. `quality` is 1 to 100.
pub(crate) fn encode(image: DynamicImage, quality: Option<u8>) -> Result<Vec<u8>> {
    let (width, height) = (image.width(), image.height());
    let (has_color, has_alpha) = (image.color().has_color(), image.color().has_alpha());
    let written = if let Some(quality) = quality {
        match quality {
            _ if !has_color && !has_alpha => {
                filepress_dds::encode_blocks(Blocks::Bc4, width, height, &pixels::gray8(image))
            }
            quality => {
                let blocks = blocks(quality, has_alpha);
                filepress_dds::encode_blocks(blocks, width, height, &pixels::rgba8(image))
            }
        }
    } else {
        let deep = image.color().bytes_per_pixel() > image.color().channel_count();
        match (has_color, has_alpha) {
            (false, false) if deep => {
                filepress_dds::encode(Pixels::Gray16(&pixels::gray16(image)), width, height)
            }
            _ if deep => filepress_dds::encode(Pixels::Rgba16(&pixels::rgba16(image)), width, height),
            (false, false) => filepress_dds::encode(Pixels::Gray8(&pixels::gray8(image)), width, height),
            (true, false) => filepress_dds::encode(Pixels::Rgb8(&pixels::rgb8(image)), width, height),
            (_, true) => filepress_dds::encode(Pixels::Rgba8(&pixels::rgba8(image)), width, height),
        }
    };
    written.map_err(|cause| {
        Error::new(ErrorCode::EncodeFailed, format!("The image could not be written: {cause}."))
    })
}

/// The blocks of colors.
const fn blocks(quality: u8, has_alpha: bool) -> Blocks {
    match quality {
        BC7_FROM.. => Blocks::Bc7 { search: quality >= SEARCH_FROM },
        _ if has_alpha => Blocks::Bc3,
        _ => Blocks::Bc1,
    }
}
