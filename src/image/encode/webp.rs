//! WebP (RFC 9649): lossy (VP8) by zenwebp, lossless (VP8L) by rusty_webp.

use image::DynamicImage;
#[cfg(feature = "core")]
use rusty_webp::{ColorType, WebPEncoder};
use zenwebp::EncoderConfig;

use super::super::pixels;
use crate::error::{Error, ErrorCode, Result};

/// The first partition of a frame holds the modes of all macroblocks, and its length has 19 bits (RFC 6386, 9.1): 8 bytes for each of
/// so many. One mode for each block of 4 × 4 pixels takes about as much; zenwebp does not look, and would write a broken file.
const MOST_MACROBLOCKS: u32 = 1 << 16;
/// The highest method that has one mode for all of a macroblock, which takes a byte.
const ONE_MODE: u8 = 1;

pub(super) fn encode_lossy(image: DynamicImage, quality: u8, effort: u8) -> Result<Vec<u8>> {
    let (width, height) = (image.width(), image.height());
    let macroblocks = width.div_ceil(16) * height.div_ceil(16);
    let most = if macroblocks > MOST_MACROBLOCKS { ONE_MODE } else { 6 };
    let config = EncoderConfig::new().quality(f32::from(quality)).method(effort.min(most));
    let encoded = match image.color().has_alpha() {
        #[cfg(feature = "core")]
        true => config.encode_rgba(&pixels::rgba8(image), width, height),
        _ => config.encode_rgb(&pixels::rgb8(image), width, height),
    };
    encoded.map_err(failed)
}

#[cfg(feature = "core")]
pub(super) fn encode_lossless(image: DynamicImage) -> Result<Vec<u8>> {
    let (width, height) = (image.width(), image.height());
    let (data, colour) = match (image.color().has_color(), image.color().has_alpha()) {
        (true, true) => (pixels::rgba8(image).into_raw(), ColorType::Rgba8),
        (true, false) => (pixels::rgb8(image).into_raw(), ColorType::Rgb8),
        (false, true) => (pixels::grey_alpha8(image).into_raw(), ColorType::La8),
        (false, false) => (pixels::grey8(image).into_raw(), ColorType::L8),
    };
    let mut out = Vec::new();
    WebPEncoder::new(&mut out).encode(&data, width, height, colour).map_err(failed)?;
    Ok(out)
}

fn failed(cause: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The WebP could not be written: {cause}."))
}
