//! A lossy WebP encoder: one VP8 key frame (RFC 6386) in its RIFF container (RFC 9649), with lossless alpha.
//!
//! ```
//! use filepress_webp::{Layout, Picture, Settings, encode};
//!
//! let (width, height) = (64, 48);
//! let rgb: Vec<u8> = (0..width * height).flat_map(|i| [(i % width) as u8 * 4, 90, (i / width) as u8 * 5]).collect();
//! let picture = Picture::new(width, height, Layout::Rgb, &rgb)?;
//! let file = encode(&picture, Settings { quality: 80, ..Settings::default() })?;
//! assert_eq!(&file[8..12], b"WEBP");
//! # Ok::<(), filepress_webp::Error>(())
//! ```
//!
//! Quality is libwebp's scale, and several constants that libwebp's authors fitted on many pictures are used here
//! (`LICENSE-libwebp`). The same call yields the same bytes on every machine: all arithmetic is on integers, or on floats by
//! additions and multiplications in a fixed order.
//!
//! The encoder works on one row of macroblocks at a time. Beside the caller's pixels it holds about one byte for each
//! non-zero level. [`Prepared`] keeps YUV planes, for callers who encode a picture at several qualities.
//!
//! Lossless pictures are decoded, row by row ([`LosslessRows`]), and so are the alpha channels of lossy ones ([`AlphaRows`]).
//!
//! Not supported: lossless encoding, lossy decoding, animations and metadata.
//!
//! # Where things are
//!
//! - `picture`, `yuv_source`, `mb_row`, `transparent_area`: from pixels to macroblock rows in YUV.
//! - `analysis`, `kmeans`, `segments`, `filter_strength`: segments, their quantizers and loop filter levels.
//! - `mode_decision` on `predict`, `dct`, `wht`, `quant`, `trellis`, `distortion`: modes and levels of a macroblock.
//! - `bit_cost`, `level_cost`, `token_stats`: what modes and tokens cost.
//! - `frame`, `coded_frame`, `partition0`, `token_partition`, `bool_encoder`, `riff`: the file.
//! - `alpha`: the `ALPH` chunk.
//! - `decode`: lossless pictures and alpha channels, from their chunks.

#[cfg(feature = "alpha")]
mod alpha;
mod analysis;
mod bit_cost;
mod bool_encoder;
mod coded_frame;
mod coeffs;
mod dct;
#[cfg(feature = "decode")]
mod decode;
mod distortion;
mod error;
mod filter_strength;
mod frame;
mod kmeans;
mod lanes;
mod level_cost;
mod macroblock;
mod math;
mod mb_context;
mod mb_info;
mod mb_row;
mod mode_decision;
mod partition0;
mod picture;
mod predict;
mod prepared;
mod quant;
mod riff;
#[cfg(test)]
#[path = "../tests/common/seed.rs"]
mod seed;
mod segments;
mod settings;
mod tables;
mod token_partition;
mod token_stats;
#[cfg(feature = "alpha")]
mod transparent_area;
mod trellis;
mod wht;
mod yuv_source;

#[cfg(feature = "decode")]
pub use decode::{AlphaRows, DecodeError, LosslessRows, memory as decoding_memory};
pub use error::Error;
pub use picture::{Layout, MAX_SIDE, Picture};
pub use prepared::Prepared;
pub use settings::Settings;

use analysis::analyze;
use yuv_source::YuvSource;

/// Encodes a picture as a WebP file.
///
/// Alpha is kept exactly, and left out if all pixels are opaque. The colors of pixels with alpha 0 are not kept.
///
/// # Errors
/// [`Error::TooLong`] if the file would be longer than the format allows.
pub fn encode(picture: &Picture<'_>, settings: Settings) -> Result<Vec<u8>, Error> {
    let alpha = picture.alpha_chunk();
    let source = YuvSource::Picture(picture);
    let frame = frame::encode(&source, analyze(&source), settings)?;
    riff::file(source.size(), &frame, alpha.as_deref())
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
