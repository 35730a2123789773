//! Luma predicted subblock by subblock (`B_PRED`), each from those before it. Eight modes of a subblock are tried at once, one
//! lane each.

use super::Search;
use super::rd_score::{RdScore, last_nonzero, nonzero_mask, texture_loss, weigh_texture};
use crate::bit_cost;
use crate::coeffs::block_type;
use crate::dct;
use crate::distortion::{sse, texture};
use crate::lanes::{Arrays, Blocks, LANES, Lanes, arrays, block};
use crate::level_cost::LevelCosts;
use crate::macroblock::Macroblock;
use crate::mb_context::MbContext;
use crate::predict::intra4::{B_DC_PRED, Edge, MODES, predict};
use crate::segments::Segment;
use crate::trellis::{self, TrellisBlock};

/// The stride of [`Recon`]: one pixel on the left and four on the right of a macroblock, rounded up.
const STRIDE: usize = 24;
/// Up to this many AC levels a subblock counts as flat; a mode other than `B_DC_PRED` then costs this much more, about half a
/// bit, in 256ths.
const FLAT_LEVELS: u32 = 3;
const FLAT_PENALTY: i64 = 140;

pub(super) struct Intra4 {
    pub(super) modes: [u8; 16],
    /// What the modes cost, in 256ths of a bit.
    pub(super) mode_cost: u32,
    pub(super) levels: [[i16; 16]; 16],
    /// The reconstructed bottom row and right column.
    pub(super) bottom: [u8; 16],
    pub(super) right: [u8; 16],
}

/// None if `intra16` is at least as good, or if the modes cost more than partition 0 has room for.
pub(super) fn search(
    source: &Macroblock,
    context: &MbContext,
    segment: &Segment,
    costs: &LevelCosts,
    search: &Search,
    intra16: &RdScore,
) -> Option<Intra4> {
    let bound = intra16.total(segment.lambda_mode);
    let mut score = RdScore { distortion: 0, rate: i64::from(bit_cost::mode_costs().b_pred) };
    if score.total(segment.lambda_mode) >= bound {
        return None;
    }
    let mut recon = Recon::new(context);
    let mut intra4 =
        Intra4 { modes: [0; 16], mode_cost: 0, levels: [[0; 16]; 16], bottom: [0; 16], right: [0; 16] };
    let (mut top, mut left) = (context.nz_top.y, context.nz_left.y);
    for index in 0..16 {
        let (x, y) = (index % 4, index / 4);
        let mode_costs = mode_costs(&intra4.modes, context, index);
        let nz_context = usize::from(top[x] + left[y]);
        let predictions = predict(&recon.edge(x, y));
        let modes = nearest(&source.subblocks[index], &predictions, mode_costs, segment.lambda_intra4);
        let coded = code(source, index, &predictions, &modes, segment);
        let (lane, cost) =
            best(&coded, &modes, mode_costs, segment.lambda_intra4, search.intra4_modes, |lane| {
                let last = last_nonzero(coded.nonzero[lane]);
                costs.block(block_type::Y_WITH_DC, nz_context, last, |i| coded.levels[i][lane])
            });
        score.add(cost);
        if score.total(segment.lambda_mode) >= bound {
            return None;
        }
        intra4.mode_cost += u32::from(mode_costs[usize::from(modes[lane])]);
        if intra4.mode_cost > search.max_intra4_mode_cost {
            return None;
        }
        intra4.modes[index] = modes[lane];
        if search.trellis {
            let block_context = TrellisBlock {
                block_type: block_type::Y_WITH_DC,
                context: nz_context,
                lambda: segment.lambda_trellis_intra4,
                costs,
            };
            let prediction = &predictions[usize::from(modes[lane])];
            let (levels, pixels) = requantize(&source.subblocks[index], prediction, segment, &block_context);
            intra4.levels[index] = levels;
            recon.put(x, y, &pixels, 0);
            top[x] = u8::from(levels != [0; 16]);
        } else {
            intra4.levels[index] = block(&coded.levels, lane);
            recon.put(x, y, &coded.pixels, lane);
            top[x] = u8::from(coded.nonzero[lane] != 0);
        }
        left[y] = top[x];
    }
    (intra4.bottom, intra4.right) = recon.borders();
    Some(intra4)
}

/// What each mode of a subblock costs, given the modes above and on the left.
fn mode_costs(modes: &[u8; 16], context: &MbContext, index: usize) -> &'static [u16; MODES] {
    let (x, y) = (index % 4, index / 4);
    let top = if y == 0 { context.modes_top[x] } else { modes[index - 4] };
    let left = if x == 0 { context.modes_left[y] } else { modes[index - 1] };
    &bit_cost::mode_costs().intra4[usize::from(top)][usize::from(left)]
}

/// The eight modes with the smallest squared prediction error plus mode cost, best first.
#[inline]
fn nearest(
    source: &[u8; 16],
    predictions: &[[u8; 16]; MODES],
    costs: &[u16; MODES],
    lambda: i64,
) -> [u8; LANES] {
    let mut order: [(u32, u8); MODES] = std::array::from_fn(|mode| {
        let error: u32 =
            predictions[mode].iter().zip(source).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum();
        (256 * error + u32::from(costs[mode]) * lambda as u32, mode as u8)
    });
    // By insertion: the library's sort is code for long lists as well.
    for end in 1..MODES {
        let mut at = end;
        while at > 0 && order[at] < order[at - 1] {
            order.swap(at - 1, at);
            at -= 1;
        }
    }
    std::array::from_fn(|rank| order[rank].1)
}

