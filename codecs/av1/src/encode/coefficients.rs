//! The coefficients of a transform as symbols (AV1 specification, section 5.11.39), with the contexts of the decoder.

use super::coded::CodedTransform;
use crate::entropy::{CdfContext, SymbolSink};
use crate::tile::TileState;
use crate::tile::block::Block;
use crate::tile::coefficient_contexts::Transform;
use crate::tile::coefficient_shape::{HORIZONTAL, MARGIN, Shape, TWO_DIMENSIONS, VERTICAL, class};
use crate::tile::coefficients::{BASE_LEVELS, BASE_OFFSET, GOLOMB_LEVEL, base_context, br_context};
use crate::tile::transform_type::{TxSet, mode_of};
use crate::tile::tx_sizes;
use crate::transform::{TxSize, TxType};

/// The symbols of coeff_br that a level can have.
const MAX_BR: usize = 4;

/// Codes a transform. `scratch` has room for levels with their margin.
pub(super) fn code<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    scratch: &mut [u8],
    (block, coded): (&Block, &CodedTransform),
) {
    let transform = &coded.transform;
    let shape = Shape::new(transform.size, transform.plane);
    let context = tile.all_zero_context(block, transform);
    sink.flag(&mut cdf.coefficients.all_zero[shape.context][context], coded.levels.is_empty());
    if coded.levels.is_empty() {
        return;
    }
    if transform.plane == 0 {
        code_type(sink, cdf, tile, block, (transform.size, coded.tx_type));
    }
    let class = class(coded.tx_type);
    code_eob(sink, cdf, &shape, class != TWO_DIMENSIONS, coded.levels.len());
    match class {
        TWO_DIMENSIONS => code_levels::<S, TWO_DIMENSIONS>(sink, cdf, scratch, &shape, &coded.levels),
        HORIZONTAL => code_levels::<S, HORIZONTAL>(sink, cdf, scratch, &shape, &coded.levels),
        _ => code_levels::<S, VERTICAL>(sink, cdf, scratch, &shape, &coded.levels),
    }
    code_signs(sink, cdf, tile.dc_sign_context(transform), &shape, &coded.levels);
}

/// transform_type.
pub(super) fn code_type<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
    (size, tx_type): (TxSize, TxType),
) {
    if tile.header.base_q_idx_of(block.segment_id) == 0 {
        return;
    }
    let set = TxSet::of(size, block.is_inter(), tile.header.reduced_tx_set);
    let Some(symbol) = set.types().iter().position(|known| *known == tx_type) else { return };
    let (square, mode) = (tx_sizes::shorter(size), mode_of(block));
    match set {
        TxSet::Intra1 => sink.symbol(&mut cdf.intra_tx_type_1[square][mode], symbol),
        TxSet::Intra2 => sink.symbol(&mut cdf.intra_tx_type_2[square][mode], symbol),
        TxSet::Inter1 => sink.symbol(&mut cdf.inter_tx_type_1[square], symbol),
        TxSet::Inter2 => sink.symbol(&mut cdf.inter_tx_type_2, symbol),
        TxSet::Inter3 => sink.flag(&mut cdf.inter_tx_type_3[square], symbol != 0),
        TxSet::DctOnly => {}
    }
}

/// The end of the block.
pub(super) fn code_eob<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    shape: &Shape,
    is_line: bool,
    eob: usize,
) {
    let cdf = &mut cdf.coefficients;
    let (kind, line) = (shape.plane_type, usize::from(is_line));
    let bits = if eob < 3 { 0 } else { (eob - 1).ilog2() };
    let symbol = if eob < 3 { eob - 1 } else { bits as usize + 1 };
    match shape.log2_w + shape.log2_h {
        4 => sink.symbol(&mut cdf.eob_pt_16[kind][line], symbol),
        5 => sink.symbol(&mut cdf.eob_pt_32[kind][line], symbol),
        6 => sink.symbol(&mut cdf.eob_pt_64[kind][line], symbol),
        7 => sink.symbol(&mut cdf.eob_pt_128[kind][line], symbol),
        8 => sink.symbol(&mut cdf.eob_pt_256[kind][line], symbol),
        9 => sink.symbol(&mut cdf.eob_pt_512[kind], symbol),
        _ => sink.symbol(&mut cdf.eob_pt_1024[kind], symbol),
    }
    if bits > 0 {
        let extra = (eob - 1 - (1 << bits)) as u32;
        let high = extra >> (bits - 1);
        sink.flag(&mut cdf.eob_extra[shape.context][kind][symbol - 2], high != 0);
        sink.literal(bits - 1, extra & ((1 << (bits - 1)) - 1));
    }
}

