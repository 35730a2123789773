//! What a block is: a copy, or intra modes.

use super::coded::CodedBlock;
use super::snapshot::Snapshot;
use super::syntax::code_mode_info;
use super::tile_encoder::TileEncoder;
use super::trial::{Choice, largest_transform};
use crate::block_size::BlockSize;
use crate::tile::block::Block;
use crate::tile::prediction::BlockParams;

impl TileEncoder<'_> {
    /// Chooses everything of a block. None if the cost would exceed `limit`. Otherwise the state is left as after the block.
    pub(super) fn search_block(
        &mut self,
        (row, col): (usize, usize),
        size: BlockSize,
        limit: f32,
    ) -> Option<(CodedBlock, f32)> {
        let before = Snapshot::take(&self.tile, (row, col), size);
        let mut block = self.tile.locate(row, col, size);
        block.lossless = self.tile.header.lossless[usize::from(block.segment_id)];
        block.tx_size = largest_transform(&block);
        let params = self.tile.block_params(&block);
        let copied = self.try_copy(&block, &params, &before, limit);
        let limit = copied.as_ref().map_or(limit, |(.., cost)| *cost);
        let intra = match &copied {
            Some(copied) if self.is_exact(copied) => None,
            _ => self.search_modes(block, &params, &before, limit),
        };
        let (block, trial, cost) = intra.or_else(|| {
            let (block, trial, cost) = copied?;
            before.restore(&mut self.tile);
            self.apply_transforms(&block, &params, &trial.transforms);
            Some((block, trial, cost))
        })?;
        self.record_block(&block);
        Some((CodedBlock { block, transforms: trial.transforms, color_map: trial.color_map }, cost))
    }

    /// Chooses intra modes. None if the cost would exceed `limit`. Otherwise the block is reconstructed, but not recorded.
    fn search_modes(
        &mut self,
        mut block: Block,
        params: &BlockParams,
        before: &Snapshot,
        limit: f32,
    ) -> Option<Choice> {
        let place = (block.row, block.col);
        self.bit_in_satd = (self.lambda / self.weight_of_block(&block)).sqrt();
        let mut trial = self.search_luma(&mut block, params, before);
        before.restore(&mut self.tile);
        self.load_color_map(&block, &trial.color_map);
        // Without a residual of chroma there may be no bits.
        let least = trial.error + if trial.is_empty() { 0.0 } else { self.lambda * trial.bits };
        if least >= limit {
            return None;
        }
        self.apply_transforms(&block, params, &trial.transforms);
        if block.has_chroma {
            let after_luma = Snapshot::take(&self.tile, place, block.size);
            let chroma = self.search_chroma(&mut block, params, &after_luma);
            after_luma.restore(&mut self.tile);
            self.apply_transforms(&block, params, &chroma.transforms);
            trial.append(chroma);
        }
        if trial.is_empty() {
            block.skip = true;
            trial.bits = 0.0;
        }
        let modes = self.bits(|sink, cdf, tile| code_mode_info(sink, cdf, tile, &block, None));
        let cost = trial.error + self.lambda * (trial.bits + modes);
        (cost < limit).then_some((block, trial, cost))
    }
}
