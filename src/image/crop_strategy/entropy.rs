//! The strategy `"entropy"`: keeps the window whose histogram of luma has the highest entropy.

use super::{Overview, best};
use crate::image::log2::log2;

/// The number of bins of a histogram.
const BINS: usize = 32;

/// The start of the window of `length` lines.
pub(super) fn find(overview: &Overview<'_>, length: usize) -> usize {
    let lines = overview.lines();
    let histograms: Vec<[u64; BINS]> = (0..lines).map(|line| histogram(overview, line)).collect();
    // The same for all windows: as many pixels, each with the most bits.
    let pixels = length as u64 * histograms.first().map_or(0, |bins| bins.iter().sum());
    best(lines, length, |start| {
        let mut bins = [0_u64; BINS];
        for line in &histograms[start..start + length] {
            bins.iter_mut().zip(line).for_each(|(sum, count)| *sum += count);
        }
        // The entropy of N pixels in bins of n is log N - (Σ n log n) / N.
        let weighed = |count: u64| count * log2(count) as u64;
        weighed(pixels).saturating_sub(bins.into_iter().map(weighed).sum())
    })
}

fn histogram(overview: &Overview<'_>, line: usize) -> [u64; BINS] {
    let mut bins = [0; BINS];
    for pixel in overview.each(line) {
        let luma = Overview::luma(overview.color(pixel)) as usize;
        bins[(luma * BINS / 256).min(BINS - 1)] += 1;
    }
    bins
}