/// The context of the level of the last coefficient, at a place in the scan.
pub(super) fn last_context(shape: &Shape, at: usize) -> usize {
    let count = 1usize << (shape.log2_w + shape.log2_h);
    match at {
        0 => 0,
        _ if at <= count / 8 => 1,
        _ if at <= count / 4 => 2,
        _ => 3,
    }
}

/// The part of a level that is coded as symbols. `levels` begin at the coefficient, with those after it, each at most 15.
#[inline(always)]
pub(super) fn code_level<S: SymbolSink, const CLASS: usize>(
    sink: &mut S,
    cdf: &mut CdfContext,
    shape: &Shape,
    levels: &[u8],
    (position, last, level): (usize, Option<usize>, usize),
) {
    let place = (position >> shape.log2_w, position & ((1 << shape.log2_w) - 1));
    let stride = shape.stride();
    let cdf = &mut cdf.coefficients;
    let base_level = level.min(BASE_LEVELS + 1);
    if let Some(context) = last {
        sink.symbol(&mut cdf.base_eob[shape.context][shape.plane_type][context], base_level - 1);
    } else {
        let context = base_context::<CLASS>(levels, stride, place, &BASE_OFFSET[shape.proportion]);
        sink.symbol(&mut cdf.base[shape.context][shape.plane_type][context], base_level);
    }
    if level > BASE_LEVELS {
        let context = br_context::<CLASS>(levels, stride, place);
        let cdf = &mut cdf.br[shape.context.min(3)][shape.plane_type][context];
        let mut rest = level.min(usize::from(GOLOMB_LEVEL)) - BASE_LEVELS - 1;
        for _ in 0..MAX_BR {
            let more = rest.min(3);
            sink.symbol(cdf, more);
            rest -= more;
            if more < 3 {
                break;
            }
        }
    }
}

fn code_levels<S: SymbolSink, const CLASS: usize>(
    sink: &mut S,
    cdf: &mut CdfContext,
    scratch: &mut [u8],
    shape: &Shape,
    levels: &[i32],
) {
    clear(scratch, shape);
    for (at, level) in levels.iter().enumerate().rev() {
        let position = shape.position::<CLASS>(at);
        let place = place(shape, position);
        let level = level.unsigned_abs() as usize;
        let last = (at + 1 == levels.len()).then(|| last_context(shape, at));
        code_level::<S, CLASS>(sink, cdf, shape, &scratch[place..], (position, last, level));
        scratch[place] = level.min(usize::from(GOLOMB_LEVEL)) as u8;
    }
}

/// Where the level of a position stands in levels with a margin.
#[inline(always)]
fn place(shape: &Shape, position: usize) -> usize {
    (position >> shape.log2_w) * shape.stride() + (position & ((1 << shape.log2_w) - 1))
}

fn clear(scratch: &mut [u8], shape: &Shape) {
    scratch[..shape.stride() * ((1 << shape.log2_h) + MARGIN)].fill(0);
}

fn code_signs<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    dc_context: usize,
    shape: &Shape,
    levels: &[i32],
) {
    for (at, level) in levels.iter().enumerate().filter(|(_, level)| **level != 0) {
        match at {
            0 => sink.flag(&mut cdf.coefficients.dc_sign[shape.plane_type][dc_context], *level < 0),
            _ => sink.bit(*level < 0),
        }
        let magnitude = level.unsigned_abs();
        if magnitude >= u32::from(GOLOMB_LEVEL) {
            code_golomb(sink, magnitude - u32::from(GOLOMB_LEVEL));
        }
    }
}

pub(super) fn code_golomb<S: SymbolSink>(sink: &mut S, value: u32) {
    let length = 32 - (value + 1).leading_zeros();
    sink.literal(length - 1, 0);
    sink.literal(length, value + 1);
}

/// Tells later transforms about one, as the decoder does.
pub(super) fn record(tile: &mut TileState<'_>, transform: &Transform, levels: &[i32]) {
    let sum = levels.iter().fold(0u32, |sum, level| sum.saturating_add(level.unsigned_abs()));
    let category = match levels.first() {
        Some(level) if *level < 0 => 1,
        Some(level) if *level > 0 => 2,
        _ => 0,
    };
    tile.record_coefficients(transform, sum, category);
}
