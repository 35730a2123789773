//! The colors of palettes (AV1 specification, section 5.11.46).

use super::block::{Block, ChromaMode};
use super::neighbors::Edge;
use super::tile_decoder::TileDecoder;
use super::tile_state::{MAX_PALETTE_SIDE, TileState};
use crate::block_size::BlockSize;
use crate::predict::IntraMode;

/// The colors of the palettes above and to the left, in ascending order and without repetition.
pub(crate) struct Cache {
    pub(crate) colors: [u16; 16],
    pub(crate) length: usize,
}

impl TileDecoder<'_> {
    /// palette_mode_info.
    pub(super) fn read_palettes(&mut self, block: &mut Block) {
        let size_context = size_context(block);
        if block.y_mode == IntraMode::Dc {
            let context = self.tile.palette_context(block);
            if self.symbols.flag(&mut self.cdf.palette_y_mode[size_context][context]) {
                self.read_ascending_colors(block, 0, size_context);
            }
        }
        if block.has_chroma && block.uv_mode == ChromaMode::Intra(IntraMode::Dc) {
            let context = usize::from(block.palette_sizes[0] > 0);
            if self.symbols.flag(&mut self.cdf.palette_uv_mode[context]) {
                self.read_ascending_colors(block, 1, size_context);
                self.read_v_colors(block);
            }
        }
    }

    /// The colors of luma (plane 0) or U (plane 1), some from the cache, the others as distances.
    fn read_ascending_colors(&mut self, block: &mut Block, plane: usize, size_context: usize) {
        let size = self.symbols.symbol(&mut self.cdf.palette_size[plane][size_context]) + 2;
        let depth = u32::from(self.tile.sequence.color.bit_depth);
        let cache = self.tile.palette_cache(block, plane);
        let mut colors = [0u16; 8];
        let mut count = 0;
        for color in &cache.colors[..cache.length] {
            if count < size && self.symbols.bit() {
                colors[count] = *color;
                count += 1;
            }
        }
        if count < size {
            colors[count] = self.symbols.literal(depth) as u16;
            count += 1;
        }
        let mut bits = if count < size { depth - 3 + self.symbols.literal(2) } else { 0 };
        // Colors of luma differ.
        let least = u32::from(plane == 0);
        while count < size {
            let distance = self.symbols.literal(bits) + least;
            let color = (u32::from(colors[count - 1]) + distance).min((1 << depth) - 1);
            colors[count] = color as u16;
            count += 1;
            bits = bits.min(ceil_log2((1 << depth) - color - least));
        }
        colors[..size].sort_unstable();
        block.palette_sizes[plane] = size as u8;
        block.palette_colors[plane] = colors;
    }

    fn read_v_colors(&mut self, block: &mut Block) {
        let depth = u32::from(self.tile.sequence.color.bit_depth);
        let size = usize::from(block.palette_sizes[1]);
        let colors = &mut block.palette_colors[2];
        if !self.symbols.bit() {
            for color in &mut colors[..size] {
                *color = self.symbols.literal(depth) as u16;
            }
            return;
        }
        let bits = depth - 4 + self.symbols.literal(2);
        let mut color = self.symbols.literal(depth) as i32;
        colors[0] = color as u16;
        for next in &mut colors[1..size] {
            let mut distance = self.symbols.literal(bits) as i32;
            if distance != 0 && self.symbols.bit() {
                distance = -distance;
            }
            color = (color + distance).rem_euclid(1 << depth);
            *next = color as u16;
        }
    }
}

impl TileState<'_> {
    /// Whether a block of this size may have palettes.
    pub(crate) fn allows_palettes(&self, block: &Block) -> bool {
        let (width, height) = (block.size.width(), block.size.height());
        let suits = block.size >= BlockSize::B8x8 && width <= MAX_PALETTE_SIDE && height <= MAX_PALETTE_SIDE;
        self.header.allow_screen_content_tools && suits
    }

    /// The context of has_palette_y beside that of the size.
    pub(crate) fn palette_context(&self, block: &Block) -> usize {
        let above = block.has_above && self.work.above.blocks[block.col].palette_sizes[0] > 0;
        let left = block.has_left && self.work.left.blocks[block.row].palette_sizes[0] > 0;
        usize::from(above) + usize::from(left)
    }

    /// get_palette_cache. Colors from above do not cross rows of 64×64 blocks.
    pub(crate) fn palette_cache(&self, block: &Block, plane: usize) -> Cache {
        let of = |edge: &Edge, at: usize| {
            (edge.palette_colors[plane][at], usize::from(edge.blocks[at].palette_sizes[plane]))
        };
        let none = ([0; 8], 0);
        let has_above = block.has_above && !block.row.is_multiple_of(16);
        let above = if has_above { of(&self.work.above, block.col) } else { none };
        let left = if block.has_left { of(&self.work.left, block.row) } else { none };
        let mut colors = [0; 16];
        colors[..above.1].copy_from_slice(&above.0[..above.1]);
        let total = above.1 + left.1;
        colors[above.1..total].copy_from_slice(&left.0[..left.1]);
        colors[..total].sort_unstable();
        let mut length = total.min(1);
        for at in 1..total {
            if colors[at] != colors[length - 1] {
                colors[length] = colors[at];
                length += 1;
            }
        }
        Cache { colors, length }
    }
}

/// bsizeCtx.
pub(crate) fn size_context(block: &Block) -> usize {
    usize::from(block.size.width_log2() + block.size.height_log2() - 2)
}

/// CeilLog2.
pub(crate) fn ceil_log2(value: u32) -> u32 {
    if value < 2 { 0 } else { 32 - (value - 1).leading_zeros() }
}
