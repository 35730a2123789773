//! Luma predicted in sixteen pieces, each from the ones before it. The modes of a piece are tried side by side.

use super::Search;
use super::score::{Score, filled, last, texture_loss, weigh_texture};
use crate::cost;
use crate::distortion::{squared, texture};
use crate::lanes::{Arrays, LANES, Lanes, arrays, block};
use crate::levels::LevelCosts;
use crate::predict::small::{Edge, MODES, predict};
use crate::residuals::kind;
use crate::segments::Segment;
use crate::source::Macroblock;
use crate::surroundings::Surroundings;
use crate::transform;
use crate::trellis::{self, Setting};

/// A row of the pixels around and in the macroblock: one on its left, four on its right.
const WIDTH: usize = 24;
/// Up to this many levels besides the first, a block counts as flat; a mode other than the mean then costs about a bit more.
const FLAT: u32 = 3;
const FLAT_COST: i64 = 140;

pub(super) struct Pieces {
    pub(super) modes: [u8; 16],
    /// What the modes cost, in 256ths of a bit.
    pub(super) header: u32,
    pub(super) levels: [[i16; 16]; 16],
    pub(super) below: [u8; 16],
    pub(super) right: [u8; 16],
}

/// None where it is not better than the `rival`, or its modes cost more than there is room for.
pub(super) fn search(
    picture: &Macroblock,
    around: &Surroundings,
    segment: &Segment,
    costs: &LevelCosts,
    search: &Search,
    rival: &Score,
) -> Option<Pieces> {
    let most = rival.weigh(segment.lambda_mode);
    let mut score = Score { distortion: 0, rate: i64::from(cost::modes().in_pieces) };
    if score.weigh(segment.lambda_mode) >= most {
        return None;
    }
    let mut canvas = Canvas::new(around);
    let mut pieces =
        Pieces { modes: [0; 16], header: 0, levels: [[0; 16]; 16], below: [0; 16], right: [0; 16] };
    let (mut above, mut left) = (around.filled_above.luma, around.filled_left.luma);
    for index in 0..16 {
        let (x, y) = (index % 4, index / 4);
        let mode_above = if y == 0 { around.modes_above[x] } else { pieces.modes[index - 4] };
        let mode_left = if x == 0 { around.modes_left[y] } else { pieces.modes[index - 1] };
        let mode_costs = &cost::modes().small[usize::from(mode_above)][usize::from(mode_left)];
        let context = usize::from(above[x] + left[y]);
        let predictions = predict(&canvas.edge(x, y));
        let modes = likely(&picture.pieces[index], &predictions, mode_costs, segment.lambda_piece);
        let coded = code(picture, index, &predictions, &modes, segment);
        let (lane, cost) =
            best(&coded, &modes, mode_costs, segment.lambda_piece, search.small_modes, |lane| {
                costs.of_block(kind::LUMA, context, last(coded.filled[lane]), |at| coded.levels[at][lane])
            });
        score.add(cost);
        if score.weigh(segment.lambda_mode) >= most {
            return None;
        }
        pieces.header += u32::from(mode_costs[usize::from(modes[lane])]);
        if pieces.header > search.small_header {
            return None;
        }
        pieces.modes[index] = modes[lane];
        if search.trellis {
            let setting = Setting { kind: kind::LUMA, context, lambda: segment.lambda_piece_levels, costs };
            let prediction = &predictions[usize::from(modes[lane])];
            let (levels, pixels) = refine(&picture.pieces[index], prediction, segment, &setting);
            pieces.levels[index] = levels;
            canvas.put(x, y, &pixels, 0);
            above[x] = u8::from(levels != [0; 16]);
        } else {
            pieces.levels[index] = block(&coded.levels, lane);
            canvas.put(x, y, &coded.pixels, lane);
            above[x] = u8::from(coded.filled[lane] != 0);
        }
        left[y] = above[x];
    }
    pieces.below = std::array::from_fn(|x| canvas.0[16 * WIDTH + 1 + x]);
    pieces.right = std::array::from_fn(|y| canvas.0[(1 + y) * WIDTH + 16]);
    Some(pieces)
}

/// The modes whose prediction is nearest, with what naming them costs.
#[inline]
fn likely(
    picture: &[u8; 16],
    predictions: &[[u8; 16]; MODES],
    costs: &[u16; MODES],
    lambda: i64,
) -> [u8; LANES] {
    let mut order: [(u32, u8); MODES] = std::array::from_fn(|mode| {
        let off: u32 =
            predictions[mode].iter().zip(picture).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum();
        (256 * off + u32::from(costs[mode]) * lambda as u32, mode as u8)
    });
    order.sort_unstable();
    std::array::from_fn(|place| order[place].1)
}

