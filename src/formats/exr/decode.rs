//! OpenEXR: the first part, or layer of a part, with colors. Its data window is placed into the display window.
//!
//! Our own code reads the header, so that nothing in it is trusted before the limits are checked; `exr` decompresses
//! the blocks. The output has the primaries of sRGB and straight alpha; NaN becomes 0.
//!
//! Limits: no deep data, no subsampled channels, only the first level of detail.

mod part;
mod primaries;
mod window;

use std::io::Cursor;

use exr::block;
use exr::block::UncompressedBlock;
use exr::block::chunk::{Chunk, CompressedBlock};
use exr::block::reader::ChunksReader;
use exr::prelude::f16;
use image::{DynamicImage, Rgb32FImage, Rgba32FImage};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::{ColorModel, Header};
use crate::limits::Limits;
use crate::pixels::linear_light;
use part::{Kind, Part};

const NAME: &str = "OpenEXR";

pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let (_, part) = Part::choose(bytes)?;
    let (width, height) = part.display.size().ok_or_else(|| corrupt("it has no pixels"))?;
    let has_alpha = part.alpha.is_some();
    Ok(Header {
        width,
        height,
        frames: 1,
        scalable: false,
        reducible: false,
        has_alpha,
        color_model: if part.is_gray() { ColorModel::Gray } else { ColorModel::Rgb },
        bit_depth: part.bit_depth(),
        bytes_per_pixel: if has_alpha { 16 } else { 12 },
        decoder_bytes_per_pixel: 4,
    })
}

/// The pixels. The limits were checked against the header.
pub(crate) fn pixels(bytes: &[u8], limits: &Limits) -> Result<DynamicImage> {
    let (index, part) = Part::choose(bytes)?;
    let (width, height) = part.display.size().ok_or_else(|| corrupt("it has no pixels"))?;
    let (data_width, data_height) = part.data.size().ok_or_else(|| corrupt("it has no pixels"))?;
    limits.check_pixels("data window", data_width, data_height)?;
    // A block is in memory compressed, decompressed, and once more while its bytes are reordered; DWA coefficients need
    // more.
    let copies = if part.is_compressed_by_cosines() { 8 } else { 3 };
    let block = part.block_size(data_width).saturating_mul(copies);
    let pixel = if part.alpha.is_some() { 16 } else { 12 };
    limits.check_memory(block.saturating_add(u64::from(width) * u64::from(height) * pixel))?;

    let reader = block::read(Cursor::new(bytes), false).map_err(|cause| refused(&cause))?;
    part.check(reader.headers().get(index).ok_or_else(|| corrupt("its parts can be counted in two ways"))?)?;
    let mut picture = match part.alpha {
        Some(_) => DynamicImage::ImageRgba32F(Rgba32FImage::new(width, height)),
        None => DynamicImage::ImageRgb32F(Rgb32FImage::new(width, height)),
    };
    let chunks = reader
        .filter_chunks(false, |_, tile, block| block.layer == index && tile.is_largest_resolution_level())
        .map_err(|cause| refused(&cause))?;
    let meta = chunks.meta_data().clone();
    let header = meta.headers.get(index).ok_or_else(|| corrupt("its parts can be counted in two ways"))?;
    for chunk in chunks {
        let chunk = chunk.map_err(|cause| refused(&cause))?;
        // The part's offset table locates the block, which repeats the number of its part.
        if chunk.layer_index != index {
            return Err(corrupt("a block belongs to another part"));
        }
        if part.is_compressed_by_cosines() {
            check_cosines(&chunk, header, &part)?;
        }
        let block =
            UncompressedBlock::decompress_chunk(chunk, &meta, false).map_err(|cause| refused(&cause))?;
        match &mut picture {
            DynamicImage::ImageRgba32F(light) => place(&block, &part, light, width, height),
            DynamicImage::ImageRgb32F(light) => place(&block, &part, light, width, height),
            _ => {}
        }
    }
    finish(&mut picture, &part);
    Ok(picture)
}

