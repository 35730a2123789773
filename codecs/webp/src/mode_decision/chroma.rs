//! Chroma: the four subblocks of U and V, predicted by one mode. The quantization error of each DC is carried on to the
//! subblocks below and on the right, since smooth colors would drift otherwise.

use super::Search;
use super::rd_score::{RdScore, last_nonzero, nonzero_mask};
use crate::bit_cost;
use crate::coeffs::block_type;
use crate::dct;
use crate::distortion::sse;
use crate::lanes::{Arrays, Lanes, arrays, block};
use crate::level_cost::LevelCosts;
use crate::macroblock::Macroblock;
use crate::mb_context::{DcErrors, MbContext};
use crate::predict::intra16::Edges;
use crate::predict::{DC_PRED, MODES};
use crate::quant::QuantMatrix;
use crate::segments::Segment;

/// Up to this many AC levels in all subblocks together, chroma counts as flat; a mode other than `DC_PRED` then costs this
/// much more, about half a bit a subblock, in 256ths.
const FLAT_LEVELS: u32 = 2;
const FLAT_PENALTY: i64 = 8 * 140;

pub(super) struct Chroma {
    pub(super) mode: u8,
    pub(super) levels: [[i16; 16]; 8],
    /// The reconstructed bottom row and right column of each plane.
    pub(super) bottom: [[u8; 8]; 2],
    pub(super) right: [[u8; 8]; 2],
    pub(super) dc_errors_bottom: DcErrors,
    pub(super) dc_errors_right: DcErrors,
}

struct Coded {
    distortion: i64,
    levels: Arrays,
    nonzero: [u16; 8],
    pixels: Arrays,
    /// By plane: the DC errors of the upper right, lower left and lower right subblock.
    dc_errors: [[i16; 3]; 2],
}

pub(super) fn search(
    source: &Macroblock,
    context: &MbContext,
    segment: &Segment,
    costs: &LevelCosts,
    search: &Search,
) -> Chroma {
    let edges = Edges::chroma(context);
    let mut best: Option<(usize, Coded, i64)> = None;
    for mode in 0..search.intra16_modes.clamp(1, MODES) {
        let tried = code(source, context, &edges, segment, mode);
        let rate = i64::from(bit_cost::mode_costs().uv[mode]);
        let mut score = RdScore { distortion: tried.distortion, rate };
        let ac_levels: u32 = tried.nonzero.iter().map(|mask| (mask & !1).count_ones()).sum();
        if mode != DC_PRED && ac_levels <= FLAT_LEVELS {
            score.rate += FLAT_PENALTY;
        }
        if best.as_ref().is_some_and(|&(_, _, best)| score.total(segment.lambda_uv) >= best) {
            continue;
        }
        score.rate += i64::from(rate_of_levels(&tried, context, costs));
        let total = score.total(segment.lambda_uv);
        if best.as_ref().is_none_or(|&(_, _, best)| total < best) {
            best = Some((mode, tried, total));
        }
    }
    let (mode, coded) = match best {
        Some((mode, coded, _)) => (mode, coded),
        None => (DC_PRED, code(source, context, &edges, segment, DC_PRED)),
    };
    finish(mode, &coded)
}

fn finish(mode: usize, coded: &Coded) -> Chroma {
    let pixels = &coded.pixels;
    Chroma {
        mode: mode as u8,
        levels: std::array::from_fn(|index| block(&coded.levels, index)),
        bottom: [0, 4]
            .map(|plane: usize| std::array::from_fn(|x| pixels[12 + x % 4][plane + 2 + x / 4] as u8)),
        right: [0, 4].map(|plane: usize| {
            std::array::from_fn(|y| pixels[4 * (y % 4) + 3][plane + 2 * (y / 4) + 1] as u8)
        }),
        dc_errors_bottom: coded.dc_errors.map(|[_, lower_left, lower_right]| [lower_left, lower_right]),
        dc_errors_right: coded.dc_errors.map(|[upper_right, _, lower_right]| [upper_right, lower_right]),
    }
}

#[inline(never)]
fn code(source: &Macroblock, context: &MbContext, edges: &Edges, segment: &Segment, mode: usize) -> Coded {
    let prediction = edges.predict(mode);
    let mut coefficients = dct::forward(&source.chroma, &prediction);
    let mut dc_errors = [[0; 3]; 2];
    if segment.diffuses_dc_errors {
        let mut dcs = coefficients[0].array();
        for (plane, errors) in dc_errors.iter_mut().enumerate() {
            let (top, left) = (context.dc_errors_top[plane], context.dc_errors_left[plane]);
            *errors = diffuse(&mut dcs[4 * plane..4 * plane + 4], top, left, &segment.uv);
        }
        coefficients[0] = Lanes::new(dcs);
    }
    let levels = segment.uv.quantize(&mut coefficients);
    let pixels = dct::inverse(&coefficients, &prediction);
    let distortion = i64::from(sse(&source.chroma, &pixels).iter().sum::<i32>());
    Coded {
        distortion,
        nonzero: nonzero_mask(&levels),
        levels: arrays(&levels),
        pixels: arrays(&pixels),
        dc_errors,
    }
}

/// Quantizes the DCs of a plane's subblocks, each with its share of the errors above and on the left. 5/16 of the error of a
/// subblock goes to the right and as much down; the rest is dropped, so that errors fade instead of piling up.
///
/// The DCs become what decoders see. Returns the errors of the upper right, lower left and lower right subblock.
fn diffuse(dcs: &mut [i16], top: [i16; 2], left: [i16; 2], matrix: &QuantMatrix) -> [i16; 3] {
    let mut errors = [0; 4];
    for (index, dc) in dcs.iter_mut().enumerate().take(4) {
        let error_top = if index < 2 { top[index] } else { errors[index - 2] };
        let error_left = if index % 2 == 0 { left[index / 2] } else { errors[index - 1] };
        let target = *dc + 5 * (error_top + error_left) / 16;
        *dc = matrix.level(target, 0) * matrix.step[0] as i16;
        errors[index] = target - *dc;
    }
    [errors[1], errors[2], errors[3]]
}

fn rate_of_levels(coded: &Coded, context: &MbContext, costs: &LevelCosts) -> u32 {
    let (mut top, mut left) = (context.nz_top.uv, context.nz_left.uv);
    let mut rate = 0;
    for index in 0..8 {
        let plane = index / 4;
        let (top, left) = (&mut top[plane][index % 2], &mut left[plane][index % 4 / 2]);
        let mask = coded.nonzero[index];
        let context = usize::from(*top + *left);
        rate += costs.block(block_type::CHROMA, context, last_nonzero(mask), |i| coded.levels[i][index]);
        *top = u8::from(mask != 0);
        *left = *top;
    }
    rate
}
