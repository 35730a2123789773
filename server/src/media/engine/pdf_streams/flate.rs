//! Encodes Flate streams (ISO 32000-1, 7.4.4), and images in rows with PNG's predictors, of which each row has its own.

use filepress_deflate::{Container, Level, compress};
use filepress_png::{Color, Picture, Prepared, Settings};
use serde_json::{Value, json};

use super::sample_layout::SampleLayout;

/// How thoroughly predictors are chosen, 0 to 9.
const EFFORT: u8 = 4;
/// The number of bytes that an estimate compresses.
const SAMPLE: usize = 1 << 20;

/// Compresses data to a zlib stream.
pub(super) fn deflate(data: &[u8]) -> Vec<u8> {
    compress(data, Container::Zlib, Level::Optimal)
}

/// Estimates the compressed size of data.
pub(super) fn estimate(data: &[u8]) -> usize {
    let middle = data.len().saturating_sub(SAMPLE) / 2;
    let sample = &data[middle..data.len().min(middle + SAMPLE)];
    let packed = compress(sample, Container::Zlib, Level::Fast).len();
    packed.saturating_mul(data.len() / sample.len().max(1))
}

/// Compresses rows with PNG predictors to a zlib stream. `None` for layouts that PNG does not support.
pub(super) fn rows(samples: Vec<u8>, layout: &SampleLayout) -> Option<Vec<u8>> {
    let color = match layout.channels {
        1 => Color::Gray { key: None },
        2 => Color::GrayAlpha,
        3 => Color::Rgb { key: None },
        // A predictor only needs the number of samples, not their meaning: CMYK is encoded as RGBA.
        4 => Color::Rgba,
        _ => return None,
    };
    let (width, height, depth) = (layout.width, layout.height, layout.bits);
    let picture = Picture { width, height, color, depth, rows: samples };
    let settings = Settings { effort: EFFORT, reduce: false, gray: false };
    Some(Prepared::new(picture, settings)?.rows())
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
