//! Which color of its palette each sample has (AV1 specification, sections 5.11.49 and 5.11.50).

use super::block::Block;
use super::tile_decoder::TileDecoder;
use super::tile_state::MAX_PALETTE_SIDE;
use crate::entropy::{PaletteColorCdfs, SymbolDecoder};
use crate::few::sort_few;

/// Palette_Color_Context, by hash.
const CONTEXT: [u8; 9] = [0, 0, 0, 0, 0, 4, 3, 2, 1];

impl TileDecoder<'_> {
    /// palette_tokens.
    pub(super) fn read_palette_indices(&mut self, block: &Block) {
        let mut block_size = (block.size.width(), block.size.height());
        let mut on_screen = (
            block_size.0.min((self.tile.frame.mi_cols - block.col) * 4),
            block_size.1.min((self.tile.frame.mi_rows - block.row) * 4),
        );
        for plane in 0..2 {
            if plane == 1 {
                let (ss_x, ss_y) = self.tile.subsampling(1);
                (block_size.0, on_screen.0) = chroma_extent(block_size.0, on_screen.0, ss_x);
                (block_size.1, on_screen.1) = chroma_extent(block_size.1, on_screen.1, ss_y);
            }
            let size = usize::from(block.palette_sizes[plane]);
            if size > 0 {
                let map = &mut self.tile.work.color_maps[plane];
                read_map(&mut self.symbols, &mut self.cdf.palette_color[plane], map, on_screen, size);
                extend_map(map, on_screen, block_size);
            }
        }
    }
}

/// A side of the block in chroma, and the part of it on the screen.
fn chroma_extent(side: usize, on_screen: usize, subsampling: u8) -> (usize, usize) {
    let more = if side >> subsampling < 4 { 2 } else { 0 };
    ((side >> subsampling) + more, (on_screen >> subsampling) + more)
}

/// Reads the indices, one diagonal after the other.
fn read_map(
    symbols: &mut SymbolDecoder<'_>,
    cdfs: &mut PaletteColorCdfs,
    map: &mut [u8],
    (width, height): (usize, usize),
    size: usize,
) {
    map[0] = symbols.uniform(size as u32) as u8;
    for diagonal in 1..width + height - 1 {
        for col in (diagonal.saturating_sub(height - 1)..=diagonal.min(width - 1)).rev() {
            let row = diagonal - col;
            let (order, context) = color_context(map, row, col);
            let symbol = read_index(symbols, cdfs, size, context);
            map[row * MAX_PALETTE_SIDE + col] = order[symbol];
        }
    }
}

fn read_index(
    symbols: &mut SymbolDecoder<'_>,
    cdfs: &mut PaletteColorCdfs,
    size: usize,
    context: usize,
) -> usize {
    match size {
        2 => symbols.symbol(&mut cdfs.of_2[context]),
        3 => symbols.symbol(&mut cdfs.of_3[context]),
        4 => symbols.symbol(&mut cdfs.of_4[context]),
        5 => symbols.symbol(&mut cdfs.of_5[context]),
        6 => symbols.symbol(&mut cdfs.of_6[context]),
        7 => symbols.symbol(&mut cdfs.of_7[context]),
        _ => symbols.symbol(&mut cdfs.of_8[context]),
    }
}

/// get_palette_color_context: the colors in the order of their likelihood, those of neighbors first, and the context.
pub(crate) fn color_context(map: &[u8], row: usize, col: usize) -> ([u8; 8], usize) {
    let at = row * MAX_PALETTE_SIDE + col;
    // Each neighbor's color and its score.
    let mut found = [(0u8, 0u8); 3];
    let mut count = 0;
    let mut add = |color: u8, score: u8| match found[..count].iter_mut().find(|(other, _)| *other == color) {
        Some((_, total)) => *total += score,
        None => {
            found[count] = (color, score);
            count += 1;
        }
    };
    if col > 0 {
        add(map[at - 1], 2);
    }
    if row > 0 && col > 0 {
        add(map[at - MAX_PALETTE_SIDE - 1], 1);
    }
    if row > 0 {
        add(map[at - MAX_PALETTE_SIDE], 2);
    }
    let found = &mut found[..count];
    // The higher score first; of equal ones, the lower color.
    sort_few(found, |a, b| (255 - a.1, a.0) < (255 - b.1, b.0));
    let mut order = [0; 8];
    let mut hash = 0;
    for (place, (color, score)) in found.iter().enumerate() {
        order[place] = *color;
        hash += usize::from(*score) * if place == 0 { 1 } else { 2 };
    }
    let mut place = count;
    for color in 0..8 {
        if place < 8 && !found.iter().any(|(other, _)| *other == color) {
            order[place] = color;
            place += 1;
        }
    }
    (order, usize::from(CONTEXT[hash]))
}

/// Repeats the last column and the last row beyond the screen.
fn extend_map(map: &mut [u8], on_screen: (usize, usize), (width, height): (usize, usize)) {
    for row in map.chunks_exact_mut(MAX_PALETTE_SIDE).take(on_screen.1) {
        let last = row[on_screen.0 - 1];
        row[on_screen.0..width].fill(last);
    }
    let last = (on_screen.1 - 1) * MAX_PALETTE_SIDE;
    for row in on_screen.1..height {
        map.copy_within(last..last + width, row * MAX_PALETTE_SIDE);
    }
}
