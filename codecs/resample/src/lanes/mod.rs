//! Sums of weighted samples, many at once.
//!
//! `portable` defines the operations. `simd128` has the same in WebAssembly instructions.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use portable::thirds;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use portable::{across, down};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::thirds;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::{across, down};

use crate::taps::WEIGHT_BITS;

/// The columns whose sums are made together, and the bytes that are written at once: rows of samples are as long as some of them.
pub(crate) const SAMPLES: usize = 16;
/// The samples that are added up together in a row: windows there have as many, or a multiple.
pub(crate) const WINDOW: usize = 8;
/// The samples that are read of four windows, of two such vectors each at most.
pub(crate) const NEAR: usize = 2 * WINDOW + SAMPLES;

/// The bits behind the point of the sums of columns.
const SUM_BITS: u32 = 6;
/// By how much those are shifted, and those of rows.
const DOWN_SHIFT: u32 = WEIGHT_BITS - SUM_BITS;
const ACROSS_SHIFT: u32 = WEIGHT_BITS + SUM_BITS;

/// Writes the samples of pixels channel by channel, each `stride` samples behind the one before.
pub(crate) fn separate(channels: usize, pixels: &[u8], stride: usize, to: &mut [u8]) {
    match (channels, to.split_at_mut(stride)) {
        (1, _) => to[..pixels.len()].copy_from_slice(pixels),
        (3, (first, rest)) => {
            let (second, third) = rest.split_at_mut(stride);
            let (whole, rest) = pixels.as_chunks::<{ 3 * SAMPLES }>();
            let planes = first.as_chunks_mut::<SAMPLES>().0.iter_mut();
            let planes =
                planes.zip(second.as_chunks_mut::<SAMPLES>().0).zip(third.as_chunks_mut::<SAMPLES>().0);
            let mut last = [0; 3 * SAMPLES];
            last[..rest.len()].copy_from_slice(rest);
            let whole = whole.iter().chain([&last]);
            // There is room for whole vectors.
            whole.zip(planes).for_each(|(pixels, ((first, second), third))| {
                [*first, *second, *third] = thirds(pixels);
            });
        }
        _ => {
            for (at, pixel) in pixels.chunks_exact(channels).enumerate() {
                for (channel, &sample) in pixel.iter().enumerate() {
                    to[channel * stride + at] = sample;
                }
            }
        }
    }
}
