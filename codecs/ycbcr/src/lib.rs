//! RGB to YCbCr for encoders, row by row.
//!
//! `convert` makes luma and chroma of pixels. [`Subsampler`] reduces the resolution of chroma: `mean` has its samples, `interpolate` what
//! decoders make of them, and `adjust` changes luma so that pixels emit the same light with that. `lanes` computes with four numbers at once.

mod adjust;
mod convert;
mod interpolate;
mod lanes;
mod mean;
mod subsampler;

pub use convert::convert_rgb;
pub use lanes::Floats;
pub use subsampler::{Samples, Subsampler};

/// How much red and blue exceed luma for each step of Cr and of Cb (ITU-T T.871, clause 7).
const RED: f32 = 1.402;
const BLUE: f32 = 1.772;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
