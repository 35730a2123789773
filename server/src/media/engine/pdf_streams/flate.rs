//! Encodes Flate streams (ISO 32000-1, 7.4.4) with libdeflate, and images with oxipng, which chooses the predictor of each row.

use libdeflater::{CompressionLvl, Compressor};
use oxipng::{BitDepth, ColorType, Options, RawImage};
use serde_json::{Value, json};

use super::super::png_idat::compressed_rows;
use super::sample_layout::SampleLayout;

/// Levels of libdeflate: the best, and one that is sufficient for estimates.
const BEST: i32 = 12;
const FASTEST: i32 = 1;
/// The level of oxipng.
const EFFORT: u8 = 2;
/// The number of bytes that an estimate compresses.
const SAMPLE: usize = 1 << 20;

/// Compresses data to a zlib stream.
pub(super) fn deflate(data: &[u8]) -> Option<Vec<u8>> {
    pack(data, BEST)
}

fn pack(data: &[u8], level: i32) -> Option<Vec<u8>> {
    let mut compressor = Compressor::new(CompressionLvl::new(level).ok()?);
    let mut packed = vec![0; compressor.zlib_compress_bound(data.len())];
    let size = compressor.zlib_compress(data, &mut packed).ok()?;
    packed.truncate(size);
    Some(packed)
}

/// Estimates the compressed size of data.
pub(super) fn estimate(data: &[u8]) -> usize {
    let middle = data.len().saturating_sub(SAMPLE) / 2;
    let sample = &data[middle..data.len().min(middle + SAMPLE)];
    let packed = pack(sample, FASTEST).map_or(sample.len(), |packed| packed.len());
    packed.saturating_mul(data.len() / sample.len().max(1))
}

/// Compresses rows with PNG predictors to a zlib stream. `None` for layouts that PNG does not support.
pub(super) fn rows(samples: Vec<u8>, layout: &SampleLayout) -> Option<Vec<u8>> {
    let color = match layout.channels {
        1 => ColorType::Grayscale { transparent_shade: None },
        2 => ColorType::GrayscaleAlpha,
        3 => ColorType::RGB { transparent_color: None },
        // A predictor only needs the number of samples, not their meaning: CMYK is encoded as RGBA.
        4 => ColorType::RGBA,
        _ => return None,
    };
    let depth = match layout.bits {
        1 => BitDepth::One,
        2 => BitDepth::Two,
        4 => BitDepth::Four,
        8 => BitDepth::Eight,
        _ => BitDepth::Sixteen,
    };
    let options = Options {
        bit_depth_reduction: false,
        color_type_reduction: false,
        palette_reduction: false,
        grayscale_reduction: false,
        optimize_alpha: false,
        ..Options::from_preset(EFFORT)
    };
    let raw = RawImage::new(layout.width, layout.height, color, depth, samples).ok()?;
    Some(compressed_rows(&raw.create_optimized_png(&options).ok()?))
}

/// The decode parameters of the result.
pub(super) fn parameters(layout: &SampleLayout) -> Value {
    json!({
        "/Predictor": 15,
        "/Colors": layout.channels,
        "/BitsPerComponent": layout.bits,
        "/Columns": layout.width,
    })
}
