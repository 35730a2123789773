//! Prediction of a macroblock's luma or chroma in one piece, eight blocks at once.

use super::{GRADIENT, MEAN, VERTICAL};
use crate::lanes::{Blocks, Lanes};
use crate::surroundings::{Border, Surroundings};

/// The pixels around eight blocks: those above by column, those on the left by row, for each block of its own.
pub(crate) struct Edges {
    above: [Lanes; 4],
    left: [Lanes; 4],
    corner: Lanes,
    mean: Lanes,
}

impl Edges {
    /// The upper and the lower eight blocks of luma.
    pub(crate) fn luma(around: &Surroundings) -> [Self; 2] {
        let Border { above, left, corner } = &around.luma;
        let mean = mean(around, above.as_slice(), left.as_slice());
        [0, 8].map(|top| Self {
            above: std::array::from_fn(|x| Lanes::from_fn(|lane| i16::from(above[4 * (lane % 4) + x]))),
            left: std::array::from_fn(|y| Lanes::from_fn(|lane| i16::from(left[top + 4 * (lane / 4) + y]))),
            corner: Lanes::splat(i16::from(*corner)),
            mean: Lanes::splat(mean),
        })
    }

    /// Four blocks of each plane of chroma.
    pub(crate) fn chroma(around: &Surroundings) -> Self {
        let planes = &around.chroma;
        let means = [0, 1]
            .map(|plane: usize| mean(around, planes[plane].above.as_slice(), planes[plane].left.as_slice()));
        Self {
            above: std::array::from_fn(|x| {
                Lanes::from_fn(|lane| i16::from(planes[lane / 4].above[4 * (lane % 2) + x]))
            }),
            left: std::array::from_fn(|y| {
                Lanes::from_fn(|lane| i16::from(planes[lane / 4].left[4 * (lane % 4 / 2) + y]))
            }),
            corner: Lanes::from_fn(|lane| i16::from(planes[lane / 4].corner)),
            mean: Lanes::from_fn(|lane| means[lane / 4]),
        }
    }

    pub(crate) fn predict(&self, mode: usize) -> Blocks {
        match mode {
            MEAN => [self.mean; 16],
            GRADIENT => std::array::from_fn(|place| {
                self.left[place / 4].add(self.above[place % 4]).sub(self.corner).clamp()
            }),
            VERTICAL => std::array::from_fn(|place| self.above[place % 4]),
            _ => std::array::from_fn(|place| self.left[place / 4]),
        }
    }
}

/// Of the pixels that there are in the picture.
fn mean(around: &Surroundings, above: &[u8], left: &[u8]) -> i16 {
    let sum = |pixels: &[u8]| pixels.iter().map(|&pixel| i16::from(pixel)).sum::<i16>();
    let side = above.len() as i16;
    match (around.has_above, around.has_left) {
        (true, true) => (sum(above) + sum(left) + side) / (2 * side),
        (true, false) => (sum(above) + side / 2) / side,
        (false, true) => (sum(left) + side / 2) / side,
        (false, false) => 128,
    }
}
