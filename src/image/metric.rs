//! The perceptual difference between a picture and its encoded form: SSIMULACRA2, by filepress-ssimulacra2. Color
//! profiles are not applied, since both pictures have the same.

use filepress_ssimulacra2::{PRECOMPUTED_BYTES_PER_PIXEL, Reference};
use image::DynamicImage;

use crate::pixels;

/// The most memory for a precomputed reference: what is left beside a picture on a host with 128 MB.
const MAX_PRECOMPUTED_BYTES: u64 = 48 << 20;

/// The reference that pictures are compared with.
pub(crate) struct ScoreReference(Reference);

impl ScoreReference {
    /// A reference for one comparison.
    pub(crate) fn for_one(picture: DynamicImage) -> Self {
        Self::new(picture, false)
    }

    /// A reference for many comparisons, precomputed if memory allows.
    pub(crate) fn for_search(picture: &DynamicImage) -> Self {
        let pixels = u64::from(picture.width()) * u64::from(picture.height());
        let ready = fits_precomputed(pixels, picture.color().has_alpha());
        Self::new(picture.clone(), ready)
    }

    fn new(picture: DynamicImage, ready: bool) -> Self {
        let (width, height, has_alpha) = (picture.width(), picture.height(), picture.color().has_alpha());
        Self(Reference::new(width, height, pixels::rgba8(picture).into_raw(), has_alpha, ready))
    }

    /// The score of an encoded picture of the same size: 100 is identical, 90 hardly distinguishable, 50 medium
    /// quality.
    pub(crate) fn score(&self, coded: DynamicImage) -> f64 {
        self.0.score(&pixels::rgba8(coded))
    }
}

/// The most bytes that [`ScoreReference::for_search`] keeps beside the samples of `pixels` pixels.
pub(crate) fn precomputed_bytes(pixels: u64) -> u64 {
    let of = |has_alpha| if fits_precomputed(pixels, has_alpha) { bytes(pixels, has_alpha) } else { 0 };
    of(false).max(of(true))
}

fn fits_precomputed(pixels: u64, has_alpha: bool) -> bool {
    bytes(pixels, has_alpha) <= MAX_PRECOMPUTED_BYTES
}

fn bytes(pixels: u64, has_alpha: bool) -> u64 {
    pixels * PRECOMPUTED_BYTES_PER_PIXEL * if has_alpha { 2 } else { 1 }
}
