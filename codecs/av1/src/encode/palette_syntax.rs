//! Palettes of luma as symbols (AV1 specification, sections 5.11.46, 5.11.49 and 5.11.50). Chroma has none.

use crate::entropy::{CdfContext, PaletteColorCdfs, SymbolSink};
use crate::predict::IntraMode;
use crate::tile::MAX_PALETTE_SIDE;
use crate::tile::TileState;
use crate::tile::block::{Block, ChromaMode};
use crate::tile::palette::{ceil_log2, size_context};

/// has_palette_y, and the colors.
pub(super) fn code_palette<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
) {
    if !tile.allows_palettes(block) || block.y_mode != IntraMode::Dc {
        return;
    }
    let (context, size) = (size_context(block), usize::from(block.palette_sizes[0]));
    sink.flag(&mut cdf.palette_y_mode[context][tile.palette_context(block)], size > 0);
    if size > 0 {
        sink.symbol(&mut cdf.palette_size[0][context], size - 2);
        code_colors(sink, tile, block, &block.palette_colors[0][..size]);
    }
}

/// has_palette_uv.
pub(super) fn code_chroma_palette<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
) {
    if tile.allows_palettes(block) && block.has_chroma && block.uv_mode == ChromaMode::Intra(IntraMode::Dc) {
        sink.flag(&mut cdf.palette_uv_mode[usize::from(block.palette_sizes[0] > 0)], false);
    }
}

/// Ascending colors: those of the cache by a bit each, then the distances of the others.
fn code_colors<S: SymbolSink>(sink: &mut S, tile: &TileState<'_>, block: &Block, colors: &[u16]) {
    let depth = u32::from(tile.sequence.color.bit_depth);
    let cache = tile.palette_cache(block, 0);
    let cache = &cache.colors[..cache.length];
    let mut found = 0;
    for color in cache {
        if found < colors.len() {
            let is_in = colors.contains(color);
            sink.bit(is_in);
            found += usize::from(is_in);
        }
    }
    let mut others = colors.iter().filter(|color| !cache.contains(color)).map(|color| u32::from(*color));
    let Some(first) = others.next() else { return };
    sink.literal(depth, first);
    let mut before = first;
    let distances = others.map(|color| color - std::mem::replace(&mut before, color) - 1);
    let distances: Vec<u32> = distances.collect();
    let Some(largest) = distances.iter().max() else { return };
    let mut bits = (32 - largest.leading_zeros()).max(depth - 3);
    sink.literal(2, bits - (depth - 3));
    let mut color = first;
    for distance in distances {
        sink.literal(bits, distance);
        color += distance + 1;
        bits = bits.min(ceil_log2((1 << depth) - color - 1));
    }
}

/// palette_tokens, of the map in the workspace.
pub(super) fn code_color_map<S: SymbolSink>(
    sink: &mut S,
    cdf: &mut CdfContext,
    tile: &TileState<'_>,
    block: &Block,
) {
    let size = usize::from(block.palette_sizes[0]);
    if size == 0 {
        return;
    }
    let width = block.size.width().min((tile.frame.mi_cols - block.col) * 4);
    let height = block.size.height().min((tile.frame.mi_rows - block.row) * 4);
    let map = &tile.work.color_maps[0];
    code_uniform(sink, size as u32, map[0].into());
    for diagonal in 1..width + height - 1 {
        for col in (diagonal.saturating_sub(height - 1)..=diagonal.min(width - 1)).rev() {
            let row = diagonal - col;
            let (symbol, context) = color_rank(map, row, col);
            code_index(sink, &mut cdf.palette_color[0], (size, context), symbol);
        }
    }
}

/// The place of a color in the order of their likelihood, and the context: as [`color_context`](crate::tile::palette_indices::color_context)
/// tells them, without the whole order.
fn color_rank(map: &[u8], row: usize, col: usize) -> (usize, usize) {
    let at = row * MAX_PALETTE_SIDE + col;
    let (likely, count, context) = if row == 0 {
        ([map[at - 1]; 3], 1, 0)
    } else if col == 0 {
        ([map[at - MAX_PALETTE_SIDE]; 3], 1, 0)
    } else {
        let [left, above, corner] =
            [at - 1, at - MAX_PALETTE_SIDE, at - MAX_PALETTE_SIDE - 1].map(|at| map[at]);
        match (left == above, left == corner, above == corner) {
            (true, true, _) => ([left; 3], 1, 4),
            (true, false, _) => ([left, corner, corner], 2, 3),
            (_, true, _) => ([left, above, above], 2, 2),
            (_, _, true) => ([above, left, left], 2, 2),
            _ => ([left.min(above), left.max(above), corner], 3, 1),
        }
    };
    let (color, likely) = (map[at], &likely[..count]);
    let after = || usize::from(color) + likely.iter().filter(|other| **other > color).count();
    (likely.iter().position(|other| *other == color).unwrap_or_else(after), context)
}

fn code_index<S: SymbolSink>(
    sink: &mut S,
    cdfs: &mut PaletteColorCdfs,
    (size, context): (usize, usize),
    symbol: usize,
) {
    match size {
        2 => sink.symbol(&mut cdfs.of_2[context], symbol),
        3 => sink.symbol(&mut cdfs.of_3[context], symbol),
        4 => sink.symbol(&mut cdfs.of_4[context], symbol),
        5 => sink.symbol(&mut cdfs.of_5[context], symbol),
        6 => sink.symbol(&mut cdfs.of_6[context], symbol),
        7 => sink.symbol(&mut cdfs.of_7[context], symbol),
        _ => sink.symbol(&mut cdfs.of_8[context], symbol),
    }
}

/// NS(count).
fn code_uniform<S: SymbolSink>(sink: &mut S, count: u32, value: u32) {
    let width = 32 - count.leading_zeros();
    let short = (1 << width) - count;
    if value < short {
        sink.literal(width - 1, value);
    } else {
        sink.literal(width, value + short);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::palette_indices::color_context;

    #[test]
    fn ranks_are_those_of_the_order() {
        let mut map = vec![0; MAX_PALETTE_SIDE * MAX_PALETTE_SIDE];
        let mut state = 1u32;
        for color in &mut map {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *color = [0, 0, 1, 2, 2, 3, 6, 7][state as usize >> 29];
        }
        for (row, col) in (0..32).flat_map(|row| (0..32).map(move |col| (row, col))).skip(1) {
            let (order, context) = color_context(&map, row, col);
            let (rank, same) = color_rank(&map, row, col);
            assert_eq!((order[rank], context), (map[row * MAX_PALETTE_SIDE + col], same));
        }
    }
}
