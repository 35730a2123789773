//! Luma predicted by one mode for the whole macroblock: sixteen subblocks, whose DCs are coded in the Y2 block.

use super::Search;
use super::rd_score::{RdScore, last_nonzero, nonzero_mask, texture_loss, weigh_texture};
use crate::bit_cost;
use crate::coeffs::block_type;
use crate::distortion::{sse, texture};
use crate::lanes::{Arrays, Lanes, arrays, block};
use crate::level_cost::LevelCosts;
use crate::macroblock::Macroblock;
use crate::mb_context::MbContext;
use crate::predict::intra16::Edges;
use crate::predict::{MODES, TM_PRED};
use crate::segments::Segment;
use crate::tables::ZIGZAG;
use crate::trellis::{self, TrellisBlock};
use crate::{dct, wht};

pub(super) struct Intra16 {
    pub(super) mode: u8,
    pub(super) score: RdScore,
    /// The distortion without texture.
    sse: i32,
    pub(super) y2_levels: [i16; 16],
    /// The levels of the upper and the lower eight subblocks, without DC.
    ac_levels: [Arrays; 2],
    nonzero: [[u16; 8]; 2],
    recon: [Arrays; 2],
    pub(super) dc_step: u16,
    /// The source is of one color and predicted almost exactly: intra4 could only disturb it.
    pub(super) is_flat: bool,
}

impl Intra16 {
    pub(super) fn levels(&self) -> [[i16; 16]; 16] {
        std::array::from_fn(|index| block(&self.ac_levels[index / 8], index % 8))
    }

    /// The reconstructed bottom row and right column.
    pub(super) fn edges(&self) -> ([u8; 16], [u8; 16]) {
        let bottom = std::array::from_fn(|x| self.recon[1][12 + x % 4][4 + x / 4] as u8);
        let right = std::array::from_fn(|y| self.recon[y / 8][4 * (y % 4) + 3][4 * (y % 8 / 4) + 3] as u8);
        (bottom, right)
    }
}

pub(super) fn search(
    source: &Macroblock,
    context: &MbContext,
    segment: &Segment,
    costs: &LevelCosts,
    search: &Search,
) -> Intra16 {
    let edges = Edges::luma(context);
    let is_flat = source.is_flat();
    let mut best: Option<(Intra16, i64)> = None;
    for mode in 0..search.intra16_modes.clamp(1, MODES) {
        let mut tried = code(source, &edges, segment, mode);
        if mode == TM_PRED
            && is_flat
            && tried.nonzero.as_flattened().iter().map(|mask| mask.count_ones()).sum::<u32>() <= 1
        {
            tried.is_flat = true;
            tried.score = RdScore::default();
            best = Some((tried, 0));
            break;
        }
        tried.score.rate = i64::from(bit_cost::mode_costs().intra16[mode]);
        if best.as_ref().is_some_and(|&(_, best)| tried.score.total(segment.lambda_intra16) >= best) {
            continue;
        }
        tried.score.rate += i64::from(rate(&tried, context, costs));
        let total = tried.score.total(segment.lambda_intra16);
        if best.as_ref().is_none_or(|&(_, best)| total < best) {
            best = Some((tried, total));
        }
    }
    let mut intra16 = best.map_or_else(|| code(source, &edges, segment, 0), |(intra16, _)| intra16);
    if intra16.nonzero == [[0; 8]; 2] && intra16.sse > segment.min_sse {
        intra16.dc_step = largest_dc_step(&dequantized_dcs(&intra16, segment));
    }
    if search.trellis && !intra16.is_flat {
        requantize(&mut intra16, source, &edges, context, segment, costs);
    }
    intra16
}

/// Quantizes AC by the trellis, with the mode and Y2 as they were decided.
fn requantize(
    intra16: &mut Intra16,
    source: &Macroblock,
    edges: &[Edges; 2],
    context: &MbContext,
    segment: &Segment,
    costs: &LevelCosts,
) {
    let (mut top, mut left) = (context.nz_top.y, context.nz_left.y);
    let dcs = dequantized_dcs(intra16, segment);
    for half in 0..2 {
        let prediction = edges[half].predict(usize::from(intra16.mode));
        let mut coefficients = arrays(&dct::forward(&source.luma[half], &prediction));
        for lane in 0..8 {
            let (top, left) = (&mut top[lane % 4], &mut left[2 * half + lane / 4]);
            let block_context = TrellisBlock {
                block_type: block_type::Y_AFTER_Y2,
                context: usize::from(*top + *left),
                lambda: segment.lambda_trellis_intra16,
                costs,
            };
            let mut own = block(&coefficients, lane);
            let levels = trellis::quantize(&mut own, &segment.y1, &block_context);
            own[0] = dcs[8 * half + lane];
            for i in 0..16 {
                coefficients[i][lane] = own[i];
                intra16.ac_levels[half][i][lane] = levels[i];
            }
            *top = u8::from(levels != [0; 16]);
            *left = *top;
        }
        intra16.recon[half] =
            arrays(&dct::inverse(&std::array::from_fn(|i| Lanes::new(coefficients[i])), &prediction));
    }
}

