//! A lossy WebP encoder: one key frame of VP8 (RFC 6386) in its container (RFC 9649).
//!
//! It decides like libwebp, whose constants were found by its authors on many pictures (`LICENSE-libwebp`), and its quality
//! means the same.
//! The bytes of a result depend on nothing but the call: what is not integer arithmetic is additions and
//! multiplications in a fixed order. It works on one row of macroblocks at a time; beside the caller's pixels it holds
//! about a byte for each level that is not zero. [`Prepared`] keeps planes, for those who code a picture at several qualities.
//!
//! Not here: lossless coding, animations, metadata, other ways to make chroma than by the mean of four pixels.

#[cfg(feature = "alpha")]
mod alpha;
mod analysis;
mod band;
mod blocky;
mod bools;
mod budget;
#[cfg(feature = "alpha")]
mod clear;
mod clusters;
mod cost;
mod decide;
mod distortion;
mod error;
mod frame;
mod header;
mod lanes;
mod levels;
mod light;
mod picture;
mod power;
mod predict;
mod prepared;
mod probabilities;
mod quant;
mod record;
mod residuals;
mod riff;
mod rows;
mod segments;
mod settings;
mod source;
mod surroundings;
mod tables;
mod tokens;
mod transform;
mod trees;
mod trellis;
mod walsh;

pub use error::Error;
pub use picture::{Layout, MAX_SIDE, Picture};
pub use prepared::Prepared;
pub use settings::Settings;

use analysis::analyse;
use rows::Rows;

/// A WebP file of the picture. Alpha is kept exactly, unless all of it is opaque; the colours of pixels that are clear
/// throughout are not kept.
///
/// # Errors
/// [`Error::TooLong`] where the file would be longer than the format can say.
pub fn encode(picture: &Picture<'_>, settings: Settings) -> Result<Vec<u8>, Error> {
    let alpha = picture.alpha_chunk();
    let rows = Rows::Picture(picture);
    let frame = frame::encode(&rows, analyse(&rows), settings)?;
    riff::file(rows.size(), &frame, alpha.as_deref())
}
