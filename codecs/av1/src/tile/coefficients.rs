//! The coefficients of a transform (AV1 specification, section 5.11.39).

use super::block::Block;
use super::coefficient_contexts::Transform;
use super::coefficient_shape::{HORIZONTAL, MARGIN, Shape, TWO_DIMENSIONS, VERTICAL, class};
use super::tile_decoder::TileDecoder;
use crate::entropy::{CdfContext, SymbolDecoder};
use crate::transform::{Dequantizer, TxType};

/// NUM_BASE_LEVELS: larger levels go on with coeff_br.
pub(crate) const BASE_LEVELS: usize = 2;
/// Levels from here on go on as Golomb codes.
pub(crate) const GOLOMB_LEVEL: u8 = 15;
/// The most bits of a Golomb code's length, as libaom and dav1d have it.
const MAX_GOLOMB_LENGTH: u32 = 32;
/// What is kept of a level.
const LEVEL_MASK: u32 = 0xF_FFFF;

/// Coeff_Base_Ctx_Offset for squares, for transforms that are higher than wide, and for those that are wider than high.
pub(crate) const BASE_OFFSET: [[[u8; 5]; 5]; 3] = [
    [[0, 1, 6, 6, 21], [1, 6, 6, 21, 21], [6, 6, 21, 21, 21], [6, 21, 21, 21, 21], [21; 5]],
    [[0, 11, 11, 11, 11], [11; 5], [6, 6, 21, 21, 21], [6, 21, 21, 21, 21], [21; 5]],
    [
        [0, 16, 6, 6, 21],
        [16, 16, 6, 21, 21],
        [16, 16, 21, 21, 21],
        [16, 16, 21, 21, 21],
        [16, 16, 21, 21, 21],
    ],
];
/// Coeff_Base_Pos_Ctx_Offset.
const BASE_LINE_OFFSET: [u8; 3] = [26, 31, 36];

/// What was read of a transform.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coefficients {
    pub(super) tx_type: TxType,
    /// The rows and columns that have coefficients.
    pub(super) rows: usize,
    pub(super) cols: usize,
}

