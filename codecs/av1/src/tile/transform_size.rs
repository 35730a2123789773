//! The transform sizes of a block (AV1 specification, sections 5.11.15 to 5.11.17).

use super::block::Block;
use super::bounds::MAX_SIDE4;
use super::tile_decoder::TileDecoder;
use super::tile_state::TileState;
use super::tx_sizes;
use crate::block_size::BlockSize;
use crate::transform::TxSize;

/// MAX_VARTX_DEPTH.
const MAX_SPLITS: u8 = 2;
/// The extent that a missing neighbor counts as, in samples.
const NO_NEIGHBOR: usize = 64;

impl TileDecoder<'_> {
    /// read_block_tx_size.
    pub(super) fn read_block_tx_size(&mut self, block: &mut Block) {
        let may_choose = self.tile.header.tx_mode_select && block.size > BlockSize::B4x4 && !block.lossless;
        if may_choose && block.is_inter() && !block.skip {
            let largest = tx_sizes::largest(block.size);
            for row in (0..block.size.height4()).step_by(largest.height() / 4) {
                for col in (0..block.size.width4()).step_by(largest.width() / 4) {
                    self.read_split(block, (block.row + row, block.col + col), largest, 0);
                }
            }
            return;
        }
        if !block.lossless {
            block.tx_size = tx_sizes::largest(block.size);
        }
        if may_choose && !block.is_inter() {
            for _ in 0..self.read_tx_depth(block) {
                block.tx_size = tx_sizes::split(block.tx_size);
            }
        }
        let (mut width, mut height) = (block.tx_size.width(), block.tx_size.height());
        if block.is_inter() {
            self.tile.work.tx_sizes.fill(block.tx_size);
            if block.skip {
                (width, height) = (block.size.width(), block.size.height());
            }
        }
        self.tile.record_tx_extent(block, (width, height));
    }

    fn read_tx_depth(&mut self, block: &Block) -> usize {
        let context = self.tile.tx_depth_context(block);
        match tx_sizes::largest_depth(block.size) {
            depth @ 2.. => self.symbols.symbol(&mut self.cdf.tx_depth[depth - 2][context]),
            _ => self.symbols.symbol(&mut self.cdf.tx_depth_8[context]),
        }
    }

    /// read_var_tx_size.
    fn read_split(&mut self, block: &mut Block, (row, col): (usize, usize), size: TxSize, depth: u8) {
        if row >= self.tile.frame.mi_rows || col >= self.tile.frame.mi_cols {
            return;
        }
        let can_split = size != TxSize::Tx4x4 && depth < MAX_SPLITS;
        if can_split && self.read_is_split(block, (row, col), size) {
            let sub = tx_sizes::split(size);
            for down in (0..size.height() / 4).step_by(sub.height() / 4) {
                for right in (0..size.width() / 4).step_by(sub.width() / 4) {
                    self.read_split(block, (row + down, col + right), sub, depth + 1);
                }
            }
            return;
        }
        block.tx_size = size;
        let (width, height) = (size.width() / 4, size.height() / 4);
        let (down, right) = (row - block.row, col - block.col);
        for line in self.tile.work.tx_sizes.chunks_exact_mut(MAX_SIDE4).skip(down).take(height) {
            line[right..right + width].fill(size);
        }
        let col_end = (col + width).min(self.tile.frame.mi_cols);
        let row_end = (row + height).min(self.tile.frame.mi_rows);
        self.tile.work.above.tx_extent[col..col_end].fill(size.width() as u8);
        self.tile.work.left.tx_extent[row..row_end].fill(size.height() as u8);
    }

    fn read_is_split(&mut self, block: &Block, (row, col): (usize, usize), size: TxSize) -> bool {
        let context = self.tile.split_context(block, (row, col), size);
        self.symbols.flag(&mut self.cdf.txfm_split[context])
    }
}

impl TileState<'_> {
    /// The context of txfm_split, of a transform of a copy.
    pub(crate) fn split_context(&self, block: &Block, (row, col): (usize, usize), size: TxSize) -> usize {
        let above = match row == block.row && !block.has_above {
            true => NO_NEIGHBOR,
            false => usize::from(self.work.above.tx_extent[col]),
        };
        let left = match col == block.col && !block.has_left {
            true => NO_NEIGHBOR,
            false => usize::from(self.work.left.tx_extent[row]),
        };
        let longest = block.size.width_log2().max(block.size.height_log2()).min(4);
        let longest = usize::from(longest);
        3 * usize::from(tx_sizes::longer(size) != longest)
            + 6 * (4 - longest)
            + usize::from(above < size.width())
            + usize::from(left < size.height())
    }

    /// The context of tx_depth, by the transforms above and to the left.
    pub(crate) fn tx_depth_context(&self, block: &Block) -> usize {
        let largest = tx_sizes::largest(block.size);
        let above = &self.work.above.blocks[block.col];
        let left = &self.work.left.blocks[block.row];
        let above = match (block.has_above, above.is_inter) {
            (false, _) => 0,
            (true, true) => above.size.width(),
            (true, false) => usize::from(self.work.above.tx_extent[block.col]),
        };
        let left = match (block.has_left, left.is_inter) {
            (false, _) => 0,
            (true, true) => left.size.height(),
            (true, false) => usize::from(self.work.left.tx_extent[block.row]),
        };
        usize::from(above >= largest.width()) + usize::from(left >= largest.height())
    }

    /// Tells later blocks the transform size of an intra block.
    pub(crate) fn record_tx_extent(&mut self, block: &Block, (width, height): (usize, usize)) {
        let (col_end, row_end) = self.ends(block);
        self.work.above.tx_extent[block.col..col_end].fill(width as u8);
        self.work.left.tx_extent[block.row..row_end].fill(height as u8);
    }
}