/// A subblock coded by eight modes.
struct Coded {
    distortion: [i32; LANES],
    levels: Arrays,
    nonzero: [u16; LANES],
    pixels: Arrays,
}

#[inline(never)]
fn code(
    source: &Macroblock,
    index: usize,
    predictions: &[[u8; 16]; MODES],
    modes: &[u8; LANES],
    segment: &Segment,
) -> Coded {
    let pixels = splat(&source.subblocks[index]);
    let mut prediction = [[0; LANES]; 16];
    for (lane, &mode) in modes.iter().enumerate() {
        for (i, &pixel) in predictions[usize::from(mode)].iter().enumerate() {
            prediction[i][lane] = i16::from(pixel);
        }
    }
    let prediction = std::array::from_fn(|i| Lanes::new(prediction[i]));
    let mut coefficients = dct::forward(&pixels, &prediction);
    let levels = segment.y1.quantize(&mut coefficients);
    let recon = dct::inverse(&coefficients, &prediction);
    let mut distortion = sse(&pixels, &recon);
    if segment.texture_weight > 0 {
        for (distortion, texture) in distortion.iter_mut().zip(texture(&recon)) {
            let loss = texture_loss(source.textures[index], texture);
            *distortion += weigh_texture(segment.texture_weight, loss);
        }
    }
    Coded { distortion, nonzero: nonzero_mask(&levels), levels: arrays(&levels), pixels: arrays(&recon) }
}

/// Quantizes a subblock by the trellis. The reconstruction is in lane 0.
fn requantize(
    source: &[u8; 16],
    prediction: &[u8; 16],
    segment: &Segment,
    block_context: &TrellisBlock<'_>,
) -> ([i16; 16], Arrays) {
    let (source, prediction) = (splat(source), splat(prediction));
    let mut coefficients = block(&arrays(&dct::forward(&source, &prediction)), 0);
    let levels = trellis::quantize(&mut coefficients, &segment.y1, block_context);
    let coefficients = std::array::from_fn(|i| Lanes::splat(coefficients[i]));
    (levels, arrays(&dct::inverse(&coefficients, &prediction)))
}

/// The same subblock in all lanes.
#[inline(always)]
fn splat(pixels: &[u8; 16]) -> Blocks {
    std::array::from_fn(|i| Lanes::splat(i16::from(pixels[i])))
}

/// The lane with the least cost among the first `modes_tried`. The rate of levels is only computed where the rest is below the
/// best so far.
#[inline]
fn best(
    coded: &Coded,
    modes: &[u8; LANES],
    costs: &[u16; MODES],
    lambda: i64,
    modes_tried: usize,
    rate: impl Fn(usize) -> u32,
) -> (usize, RdScore) {
    let scores: [RdScore; LANES] = std::array::from_fn(|lane| {
        let mode = usize::from(modes[lane]);
        let is_flat = mode != B_DC_PRED && (coded.nonzero[lane] & !1).count_ones() <= FLAT_LEVELS;
        let rate = i64::from(costs[mode]) + if is_flat { FLAT_PENALTY } else { 0 };
        RdScore { distortion: i64::from(coded.distortion[lane]), rate }
    });
    let mut best = (0, RdScore::default(), i64::MAX);
    for (lane, &partial) in scores.iter().enumerate().take(modes_tried) {
        if partial.total(lambda) >= best.2 {
            continue;
        }
        let score = RdScore { rate: partial.rate + i64::from(rate(lane)), ..partial };
        let total = score.total(lambda);
        if total < best.2 {
            best = (lane, score, total);
        }
    }
    (best.0, best.1)
}

/// The reconstructed pixels of the macroblock with their neighbors.
struct Recon([u8; STRIDE * 17]);

impl Recon {
    fn new(context: &MbContext) -> Self {
        let mut pixels = [0; STRIDE * 17];
        pixels[0] = context.y.corner;
        pixels[1..17].copy_from_slice(&context.y.top);
        for y in 0..16 {
            pixels[(1 + y) * STRIDE] = context.y.left[y];
        }
        // All subblocks of the right column use the row above the macroblock as top right (RFC 6386, section 12.3).
        for y in [0, 4, 8, 12] {
            pixels[y * STRIDE + 17..y * STRIDE + 21].copy_from_slice(&context.top_right);
        }
        Self(pixels)
    }

    fn edge(&self, x: usize, y: usize) -> Edge {
        let corner = 4 * y * STRIDE + 4 * x;
        std::array::from_fn(|i| match i {
            0..4 => self.0[corner + (4 - i) * STRIDE],
            _ => self.0[corner + i - 4],
        })
    }

    #[inline]
    fn put(&mut self, x: usize, y: usize, pixels: &Arrays, lane: usize) {
        for row in 0..4 {
            let start = (4 * y + row + 1) * STRIDE + 4 * x + 1;
            for column in 0..4 {
                self.0[start + column] = pixels[4 * row + column][lane] as u8;
            }
        }
    }

    /// The bottom row and the right column of the macroblock.
    fn borders(&self) -> ([u8; 16], [u8; 16]) {
        let bottom = std::array::from_fn(|x| self.0[16 * STRIDE + 1 + x]);
        (bottom, std::array::from_fn(|y| self.0[(1 + y) * STRIDE + 16]))
    }
}
