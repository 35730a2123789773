//! A decoder of lossless WebP (RFC 9649, section 3), and of the alpha channel of lossy files (section 2.7.1.2), row by row: of the
//! pixels, only those are kept that others can refer to.
//!
//! - `bit_reader`, `prefix_code`: bits, and symbols of prefix codes.
//! - `groups`: the five prefix codes of each part of the image.
//! - `header`: the order of all that.
//! - `pixels`: literals, backward references and the color cache; `distance`, `color_cache`.
//! - `transforms`, `predictors`: from coded to shown pixels.
//! - `rows`, `alpha`: what callers use.

mod alpha;
mod bit_reader;
mod color_cache;
mod distance;
mod error;
mod groups;
mod header;
mod pixels;
mod predictors;
mod prefix_code;
mod rows;
mod transforms;

pub use alpha::AlphaRows;
pub use error::DecodeError;
pub use rows::LosslessRows;

/// Blocks of four pixels along two sides of 16,384.
const EDGE_BLOCKS: u64 = 2 * 4_096 + 1;

/// The bytes that decoding a picture of this many pixels from a chunk of `bytes` bytes takes at most.
#[must_use]
pub fn memory(pixels: u64, bytes: u64) -> u64 {
    // Of at most one block for 16 pixels, and the blocks at two edges, which have fewer: the modes of predictors, a byte, the factors of
    // colors, four, and the numbers of groups, two, which are pixels while they are read.
    let blocks = (pixels / 16 + EDGE_BLOCKS).min(pixels) * (1 + 4 + 4 + 2);
    let window = 4 * pixels.min(pixels::MOST_KEPT as u64);
    window + blocks + groups::memory(bytes)
}
