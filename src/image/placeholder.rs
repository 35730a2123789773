//! What a page can show before an image is loaded: hashes that decode to a blurred picture, and colors.

mod blurhash;
mod colors;
mod cosine;
mod thumbhash;

use serde::Serialize;

use crate::error::Result;
use crate::image::request::Request;
use crate::job::LocalJob;
use crate::pixels;

/// The longest side in pixels of the picture that hashes are made of: the most that ThumbHash allows.
pub const SIDE: u32 = 100;

/// What a page can show before an image is loaded.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Placeholder {
    /// Width of the upright image in pixels.
    pub width: u32,
    /// Height of the upright image in pixels.
    pub height: u32,
    /// Whether any pixel is transparent, at least in part.
    pub has_alpha: bool,
    /// The bytes of a ThumbHash.
    pub thumbhash: Vec<u8>,
    /// A BlurHash of 4 × 3 or 3 × 4 components. It has no transparency.
    pub blurhash: String,
    /// The most frequent color as `#rrggbb`.
    pub dominant: String,
    /// Up to six colors as `#rrggbb`, the most frequent first.
    pub palette: Vec<String>,
}

/// Pixels as RGBA, row by row.
struct Picture<'a> {
    width: usize,
    height: usize,
    pixels: &'a [[u8; 4]],
}

/// Describes the picture of a job that makes it at most [`SIDE`] pixels long.
///
/// # Errors
/// Those of [`process`](crate::image::process).
pub fn placeholder(bytes: &[u8], job: &LocalJob) -> Result<Placeholder> {
    let request = Request::open_to_show(bytes, job)?;
    let (width, height) = request.source.geometry.natural_size();
    let picture = pixels::rgba8(request.source.picture(None, None, &mut Vec::new())?);
    let small = Picture {
        width: picture.width() as usize,
        height: picture.height() as usize,
        pixels: picture.as_chunks::<4>().0,
    };
    let palette = colors::palette(&small);
    Ok(Placeholder {
        width,
        height,
        has_alpha: small.pixels.iter().any(|pixel| pixel[3] < u8::MAX),
        thumbhash: thumbhash::encode(&small),
        blurhash: blurhash::encode(&small),
        dominant: palette.first().cloned().unwrap_or_default(),
        palette,
    })
}
