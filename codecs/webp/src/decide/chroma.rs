//! Chroma: four blocks of each plane, predicted in one piece. What rounding takes from a block's mean is given to the
//! blocks below and on the right, or else smooth colours would drift.

use super::Search;
use super::score::{Score, filled, last};
use crate::cost;
use crate::distortion::squared;
use crate::lanes::{Arrays, Lanes, arrays, block};
use crate::levels::LevelCosts;
use crate::predict::MODES;
use crate::predict::whole::Edges;
use crate::quant::Quantiser;
use crate::residuals::kind;
use crate::segments::Segment;
use crate::source::Macroblock;
use crate::surroundings::{Error, Surroundings};
use crate::transform;

/// Up to this many levels besides the first, all blocks together count as flat; a mode other than the mean then costs
/// about a bit more for each.
const FLAT: u32 = 2;
const FLAT_COST: i64 = 8 * 140;

pub(super) struct Chroma {
    pub(super) mode: u8,
    pub(super) levels: [[i16; 16]; 8],
    pub(super) below: [[u8; 8]; 2],
    pub(super) right: [[u8; 8]; 2],
    pub(super) error_below: Error,
    pub(super) error_right: Error,
}

struct Coded {
    distortion: i64,
    levels: Arrays,
    filled: [u16; 8],
    pixels: Arrays,
    /// By plane: what is left of the upper right, lower left and lower right block.
    errors: [[i16; 3]; 2],
}

pub(super) fn search(
    picture: &Macroblock,
    around: &Surroundings,
    segment: &Segment,
    costs: &LevelCosts,
    search: &Search,
) -> Chroma {
    let edges = Edges::chroma(around);
    let mut best: Option<(usize, Coded, i64)> = None;
    for mode in 0..search.whole_modes.clamp(1, MODES) {
        let tried = code(picture, around, &edges, segment, mode);
        let filled = &tried.filled;
        let mut score = Score { distortion: tried.distortion, rate: i64::from(cost::modes().chroma[mode]) };
        if mode > 0 && filled.iter().map(|bits| (bits & !1).count_ones()).sum::<u32>() <= FLAT {
            score.rate += FLAT_COST;
        }
        if best.as_ref().is_some_and(|&(_, _, best)| score.weigh(segment.lambda_chroma) >= best) {
            continue;
        }
        score.rate += i64::from(rate(&tried.levels, filled, around, costs));
        let weight = score.weigh(segment.lambda_chroma);
        if best.as_ref().is_none_or(|&(_, _, best)| weight < best) {
            best = Some((mode, tried, weight));
        }
    }
    let (mode, coded) = match best {
        Some((mode, coded, _)) => (mode, coded),
        None => (0, code(picture, around, &edges, segment, 0)),
    };
    finish(mode, &coded)
}

fn finish(mode: usize, coded: &Coded) -> Chroma {
    let pixels = &coded.pixels;
    // Of the last error the block on the right has three quarters.
    let onwards = coded.errors.map(|[_, _, corner]| (3 * corner) >> 2);
    Chroma {
        mode: mode as u8,
        levels: std::array::from_fn(|index| block(&coded.levels, index)),
        below: [0, 4]
            .map(|plane: usize| std::array::from_fn(|x| pixels[12 + x % 4][plane + 2 + x / 4] as u8)),
        right: [0, 4].map(|plane: usize| {
            std::array::from_fn(|y| pixels[4 * (y % 4) + 3][plane + 2 * (y / 4) + 1] as u8)
        }),
        error_below: [0, 1].map(|plane: usize| {
            let [_, below, corner] = coded.errors[plane];
            [below, corner - onwards[plane]]
        }),
        error_right: [0, 1].map(|plane: usize| [coded.errors[plane][0], onwards[plane]]),
    }
}

#[inline(never)]
fn code(picture: &Macroblock, around: &Surroundings, edges: &Edges, segment: &Segment, mode: usize) -> Coded {
    let prediction = edges.predict(mode);
    let mut coefficients = transform::forward(&picture.chroma, &prediction);
    let mut errors = [[0; 3]; 2];
    if segment.diffuses {
        let mut first = coefficients[0].array();
        for (plane, errors) in errors.iter_mut().enumerate() {
            let (above, left) = (around.error_above[plane], around.error_left[plane]);
            *errors = diffuse(&mut first[4 * plane..4 * plane + 4], above, left, &segment.chroma);
        }
        coefficients[0] = Lanes::new(first);
    }
    let levels = segment.chroma.quantise(&mut coefficients);
    let pixels = transform::inverse(&coefficients, &prediction);
    let distortion = i64::from(squared(&picture.chroma, &pixels).iter().sum::<i32>());
    Coded { distortion, filled: filled(&levels), levels: arrays(&levels), pixels: arrays(&pixels), errors }
}

/// Gives the first coefficients of a plane's four blocks what their neighbours lost, and rounds them.
fn diffuse(first: &mut [i16], above: [i16; 2], left: [i16; 2], quantiser: &Quantiser) -> [i16; 3] {
    let mut round = |index: usize, above: i16, left: i16| {
        let wanted = first[index] + ((7 * above + 8 * left) >> 3);
        let rounded = quantiser.level(wanted, 0) * quantiser.step[0] as i16;
        first[index] = rounded;
        let (off, sign) = (wanted.abs() - rounded.abs(), wanted.signum());
        (if sign < 0 { -off } else { off }) >> 1
    };
    let upper_left = round(0, above[0], left[0]);
    let upper_right = round(1, above[1], upper_left);
    let lower_left = round(2, upper_left, left[1]);
    let lower_right = round(3, upper_right, lower_left);
    [upper_right, lower_left, lower_right]
}

fn rate(levels: &Arrays, filled: &[u16; 8], around: &Surroundings, costs: &LevelCosts) -> u32 {
    let (mut above, mut left) = (around.filled_above.chroma, around.filled_left.chroma);
    let mut rate = 0;
    for index in 0..8 {
        let plane = index / 4;
        let (above, left) = (&mut above[plane][index % 2], &mut left[plane][index % 4 / 2]);
        let context = usize::from(*above + *left);
        rate += costs.of_block(kind::CHROMA, context, last(filled[index]), |at| levels[at][index]);
        *above = u8::from(filled[index] != 0);
        *left = *above;
    }
    rate
}
