//! Flate streams (ISO 32000-1, 7.4.4): by libdeflate, and for images by oxipng, which chooses the predictor of each row.

use libdeflater::{CompressionLvl, Compressor};
use oxipng::{BitDepth, ColorType, Options, RawImage};
use serde_json::{Value, json};

use super::super::png_idat::compressed_rows;
use super::sample_layout::SampleLayout;

/// Of libdeflate: the most that it does, and enough to tell drawings from photographs.
const BEST: i32 = 12;
const FASTEST: i32 = 1;
/// Of oxipng.
const EFFORT: u8 = 2;
/// Bytes of which the rest is judged by.
const SAMPLE: usize = 1 << 20;

/// Data as a zlib stream.
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

/// About how many bytes data would take.
pub(super) fn estimate(data: &[u8]) -> usize {
    let middle = data.len().saturating_sub(SAMPLE) / 2;
    let sample = &data[middle..data.len().min(middle + SAMPLE)];
    let packed = pack(sample, FASTEST).map_or(sample.len(), |packed| packed.len());
    packed.saturating_mul(data.len() / sample.len().max(1))
}

/// Rows with PNG's predictors as a zlib stream. None for layouts that PNG does not have.
pub(super) fn rows(samples: Vec<u8>, layout: &SampleLayout) -> Option<Vec<u8>> {
    let color = match layout.channels {
        1 => ColorType::Grayscale { transparent_shade: None },
        2 => ColorType::GrayscaleAlpha,
        3 => ColorType::RGB { transparent_color: None },
        // Four samples are four samples to a predictor, whatever they stand for.
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

/// The parameters of such rows.
pub(super) fn parameters(layout: &SampleLayout) -> Value {
    json!({
        "/Predictor": 15,
        "/Colors": layout.channels,
        "/BitsPerComponent": layout.bits,
        "/Columns": layout.width,
    })
}
