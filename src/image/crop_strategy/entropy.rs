//! The strategy `"entropy"`: keeps the window whose histogram of luma has the highest entropy.

use super::{Overview, best};
use crate::image::log2::log2;

/// The number of bins of a histogram.
const BINS: usize = 32;

/// The start of the window of `length` lines.
#[inline(never)]
pub(super) fn find(overview: &Overview, length: usize) -> usize {
    let histograms: Vec<[u64; BINS]> = overview.pixels.chunks_exact(overview.width).map(histogram).collect();
    // The same for all windows: as many pixels, each with the most bits.
    let pixels = length as u64 * histograms.first().map_or(0, |bins| bins.iter().sum());
    best(overview.lines, length, |start| {
        let mut bins = [0_u64; BINS];
        for line in &histograms[start..start + length] {
            bins.iter_mut().zip(line).for_each(|(sum, count)| *sum += count);
        }
        // The entropy of N pixels in bins of n is log N - (Σ n log n) / N.
        let weighed = |count: u64| count * log2(count) as u64;
        weighed(pixels).saturating_sub(bins.into_iter().map(weighed).sum())
    })
}

fn histogram(line: &[[i32; 4]]) -> [u64; BINS] {
    let mut bins = [0; BINS];
    for &[.., luma] in line {
        bins[(luma as usize * BINS / 256).min(BINS - 1)] += 1;
    }
    bins
}