/// Refuses a DWA block whose counters are too large: the decoder trusts them.
fn check_cosines(chunk: &Chunk, header: &exr::meta::header::Header, part: &Part) -> Result<()> {
    let bytes = match &chunk.compressed_block {
        CompressedBlock::ScanLine(block) => &block.compressed_pixels_le,
        CompressedBlock::Tile(block) => &block.compressed_pixels_le,
        _ => return Ok(()),
    };
    let bounds = header
        .get_block_data_indices(&chunk.compressed_block)
        .and_then(|place| header.get_absolute_block_pixel_coordinates(place))
        .map_err(|cause| refused(&cause))?;
    let size = bounds.size.area() * part.pixel_size();
    // A block that compression would not shrink is stored uncompressed.
    if bytes.len() == size {
        return Ok(());
    }
    // A version, nine counters of bytes and coefficients, and a number. 8 × 8 blocks at the edges are padded.
    let counters = bytes.as_chunks().0.iter().skip(1).take(9).map(|&counter| u64::from_le_bytes(counter));
    let filled = bounds.size.width().next_multiple_of(8) * bounds.size.height().next_multiple_of(8);
    match counters.max() > Some(2 * (filled * part.pixel_size()) as u64 + 4096) {
        true => Err(corrupt("a block claims to hold more than it can")),
        false => Ok(()),
    }
}

/// Copies the colors of a block that are within the display window.
fn place(block: &UncompressedBlock, part: &Part, out: &mut [f32], width: u32, height: u32) {
    let channels = part.colors.len() + usize::from(part.alpha.is_some());
    let (block_width, line_size) = (block.index.pixel_size.0, block.index.pixel_size.0 * part.pixel_size());
    let left = i64::from(part.data.left) - i64::from(part.display.left) + block.index.pixel_position.0 as i64;
    let top = i64::from(part.data.top) - i64::from(part.display.top) + block.index.pixel_position.1 as i64;
    for (y, line) in block.data.chunks_exact(line_size.max(1)).enumerate() {
        let Ok(y) = u32::try_from(top + y as i64) else { continue };
        if y >= height {
            break;
        }
        for (place, channel) in part.colors.iter().chain(&part.alpha).enumerate() {
            let start = channel.offset * block_width;
            let samples = line[start..].chunks_exact(channel.kind.size()).take(block_width);
            for (x, sample) in samples.enumerate() {
                match u32::try_from(left + x as i64) {
                    Ok(x) if x < width => {
                        let pixel = (y as usize * width as usize + x as usize) * channels;
                        out[pixel + place] = linear_light::finite(channel.kind.number(sample));
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Converts to straight alpha and the primaries of sRGB.
fn finish(picture: &mut DynamicImage, part: &Part) {
    let matrix = part.chromaticities.and_then(|chromaticities| primaries::to_srgb(&chromaticities));
    let convert = |color: &mut [f32]| {
        if let (Some(matrix), &mut [r, g, b]) = (&matrix, &mut *color) {
            let light = [r, g, b].map(f64::from);
            for (out, row) in color.iter_mut().zip(matrix) {
                let sum = row[0] * light[0] + row[1] * light[1] + row[2] * light[2];
                *out = linear_light::finite(sum as f32);
            }
        }
    };
    match picture {
        DynamicImage::ImageRgba32F(light) => {
            for pixel in light.pixels_mut() {
                let [color @ .., alpha] = &mut pixel.0;
                *alpha = alpha.clamp(0.0, 1.0);
                if *alpha > 0.0 {
                    color.iter_mut().for_each(|color| *color = linear_light::finite(*color / *alpha));
                }
                convert(color);
            }
        }
        DynamicImage::ImageRgb32F(light) => light.pixels_mut().for_each(|pixel| convert(&mut pixel.0)),
        _ => {}
    }
}

impl Kind {
    fn number(self, sample: &[u8]) -> f32 {
        match (self, sample) {
            (Self::Half, &[a, b]) => f16::from_ne_bytes([a, b]).to_f32(),
            (Self::Float, &[a, b, c, d]) => f32::from_ne_bytes([a, b, c, d]),
            // Scaled from 0 to 1, as ImageMagick and OpenImageIO do for integers.
            (Self::Whole, &[a, b, c, d]) => {
                (f64::from(u32::from_ne_bytes([a, b, c, d])) / f64::from(u32::MAX)) as f32
            }
            _ => 0.0,
        }
    }
}

fn corrupt(cause: impl std::fmt::Display) -> Error {
    Error::corrupt(NAME, cause)
}

fn refused(cause: &exr::error::Error) -> Error {
    match cause {
        exr::error::Error::NotSupported(variant) => unsupported(variant),
        other => corrupt(other),
    }
}

/// An error that names the unsupported variant.
fn unsupported(variant: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::UnsupportedType, format!("This variant of {NAME} cannot be read: {variant}."))
        .with_detail("type", "image/x-exr")
        .with_detail("name", NAME)
}
