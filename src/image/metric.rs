//! How much a coded picture differs from the one that was coded, to the eye, by filepress-ssimulacra2. A color profile is not
//! applied, since both pictures share it.

use filepress_ssimulacra2::{READY_BYTES_PER_PIXEL, Reference};
use image::DynamicImage;

use crate::pixels;

/// What a picture may take that is made ready for many comparisons: as much as is left beside it where there are 128 MB.
const MOST_READY: u64 = 48 << 20;

/// The picture that others are compared with.
pub(crate) struct Judge(Reference);

impl Judge {
    /// Takes the picture that is coded, for one comparison.
    pub(crate) fn once(picture: DynamicImage) -> Self {
        Self::new(picture, false)
    }

    /// Takes the picture that is coded, for many comparisons.
    pub(crate) fn often(picture: &DynamicImage) -> Self {
        let pixels = u64::from(picture.width()) * u64::from(picture.height());
        let ready = is_made_ready(pixels, picture.color().has_alpha());
        Self::new(picture.clone(), ready)
    }

    fn new(picture: DynamicImage, ready: bool) -> Self {
        let (width, height, has_alpha) = (picture.width(), picture.height(), picture.color().has_alpha());
        Self(Reference::new(width, height, pixels::rgba8(picture).into_raw(), has_alpha, ready))
    }

    /// The score of a coded picture of the same size: 100 is identical, 90 hardly to be told apart, 50 of medium quality.
    pub(crate) fn score(&self, coded: DynamicImage) -> f64 {
        self.0.score(&pixels::rgba8(coded))
    }
}

/// Bytes at most that [`Judge::often`] keeps of so many pixels beside their samples.
pub(crate) fn ready_bytes(pixels: u64) -> u64 {
    let of = |has_alpha| if is_made_ready(pixels, has_alpha) { bytes(pixels, has_alpha) } else { 0 };
    of(false).max(of(true))
}

fn is_made_ready(pixels: u64, has_alpha: bool) -> bool {
    bytes(pixels, has_alpha) <= MOST_READY
}

fn bytes(pixels: u64, has_alpha: bool) -> u64 {
    pixels * READY_BYTES_PER_PIXEL * if has_alpha { 2 } else { 1 }
}