impl TileDecoder<'_> {
    /// coeffs: reads, dequantizes and records a transform. None if all its coefficients are zero.
    pub(super) fn read_coefficients(
        &mut self,
        block: &Block,
        transform: &Transform,
        (dc, ac): (i32, i32),
    ) -> Option<Coefficients> {
        let shape = Shape::new(transform.size, transform.plane);
        let context = self.tile.all_zero_context(block, transform);
        let all_zero = self.symbols.flag(&mut self.cdf.coefficients.all_zero[shape.context][context]);
        let place = (transform.row, transform.col);
        let tx_type = match transform.plane {
            0 if all_zero => TxType::DctDct,
            0 => self.read_transform_type(block, transform.size),
            _ => self.tile.chroma_transform_type(block, transform.size, place),
        };
        if transform.plane == 0 && block.is_inter() {
            self.tile.record_transform_type(block, transform.size, place, tx_type);
        }
        if all_zero {
            self.tile.record_coefficients(transform, 0, 0);
            return None;
        }
        let class = class(tx_type);
        let eob = read_eob(&mut self.symbols, &mut self.cdf, &shape, class != TWO_DIMENSIONS);
        let (symbols, cdf, levels) = (&mut self.symbols, &mut self.cdf, &mut self.tile.work.levels);
        match class {
            TWO_DIMENSIONS => read_levels::<TWO_DIMENSIONS>(symbols, cdf, levels, &shape, eob),
            HORIZONTAL => read_levels::<HORIZONTAL>(symbols, cdf, levels, &shape, eob),
            _ => read_levels::<VERTICAL>(symbols, cdf, levels, &shape, eob),
        }
        let is_weighted = (tx_type as u8) < TxType::Idtx as u8;
        let matrix = self.tile.header.matrix_level(block.segment_id, transform.plane).filter(|_| is_weighted);
        let matrix = matrix.map(|level| (level, transform.plane > 0));
        let depth = self.tile.sequence.color.bit_depth;
        let dequantizer = Dequantizer::new(dc, ac, transform.size, matrix, depth);
        let (rows, cols) = match class {
            TWO_DIMENSIONS => self.read_signs::<TWO_DIMENSIONS>(transform, &shape, eob, &dequantizer),
            HORIZONTAL => self.read_signs::<HORIZONTAL>(transform, &shape, eob, &dequantizer),
            _ => self.read_signs::<VERTICAL>(transform, &shape, eob, &dequantizer),
        };
        Some(Coefficients { tx_type, rows, cols })
    }

    /// Reads signs and large levels, and dequantizes. Returns the rows and columns that have coefficients.
    fn read_signs<const CLASS: usize>(
        &mut self,
        transform: &Transform,
        shape: &Shape,
        eob: usize,
        dequantizer: &Dequantizer,
    ) -> (usize, usize) {
        let dc_context = self.tile.dc_sign_context(transform);
        let stride = shape.stride();
        let (mut level_sum, mut dc_category) = (0u32, 0);
        let (mut rows, mut cols) = (0, 0);
        for at in 0..eob {
            let position = shape.position::<CLASS>(at);
            let (row, col) = (position >> shape.log2_w, position & ((1 << shape.log2_w) - 1));
            let level = self.tile.work.levels[row * stride + col];
            if level == 0 {
                continue;
            }
            let is_negative = match at {
                0 => {
                    let cdf = &mut self.cdf.coefficients.dc_sign[shape.plane_type][dc_context];
                    self.symbols.flag(cdf)
                }
                _ => self.symbols.bit(),
            };
            let mut level = u32::from(level);
            if level == u32::from(GOLOMB_LEVEL) {
                level = (level + read_golomb(&mut self.symbols)) & LEVEL_MASK;
            }
            if position == 0 && level > 0 {
                dc_category = if is_negative { 1 } else { 2 };
            }
            level_sum = level_sum.saturating_add(level);
            (rows, cols) = (rows.max(row + 1), cols.max(col + 1));
            let level = if is_negative { -(level as i32) } else { level as i32 };
            self.tile.work.coefficients[position] = dequantizer.coefficient(position, level);
        }
        self.tile.record_coefficients(transform, level_sum, dc_category);
        (rows, cols)
    }
}

/// The end of the block: how many coefficients are coded.
fn read_eob(symbols: &mut SymbolDecoder<'_>, cdf: &mut CdfContext, shape: &Shape, is_line: bool) -> usize {
    let cdf = &mut cdf.coefficients;
    let (kind, line) = (shape.plane_type, usize::from(is_line));
    let point = 1 + match shape.log2_w + shape.log2_h {
        4 => symbols.symbol(&mut cdf.eob_pt_16[kind][line]),
        5 => symbols.symbol(&mut cdf.eob_pt_32[kind][line]),
        6 => symbols.symbol(&mut cdf.eob_pt_64[kind][line]),
        7 => symbols.symbol(&mut cdf.eob_pt_128[kind][line]),
        8 => symbols.symbol(&mut cdf.eob_pt_256[kind][line]),
        9 => symbols.symbol(&mut cdf.eob_pt_512[kind]),
        _ => symbols.symbol(&mut cdf.eob_pt_1024[kind]),
    };
    if point < 3 {
        return point;
    }
    // The highest of the extra bits is a symbol.
    let bits = point as u32 - 2;
    let high = symbols.flag(&mut cdf.eob_extra[shape.context][kind][point - 3]);
    let low = symbols.literal(bits - 1) as usize;
    (1 << bits) + 1 + (usize::from(high) << (bits - 1)) + low
}

