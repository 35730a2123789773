//! Intra block copy as symbols (AV1 specification, sections 5.11.17, 5.11.26 and 5.11.32).

use crate::entropy::{CdfContext, SymbolSink};
use crate::frame::Vector;
use crate::tile::TileState;
use crate::tile::block::Block;
use crate::tile::block_copy::{BOTH, COLUMNS_ONLY, ROWS_ONLY};
use crate::transform::TxSize;

/// The most samples between a vector and its prediction, in rows and in columns.
const MOST_CHANGE: i32 = 2048;
/// Vectors are in eighths of a sample.
const SAMPLE: i32 = 8;

/// Whether a vector can be coded relative to its prediction.
pub(super) fn is_codable(vector: Vector, predicted: Vector) -> bool {
    (0..2).all(|at| (vector[at] - predicted[at]).abs() <= MOST_CHANGE * SAMPLE)
}

/// The vector of a copy.
pub(super) fn code_vector<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
    vector: Vector,
) {
    let predicted = tile.predicted_vector(block);
    code_vector_beside(sink, cdf, vector, predicted);
}

/// The vector of a copy, relative to its prediction.
pub(super) fn code_vector_beside<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    vector: Vector,
    predicted: Vector,
) {
    let change = [0, 1].map(|at| (vector[at] - predicted[at]) / SAMPLE);
    let joint = match change {
        [0, 0] => 0,
        [0, _] => COLUMNS_ONLY,
        [_, 0] => ROWS_ONLY,
        _ => BOTH,
    };
    sink.symbol(&mut cdf.mv_joint, joint);
    for (change, cdf) in change.into_iter().zip(&mut cdf.mv_component).filter(|(change, _)| *change != 0) {
        sink.flag(&mut cdf.sign, change < 0);
        let magnitude = change.unsigned_abs() - 1;
        let class = magnitude.max(1).ilog2();
        sink.symbol(&mut cdf.class, class as usize);
        if class == 0 {
            sink.flag(&mut cdf.class0_bit, magnitude != 0);
        }
        for (at, cdf) in cdf.bits.iter_mut().enumerate().take(class as usize) {
            sink.flag(cdf, magnitude >> at & 1 != 0);
        }
    }
}

/// txfm_split: the transform of a copy is as large as the block.
pub(super) fn code_whole_transform<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
) {
    if tile.header.tx_mode_select && !block.skip && !block.lossless && block.tx_size != TxSize::Tx4x4 {
        let context = tile.split_context(block, (block.row, block.col), block.tx_size);
        sink.flag(&mut cdf.txfm_split[context], false);
    }
}
