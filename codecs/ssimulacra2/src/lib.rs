//! SSIMULACRA2: scores how visible the differences between a compressed image and its original are.
//!
//! ```
//! use filepress_ssimulacra2::Reference;
//!
//! let (width, height) = (16, 16);
//! let original: Vec<u8> = (0..width * height).flat_map(|i| [i as u8, 128, 40, 255]).collect();
//! let brighter: Vec<u8> = original.iter().map(|sample| sample.saturating_add(9)).collect();
//!
//! let reference = Reference::new(width, height, original.clone(), false, false);
//! assert_eq!(reference.score(&original), 100.0);
//! assert!(reference.score(&brighter) < 100.0);
//! ```
//!
//! The metric, its constants and its weights are those of SSIMULACRA2 2.1 (<https://github.com/cloudinary/ssimulacra2>). On
//! photographs, scores differ from those of the crate `ssimulacra2` 0.5.1 by 0.02 on average, and always by less than 0.1.
//!
//! Both pictures are read row by row. At each scale, only the rows within reach of the blur are kept. A reference for many
//! comparisons can be precomputed, at [`PRECOMPUTED_BYTES_PER_PIXEL`].
//!
//! Pixels are 8-bit sRGB. A picture with transparent pixels is compared over black and over white, and the lower score counts.
//! The same scores come out on every machine: all operations are IEEE 754 operations in a fixed order.
//!
//! Not supported: other color spaces, more than 8 bits, pictures of different sizes.

mod blur;
mod comparison;
mod lanes;
mod linear_rgb;
mod moments;
mod pyramid;
mod reference;
mod score;
mod xyb;

use comparison::Comparison;
use lanes::Lanes;
use linear_rgb::{Pixels, SrgbTable};
use pyramid::{Scale, levels, push};
use reference::{ReferenceBuilder, ReferenceScale};

/// The bytes a pixel that a precomputed reference takes, for each background: all scales together are 4/3 of the first.
pub const PRECOMPUTED_BYTES_PER_PIXEL: u64 = reference::BYTES * 4 / 3;

/// The picture that others are compared with.
pub struct Reference {
    size: (usize, usize),
    srgb: SrgbTable,
    data: Data,
}

enum Data {
    Pixels {
        rgba: Vec<u8>,
        backgrounds: &'static [u8],
    },
    /// All scales, for each background.
    Precomputed(Vec<(u8, Vec<ReferenceScale>)>),
}

impl Reference {
    /// Takes the RGBA samples of a picture, row by row.
    ///
    /// `has_alpha` says that some pixels may be transparent; alpha is ignored otherwise. With `precompute`, all that depends on
    /// the reference alone is computed once, at [`PRECOMPUTED_BYTES_PER_PIXEL`], twice that with alpha.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>, has_alpha: bool, precompute: bool) -> Self {
        let size = (width as usize, height as usize);
        let srgb = SrgbTable::new();
        let backgrounds: &[u8] = if has_alpha { &[0, u8::MAX] } else { &[0] };
        let data = match precompute {
            false => Data::Pixels { rgba, backgrounds },
            true => Data::Precomputed(
                backgrounds
                    .iter()
                    .map(|&background| (background, build(&srgb, Pixels::new(size, &rgba), background)))
                    .collect(),
            ),
        };
        Self { size, srgb, data }
    }

    /// The score of a compressed picture of the same size: 100 is identical, 90 hardly distinguishable, 70 high quality, 50 medium
    /// quality; there is no lower end.
    pub fn score(&self, rgba: &[u8]) -> f64 {
        let distorted = Pixels::new(self.size, rgba);
        let scores: Vec<f64> = match &self.data {
            Data::Pixels { rgba, backgrounds } => {
                let reference = Pixels::new(self.size, rgba);
                backgrounds.iter().map(|&over| self.compare(distorted, reference, over)).collect()
            }
            Data::Precomputed(scales) => scales
                .iter()
                .map(|(over, scales)| self.compare_precomputed(distorted, scales, *over))
                .collect(),
        };
        scores.into_iter().fold(f64::MAX, f64::min)
    }

    fn compare(&self, distorted: Pixels, reference: Pixels, background: u8) -> f64 {
        let new = |_, width, height| Comparison::new(width, height, None);
        let mut levels = levels(distorted.padded_size(), new);
        for y in 0..distorted.padded_size().1 {
            push(&mut levels, [distorted, reference].map(|pixels| pixels.row(&self.srgb, y, background)));
        }
        finish(levels.into_iter().map(|level| level.scale))
    }

    fn compare_precomputed(&self, distorted: Pixels, scales: &[ReferenceScale], background: u8) -> f64 {
        let new = |index: usize, width, height| Comparison::new(width, height, scales.get(index));
        let mut levels = levels(distorted.padded_size(), new);
        for y in 0..distorted.padded_size().1 {
            push(&mut levels, [distorted.row(&self.srgb, y, background)]);
        }
        finish(levels.into_iter().map(|level| level.scale))
    }
}

fn finish<'a>(scales: impl Iterator<Item = Comparison<'a>>) -> f64 {
    let errors: Vec<_> = scales.map(Comparison::finish).collect();
    score::score(&errors)
}

fn build(srgb: &SrgbTable, pixels: Pixels, background: u8) -> Vec<ReferenceScale> {
    let mut levels = levels(pixels.padded_size(), |_, width, height| ReferenceBuilder::new(width, height));
    for y in 0..pixels.padded_size().1 {
        push(&mut levels, [pixels.row(srgb, y, background)]);
    }
    levels.into_iter().map(|level| level.scale.finish()).collect()
}

impl Scale<2> for Comparison<'_> {
    fn push(&mut self, [distorted, reference]: &[Vec<Lanes>; 2]) {
        Comparison::push(self, distorted, reference);
    }
}

impl Scale<1> for Comparison<'_> {
    fn push(&mut self, [distorted]: &[Vec<Lanes>; 1]) {
        Comparison::push(self, distorted, &[]);
    }
}

impl Scale<1> for ReferenceBuilder {
    fn push(&mut self, [row]: &[Vec<Lanes>; 1]) {
        ReferenceBuilder::push(self, row);
    }
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