/// Reads the levels up to [`GOLOMB_LEVEL`], from the last coefficient to the first.
fn read_levels<const CLASS: usize>(
    symbols: &mut SymbolDecoder<'_>,
    cdf: &mut CdfContext,
    levels: &mut [u8],
    shape: &Shape,
    eob: usize,
) {
    let stride = shape.stride();
    levels[..stride * ((1 << shape.log2_h) + MARGIN)].fill(0);
    let base_eob = &mut cdf.coefficients.base_eob[shape.context][shape.plane_type];
    let base = &mut cdf.coefficients.base[shape.context][shape.plane_type];
    let br = &mut cdf.coefficients.br[shape.context.min(3)][shape.plane_type];
    let count = 1usize << (shape.log2_w + shape.log2_h);
    for at in (0..eob).rev() {
        let position = shape.position::<CLASS>(at);
        let (row, col) = (position >> shape.log2_w, position & ((1 << shape.log2_w) - 1));
        let place = row * stride + col;
        let mut level = if at + 1 == eob {
            let context = match at {
                0 => 0,
                _ if at <= count / 8 => 1,
                _ if at <= count / 4 => 2,
                _ => 3,
            };
            symbols.symbol(&mut base_eob[context]) + 1
        } else {
            let offsets = &BASE_OFFSET[shape.proportion];
            let context = base_context::<CLASS>(&levels[place..], stride, (row, col), offsets);
            symbols.symbol(&mut base[context])
        };
        if level > BASE_LEVELS {
            let context = br_context::<CLASS>(&levels[place..], stride, (row, col));
            for _ in 0..4 {
                let more = symbols.symbol(&mut br[context]);
                level += more;
                if more < 3 {
                    break;
                }
            }
        }
        levels[place] = level as u8;
    }
}

/// The context of coeff_base (get_coeff_base_ctx), from the levels at and after a coefficient.
#[inline(always)]
pub(crate) fn base_context<const CLASS: usize>(
    levels: &[u8],
    stride: usize,
    (row, col): (usize, usize),
    offsets: &[[u8; 5]; 5],
) -> usize {
    let at = |down: usize, right: usize| levels[down * stride + right].min(3);
    let near = at(0, 1) + at(1, 0);
    let sum = near
        + match CLASS {
            TWO_DIMENSIONS => at(1, 1) + at(0, 2) + at(2, 0),
            HORIZONTAL => at(0, 2) + at(0, 3) + at(0, 4),
            _ => at(2, 0) + at(3, 0) + at(4, 0),
        };
    let context = usize::from(sum.div_ceil(2).min(4));
    match CLASS {
        TWO_DIMENSIONS if row + col == 0 => 0,
        TWO_DIMENSIONS => context + usize::from(offsets[row.min(4)][col.min(4)]),
        HORIZONTAL => context + usize::from(BASE_LINE_OFFSET[col.min(2)]),
        _ => context + usize::from(BASE_LINE_OFFSET[row.min(2)]),
    }
}

/// The context of coeff_br, from the levels at and after a coefficient.
#[inline(always)]
pub(crate) fn br_context<const CLASS: usize>(
    levels: &[u8],
    stride: usize,
    (row, col): (usize, usize),
) -> usize {
    let at = |down: usize, right: usize| levels[down * stride + right];
    let third = match CLASS {
        TWO_DIMENSIONS => at(1, 1),
        HORIZONTAL => at(0, 2),
        _ => at(2, 0),
    };
    let context = usize::from((at(0, 1) + at(1, 0) + third).div_ceil(2).min(6));
    let is_first_line = match CLASS {
        TWO_DIMENSIONS => row < 2 && col < 2,
        HORIZONTAL => col == 0,
        _ => row == 0,
    };
    match row + col {
        0 => context,
        _ if is_first_line => context + 7,
        _ => context + 14,
    }
}

/// What is beyond [`GOLOMB_LEVEL`].
fn read_golomb(symbols: &mut SymbolDecoder<'_>) -> u32 {
    let mut length = 1;
    while length < MAX_GOLOMB_LENGTH && !symbols.bit() {
        length += 1;
    }
    let bits = symbols.literal(length - 1);
    (1u32 << (length - 1)).wrapping_add(bits).wrapping_sub(1)
}
