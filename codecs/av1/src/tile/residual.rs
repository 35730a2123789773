//! Reconstruction of a block, transform by transform (AV1 specification, sections 5.11.33 to 5.11.36).

use super::block::Block;
use super::bounds::MAX_SIDE4;
use super::coefficient_contexts::Transform;
use super::prediction::BlockParams;
use super::tile_decoder::TileDecoder;
use super::tx_sizes;
use crate::block_size::BlockSize;
use crate::error::Error;
use crate::transform::{Residual, TxSize};

impl TileDecoder<'_> {
    /// compute_prediction and residual.
    pub(super) fn reconstruct(&mut self, block: &Block) -> Result<(), Error> {
        if let Some(vector) = block.copy_from {
            self.tile.predict_copy(block, vector)?;
        }
        let params = self.tile.block_params(block);
        let chunk =
            if block.size.width().max(block.size.height()) > 64 { BlockSize::B64x64 } else { block.size };
        for down in (0..block.size.height4()).step_by(16) {
            for right in (0..block.size.width4()).step_by(16) {
                self.reconstruct_chunk(block, &params, chunk, (down, right));
            }
        }
        Ok(())
    }

    /// The transforms of all planes in a part of 64×64 luma samples or less.
    fn reconstruct_chunk(
        &mut self,
        block: &Block,
        params: &BlockParams,
        chunk: BlockSize,
        (down, right): (usize, usize),
    ) {
        let planes = if block.has_chroma { 3 } else { 1 };
        for plane in 0..planes {
            let (ss_x, ss_y) = self.tile.subsampling(plane);
            let row = (block.row >> ss_y) + (down >> ss_y);
            let col = (block.col >> ss_x) + (right >> ss_x);
            let Some(area) = chunk.subsampled(ss_x, ss_y) else { continue };
            if plane == 0 && block.is_inter() && !block.lossless {
                self.reconstruct_tree(block, params, (row, col), (area.width4(), area.height4()));
                continue;
            }
            let size = match (block.lossless, plane) {
                (true, _) => TxSize::Tx4x4,
                (false, 0) => block.tx_size,
                _ => tx_sizes::of_chroma(block.size.subsampled(ss_x, ss_y).unwrap_or(BlockSize::B4x4)),
            };
            for y in (0..area.height4()).step_by(size.height() / 4) {
                for x in (0..area.width4()).step_by(size.width() / 4) {
                    self.reconstruct_transform(block, params, plane, size, (row + y, col + x));
                }
            }
        }
    }

    /// transform_tree: the luma of a copy, by the transform sizes that were read.
    fn reconstruct_tree(
        &mut self,
        block: &Block,
        params: &BlockParams,
        (row, col): (usize, usize),
        (width, height): (usize, usize),
    ) {
        if row >= self.tile.frame.mi_rows || col >= self.tile.frame.mi_cols {
            return;
        }
        let size = self.tile.work.tx_sizes[(row - block.row) * MAX_SIDE4 + col - block.col];
        if width * 4 <= size.width() && height * 4 <= size.height() {
            let log2 = |side: usize| side.trailing_zeros() as u8 + 2;
            let size = tx_sizes::from_log2(log2(width), log2(height));
            self.reconstruct_transform(block, params, 0, size, (row, col));
            return;
        }
        let half = (
            if width >= height { width / 2 } else { width },
            if height >= width { height / 2 } else { height },
        );
        for down in (0..height).step_by(half.1) {
            for right in (0..width).step_by(half.0) {
                self.reconstruct_tree(block, params, (row + down, col + right), half);
            }
        }
    }

    /// transform_block, at a place in 4×4 blocks of the plane.
    fn reconstruct_transform(
        &mut self,
        block: &Block,
        params: &BlockParams,
        plane: usize,
        size: TxSize,
        (row, col): (usize, usize),
    ) {
        let (ss_x, ss_y) = self.tile.subsampling(plane);
        let limits = (self.tile.frame.mi_rows >> ss_y, self.tile.frame.mi_cols >> ss_x);
        if row >= limits.0 || col >= limits.1 {
            return;
        }
        let (width, height) = (size.width() / 4, size.height() / 4);
        let transform = Transform {
            plane,
            size,
            row,
            col,
            row_end: (row + height).min(limits.0),
            col_end: (col + width).min(limits.1),
        };
        if !block.is_inter() {
            self.tile.predict(block, params, &transform);
        }
        if !block.skip {
            self.add_residual(block, params, &transform);
        }
        if let Some(map) = &mut self.tile.frame.deblock
            && plane < 2
        {
            map.record_transform(plane > 0, row, col, size);
        }
        let place = self.tile.in_superblock(&transform);
        self.tile.decoded.set(plane, place, (width, height));
    }

    fn add_residual(&mut self, block: &Block, params: &BlockParams, transform: &Transform) {
        let plane = transform.plane;
        let Some(coefficients) = self.read_coefficients(block, transform, params.steps[plane]) else {
            return;
        };
        let residual = Residual {
            tx_size: transform.size,
            tx_type: coefficients.tx_type,
            lossless: block.lossless,
            bit_depth: self.tile.sequence.color.bit_depth,
            rows: coefficients.rows,
            cols: coefficients.cols,
        };
        let (x, y) = (transform.col * 4, transform.row * 4);
        let out = &mut self.tile.frame.planes[plane];
        self.tile.work.transform.add(out, x, y, &mut self.tile.work.coefficients, &residual);
    }
}