/// A piece by each of eight modes.
struct Coded {
    distortion: [i32; LANES],
    levels: Arrays,
    filled: [u16; LANES],
    pixels: Arrays,
}

#[inline(never)]
fn code(
    picture: &Macroblock,
    index: usize,
    predictions: &[[u8; 16]; MODES],
    modes: &[u8; LANES],
    segment: &Segment,
) -> Coded {
    let piece = &picture.pieces[index];
    let wanted = piece.map(|pixel| Lanes::splat(i16::from(pixel)));
    let mut prediction = [[0; LANES]; 16];
    for (lane, &mode) in modes.iter().enumerate() {
        for (place, &pixel) in predictions[usize::from(mode)].iter().enumerate() {
            prediction[place][lane] = i16::from(pixel);
        }
    }
    let prediction = prediction.map(Lanes::new);
    let mut coefficients = transform::forward(&wanted, &prediction);
    let levels = segment.luma.quantise(&mut coefficients);
    let pixels = transform::inverse(&coefficients, &prediction);
    let mut distortion = squared(&wanted, &pixels);
    if segment.texture > 0 {
        let textures = texture(&pixels);
        for (distortion, texture) in distortion.iter_mut().zip(textures) {
            *distortion += weigh_texture(segment.texture, texture_loss(picture.textures[index], texture));
        }
    }
    Coded { distortion, filled: filled(&levels), levels: arrays(&levels), pixels: arrays(&pixels) }
}

/// The levels of a piece whose mode is chosen, and its pixels in the first lane.
fn refine(
    piece: &[u8; 16],
    prediction: &[u8; 16],
    segment: &Segment,
    setting: &Setting<'_>,
) -> ([i16; 16], Arrays) {
    let [piece, prediction] =
        [piece, prediction].map(|pixels| pixels.map(|pixel| Lanes::splat(i16::from(pixel))));
    let mut coefficients = block(&arrays(&transform::forward(&piece, &prediction)), 0);
    let levels = trellis::quantise(&mut coefficients, &segment.luma, setting);
    (levels, arrays(&transform::inverse(&coefficients.map(Lanes::splat), &prediction)))
}

/// The lane that costs least. What levels cost is only counted where the rest leaves room.
#[inline]
fn best(
    coded: &Coded,
    modes: &[u8; LANES],
    costs: &[u16; MODES],
    lambda: i64,
    most: usize,
    rate: impl Fn(usize) -> u32,
) -> (usize, Score) {
    let known: [Score; LANES] = std::array::from_fn(|lane| {
        let mode = usize::from(modes[lane]);
        let flat = mode > 0 && (coded.filled[lane] & !1).count_ones() <= FLAT;
        let rate = i64::from(costs[mode]) + if flat { FLAT_COST } else { 0 };
        Score { distortion: i64::from(coded.distortion[lane]), rate }
    });
    let mut best = (0, Score::default(), i64::MAX);
    for (lane, &known) in known.iter().enumerate().take(most) {
        if known.weigh(lambda) >= best.2 {
            continue;
        }
        let score = Score { rate: known.rate + i64::from(rate(lane)), ..known };
        let weight = score.weigh(lambda);
        if weight < best.2 {
            best = (lane, score, weight);
        }
    }
    (best.0, best.1)
}

/// The macroblock's pixels as they will be decoded, with those around it.
struct Canvas([u8; WIDTH * 17]);

impl Canvas {
    fn new(around: &Surroundings) -> Self {
        let mut pixels = [0; WIDTH * 17];
        pixels[0] = around.luma.corner;
        pixels[1..17].copy_from_slice(&around.luma.above);
        for y in 0..16 {
            pixels[(1 + y) * WIDTH] = around.luma.left[y];
        }
        // The pixels above on the right are those above the macroblock for all pieces at its right edge.
        for y in [0, 4, 8, 12] {
            pixels[y * WIDTH + 17..y * WIDTH + 21].copy_from_slice(&around.beyond);
        }
        Self(pixels)
    }

    fn edge(&self, x: usize, y: usize) -> Edge {
        let corner = 4 * y * WIDTH + 4 * x;
        std::array::from_fn(|place| match place {
            0..4 => self.0[corner + (4 - place) * WIDTH],
            _ => self.0[corner + place - 4],
        })
    }

    fn put(&mut self, x: usize, y: usize, pixels: &Arrays, lane: usize) {
        for row in 0..4 {
            let start = (4 * y + row + 1) * WIDTH + 4 * x + 1;
            for column in 0..4 {
                self.0[start + column] = pixels[4 * row + column][lane] as u8;
            }
        }
    }
}
