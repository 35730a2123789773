//! The strategy `"attention"`: keeps what a viewer looks at first, which are details, saturated colors and skin.
//!
//! Each is counted as far as it exceeds its mean in the picture: what is everywhere, such as a lawn or a blue sky, draws no attention. Squares
//! let few strong pixels outweigh many weak ones.

use super::{Overview, best};

/// The chroma of skin, in the middle of the ranges of Chai and Ngan, "Face segmentation using skin-color map in videophone
/// applications" (1999): Cb from 77 to 127 and Cr from 133 to 173.
const SKIN: [(i32, i32); 2] = [(102, 25), (153, 20)];
/// Lumas at which chroma tells skin from other colors.
const SKIN_LUMA: std::ops::RangeInclusive<i32> = 40..=240;
/// What counts how much: detail, saturation, skin.
const WEIGHTS: [i32; 3] = [2, 1, 2];
/// The highest weight of a line in a window.
const MIDDLE: u64 = 512;

/// The start of the window of `length` lines.
#[inline(never)]
pub(super) fn find(overview: &Overview, length: usize) -> usize {
    let features: Vec<[i32; 3]> = (0..overview.pixels.len()).map(|at| features(overview, at)).collect();
    let mean = mean(&features);
    let score_of_line = |line: &[[i32; 3]]| line.iter().map(|pixel| score(pixel, &mean)).sum();
    let scores: Vec<u64> = features.chunks_exact(overview.width).map(score_of_line).collect();
    best(overview.lines, length, |start| {
        // What is in the middle of the window counts twice as much as what is at its edges, so that it does not get cut.
        let weighed = |(at, score): (usize, &u64)| {
            let beside = (2 * at + 1).abs_diff(length) as u64;
            score * (MIDDLE - MIDDLE / 2 * beside * beside / (length * length) as u64)
        };
        scores[start..start + length].iter().enumerate().map(weighed).sum()
    })
}

/// The detail, saturation and likeness to skin of the pixel at an index.
#[inline(never)]
fn features(&Overview { lines, width, ref pixels }: &Overview, at: usize) -> [i32; 3] {
    let (line, x) = (at / width, at % width);
    let luma = |line: usize, x: usize| pixels[line * width + x][3];
    let along = luma(line, (x + 1).min(width - 1)) - luma(line, x.saturating_sub(1));
    let across = luma((line + 1).min(lines - 1), x) - luma(line.saturating_sub(1), x);
    let [red, green, blue, _] = pixels[at];
    let saturation = red.max(green).max(blue) - red.min(green).min(blue);
    [along.abs() + across.abs(), saturation, skin(pixels[at])]
}

/// 255 for the chroma of skin, 0 from the edges of its ranges on.
fn skin([red, _, blue, luma]: [i32; 4]) -> i32 {
    if !SKIN_LUMA.contains(&luma) {
        return 0;
    }
    // ITU-R BT.601, with the full range of JFIF.
    let chroma = [128 + (blue - luma) * 144 / 255, 128 + (red - luma) * 182 / 255];
    let likeness = |(chroma, (middle, reach)): (i32, (i32, i32))| 255 - (chroma - middle).abs() * 255 / reach;
    chroma.into_iter().zip(SKIN).map(likeness).min().unwrap_or_default().max(0)
}

/// The mean of each feature.
fn mean(features: &[[i32; 3]]) -> [i32; 3] {
    let count = features.len().max(1) as u64;
    [0, 1, 2].map(|feature| (features.iter().map(|pixel| pixel[feature] as u64).sum::<u64>() / count) as i32)
}

/// How much a pixel draws attention, at most 2^22.
fn score(pixel: &[i32; 3], mean: &[i32; 3]) -> u64 {
    let excess =
        (0..3).map(|feature| (pixel[feature] - mean[feature]).max(0) * WEIGHTS[feature]).sum::<i32>();
    (excess as u64).pow(2)
}