/// The luma DCs that decoders see.
#[inline]
fn dequantized_dcs(intra16: &Intra16, segment: &Segment) -> [i16; 16] {
    let mut y2 = intra16.y2_levels;
    for (level, i) in intra16.y2_levels.iter().zip(ZIGZAG) {
        y2[i] = level.wrapping_mul(segment.y2.step[i] as i16);
    }
    wht::inverse(&y2)
}

/// The largest difference between adjacent subblocks that have nothing but a DC, in pixel values.
fn largest_dc_step(dcs: &[i16; 16]) -> u16 {
    let row_steps = dcs.chunks(4).flat_map(|row| row.windows(2)).map(|pair| pair[0].abs_diff(pair[1]));
    let column_steps = dcs.iter().zip(&dcs[4..]).map(|(upper, lower)| upper.abs_diff(*lower));
    // A DC is eight times what it adds to each pixel.
    row_steps.chain(column_steps).max().unwrap_or(0) >> 3
}

#[inline(never)]
fn code(source: &Macroblock, edges: &[Edges; 2], segment: &Segment, mode: usize) -> Intra16 {
    let predictions = [edges[0].predict(mode), edges[1].predict(mode)];
    let [upper, lower] = &source.luma;
    let mut coefficients = [dct::forward(upper, &predictions[0]), dct::forward(lower, &predictions[1])];
    let dcs = [coefficients[0][0].array(), coefficients[1][0].array()];
    let mut y2 = wht::forward(&std::array::from_fn(|index| dcs[index / 8][index % 8]));
    let y2_levels = segment.y2.quantize_block(&mut y2);
    let dcs = wht::inverse(&y2);
    let mut ac_levels = [[[0; 8]; 16]; 2];
    let mut nonzero = [[0; 8]; 2];
    let mut recon = [[[0; 8]; 16]; 2];
    let (mut distortion, mut loss) = (0, 0);
    for half in 0..2 {
        coefficients[half][0] = Lanes::ZERO;
        let levels = segment.y1.quantize(&mut coefficients[half]);
        coefficients[half][0] = Lanes::from_fn(|lane| dcs[8 * half + lane]);
        let pixels = dct::inverse(&coefficients[half], &predictions[half]);
        ac_levels[half] = arrays(&levels);
        nonzero[half] = nonzero_mask(&levels);
        recon[half] = arrays(&pixels);
        distortion += sse(&source.luma[half], &pixels).iter().sum::<i32>();
        if segment.texture_weight > 0 {
            for (lane, texture) in texture(&pixels).into_iter().enumerate() {
                loss += texture_loss(source.textures[8 * half + lane], texture);
            }
        }
    }
    let weighed = distortion + weigh_texture(segment.texture_weight, loss);
    Intra16 {
        mode: mode as u8,
        score: RdScore { distortion: i64::from(weighed), rate: 0 },
        sse: distortion,
        y2_levels,
        ac_levels,
        nonzero,
        recon,
        dc_step: 0,
        is_flat: false,
    }
}

fn rate(intra16: &Intra16, context: &MbContext, costs: &LevelCosts) -> u32 {
    let (mut top, mut left) = (context.nz_top.y, context.nz_left.y);
    let y2_context = usize::from(context.nz_top.y2 + context.nz_left.y2);
    let y2_last = intra16.y2_levels.iter().rposition(|&level| level != 0);
    let mut rate = costs.block(block_type::Y2, y2_context, y2_last, |i| intra16.y2_levels[i]);
    for index in 0..16 {
        let (half, lane) = (index / 8, index % 8);
        let (top, left) = (&mut top[index % 4], &mut left[index / 4]);
        let mask = intra16.nonzero[half][lane];
        let levels = &intra16.ac_levels[half];
        let context = usize::from(*top + *left);
        rate += costs.block(block_type::Y_AFTER_Y2, context, last_nonzero(mask), |i| levels[i][lane]);
        *top = u8::from(mask != 0);
        *left = *top;
    }
    rate
}
