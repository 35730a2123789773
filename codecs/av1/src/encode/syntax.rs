//! Partitions and the modes of blocks as symbols (AV1 specification, sections 5.11.4, 5.11.7 and 5.11.15).

use super::copy_syntax::{code_vector, code_whole_transform};
use super::delta_q::code_change;
use super::palette_syntax::{code_chroma_palette, code_color_map, code_palette};
use crate::block_size::{BlockSize, Partition};
use crate::entropy::{CdfContext, SymbolSink};
use crate::predict::IntraMode;
use crate::tile::TileState;
use crate::tile::block::{Block, ChromaMode};
use crate::tile::mode_info::{MAX_ANGLE_DELTA, UV_CFL, has_angle};
use crate::tile::partition::split_probability;
use crate::tile::tx_sizes;

/// partition.
pub(super) fn code_partition<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    (place, size): ((usize, usize), BlockSize),
    partition: Partition,
) {
    if size < BlockSize::B8x8 {
        return;
    }
    let half = size.width4() / 2;
    let has_rows = place.0 + half < tile.frame.mi_rows;
    let has_cols = place.1 + half < tile.frame.mi_cols;
    let log2 = size.width_log2();
    let context = tile.partition_context(place, size);
    match (has_rows, has_cols) {
        (true, true) => match log2 {
            1 => sink.symbol(&mut cdf.partition_8[context], partition as usize),
            5 => sink.symbol(&mut cdf.partition_128[context], partition as usize),
            _ => sink.symbol(&mut cdf.partition[usize::from(log2) - 2][context], partition as usize),
        },
        (false, false) => {}
        _ => {
            let probability = split_probability(cdf, log2, context, has_cols);
            sink.bit_with(probability, partition == Partition::Split);
        }
    }
}

/// intra_frame_mode_info and the transform size. `q_change` is that of the quantizer index, where it is coded.
pub(super) fn code_mode_info<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
    q_change: Option<i32>,
) {
    sink.flag(&mut cdf.skip[tile.skip_context(block)], block.skip);
    if let Some(change) = q_change {
        code_change(sink, cdf, change);
    }
    if tile.header.allow_intrabc {
        sink.flag(&mut cdf.use_intrabc, block.is_inter());
    }
    if let Some(vector) = block.copy_from {
        code_vector(sink, cdf, tile, block, vector);
        return code_whole_transform(sink, cdf, tile, block);
    }
    code_luma_mode(sink, cdf, tile, block);
    if block.has_chroma {
        code_chroma_mode(sink, cdf, tile, block);
    }
    code_palette(sink, cdf, tile, block);
    code_chroma_palette(sink, cdf, tile, block);
    code_filter_intra(sink, cdf, tile, block);
    code_color_map(sink, cdf, tile, block);
    code_tx_size(sink, cdf, tile, block);
}

pub(super) fn code_luma_mode<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
) {
    let [above, left] = tile.mode_contexts(block);
    sink.symbol(&mut cdf.intra_frame_y_mode[above][left], block.y_mode as usize);
    code_angle(sink, cdf, (block.size, block.y_mode), block.angle_delta[0]);
}

pub(super) fn code_chroma_mode<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
) {
    let y_mode = block.y_mode as usize;
    let symbol = match block.uv_mode {
        ChromaMode::Intra(mode) => mode as usize,
        ChromaMode::FromLuma(_) => UV_CFL,
    };
    match tile.allows_cfl(block) {
        true => sink.symbol(&mut cdf.uv_mode_cfl[y_mode], symbol),
        false => sink.symbol(&mut cdf.uv_mode[y_mode], symbol),
    }
    match block.uv_mode {
        ChromaMode::Intra(mode) => code_angle(sink, cdf, (block.size, mode), block.angle_delta[1]),
        ChromaMode::FromLuma(alphas) => code_cfl_alphas(sink, cdf, alphas),
    }
}

fn code_angle<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    (size, mode): (BlockSize, IntraMode),
    delta: i8,
) {
    if has_angle(size, mode) {
        let cdf = &mut cdf.angle_delta[mode as usize - IntraMode::V as usize];
        sink.symbol(cdf, (delta + MAX_ANGLE_DELTA) as usize);
    }
}

fn code_cfl_alphas<S: SymbolSink>(sink: &mut S, cdf: &mut CdfContext, alphas: [i32; 2]) {
    let signs = alphas.map(|alpha| match alpha {
        0 => 0,
        ..0 => 1,
        _ => 2,
    });
    sink.symbol(&mut cdf.cfl_sign, 3 * signs[0] + signs[1] - 1);
    for (at, alpha) in alphas.into_iter().enumerate().filter(|(_, alpha)| *alpha != 0) {
        let context = (signs[at] - 1) * 3 + signs[1 - at];
        sink.symbol(&mut cdf.cfl_alpha[context], alpha.unsigned_abs() as usize - 1);
    }
}

pub(super) fn code_filter_intra<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
) {
    if tile.may_filter(block) {
        sink.flag(&mut cdf.filter_intra[block.size as usize], block.filter_intra.is_some());
        if let Some(mode) = block.filter_intra {
            sink.symbol(&mut cdf.filter_intra_mode, usize::from(mode));
        }
    }
}

/// tx_depth.
pub(super) fn code_tx_size<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
) {
    if !tile.header.tx_mode_select || block.size == BlockSize::B4x4 || block.lossless {
        return;
    }
    let mut size = tx_sizes::largest(block.size);
    let mut depth = 0;
    while size != block.tx_size && depth < 2 {
        size = tx_sizes::split(size);
        depth += 1;
    }
    let context = tile.tx_depth_context(block);
    match tx_sizes::largest_depth(block.size) {
        largest @ 2.. => sink.symbol(&mut cdf.tx_depth[largest - 2][context], depth),
        _ => sink.symbol(&mut cdf.tx_depth_8[context], depth),
    }
}
