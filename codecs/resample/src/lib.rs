//! Resizes pictures of 8 or 16 bits a sample with Lanczos3, row by row.
//!
//! `axis` tells which samples of the source a sample of the output is made from, `component` does so where one of them has fewer samples than
//! pixels, and `taps` has the weights. [`Resampler`] keeps the rows of the source that a row of the output is made from. `lanes` adds them up,
//! first from the top to the bottom, where a vector has samples side by side, then from the left to the right, where the samples of a vector
//! are added up: there are fewer of these sums if the picture becomes smaller. [`DeepResampler`] does it in floating point.

mod axis;
mod component;
mod deep;
mod lanczos;
mod lanes;
mod resampler;
mod taps;

pub use axis::Axis;
pub use component::ComponentAxis;
pub use deep::{DeepResampler, deep_memory};
pub use lanczos::{LOBES, lanczos};
pub use resampler::{Resampler, memory};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
