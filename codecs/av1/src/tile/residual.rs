//! Prediction and residual of a block (AV1 specification, sections 5.11.33 to 5.11.36).

use super::block::{Block, ChromaMode};
use super::bounds::MAX_SIDE4;
use super::coefficient_contexts::Transform;
use super::tile_decoder::{MAX_PALETTE_SIDE, TileDecoder};
use super::tx_sizes;
use crate::block_size::BlockSize;
use crate::error::Error;
use crate::predict::{CflBlock, EdgeFilter, IntraBlock, IntraMode, edge_samples, predict_palette};
use crate::transform::{Residual, TxSize, ac_q, dc_q};

/// What all transforms of a block share.
pub(super) struct BlockParams {
    /// The quantizer steps of DC and AC, for each plane.
    steps: [(i32, i32); 3],
    /// For luma and for chroma.
    edge_filter: [EdgeFilter; 2],
}

impl TileDecoder<'_> {
    /// compute_prediction and residual.
    pub(super) fn reconstruct(&mut self, block: &Block) -> Result<(), Error> {
        if let Some(vector) = block.copy_from {
            self.predict_copy(block, vector)?;
        }
        let params = self.block_params(block);
        let chunk =
            if block.size.width().max(block.size.height()) > 64 { BlockSize::B64x64 } else { block.size };
        for down in (0..block.size.height4()).step_by(16) {
            for right in (0..block.size.width4()).step_by(16) {
                self.reconstruct_chunk(block, &params, chunk, (down, right));
            }
        }
        Ok(())
    }

    fn block_params(&self, block: &Block) -> BlockParams {
        let depth = self.sequence.color.bit_depth;
        let quantizer = &self.header.quantizer;
        let index = i32::from(self.header.q_idx_of(block.segment_id, self.q_index));
        let steps = std::array::from_fn(|plane| {
            (dc_q(index + quantizer.delta_dc[plane], depth), ac_q(index + quantizer.delta_ac[plane], depth))
        });
        BlockParams { steps, edge_filter: [self.luma_edge_filter(block), self.chroma_edge_filter(block)] }
    }

    /// Whether a neighbor of the luma is smooth (get_filter_type).
    fn luma_edge_filter(&self, block: &Block) -> EdgeFilter {
        let above = block.has_above && self.work.above.blocks[block.col].y_mode.is_smooth();
        let left = block.has_left && self.work.left.blocks[block.row].y_mode.is_smooth();
        self.edge_filter(above || left)
    }

    fn chroma_edge_filter(&self, block: &Block) -> EdgeFilter {
        let (ss_x, ss_y) = self.subsampling(1);
        // Chroma of several blocks belongs to the last of them, at an odd place.
        let (col, row) = (block.col | usize::from(ss_x), block.row | usize::from(ss_y));
        let above = block.chroma_has_above && self.work.above.uv_modes[col].is_smooth();
        let left = block.chroma_has_left && self.work.left.uv_modes[row].is_smooth();
        self.edge_filter(above || left)
    }

    fn edge_filter(&self, is_smooth: bool) -> EdgeFilter {
        match (self.sequence.enable_intra_edge_filter, is_smooth) {
            (false, _) => EdgeFilter::Off,
            (true, false) => EdgeFilter::Sharp,
            (true, true) => EdgeFilter::Smooth,
        }
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
            let (ss_x, ss_y) = self.subsampling(plane);
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
        if row >= self.frame.mi_rows || col >= self.frame.mi_cols {
            return;
        }
        let size = self.work.tx_sizes[(row - block.row) * MAX_SIDE4 + col - block.col];
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
        let (ss_x, ss_y) = self.subsampling(plane);
        let limits = (self.frame.mi_rows >> ss_y, self.frame.mi_cols >> ss_x);
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
            self.predict(block, params, &transform);
        }
        if !block.skip {
            self.add_residual(block, params, &transform);
        }
        if let Some(map) = &mut self.frame.deblock
            && plane < 2
        {
            map.record_transform(plane > 0, row, col, size);
        }
        let place = self.in_superblock(&transform);
        self.decoded.set(plane, place, (width, height));
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
            bit_depth: self.sequence.color.bit_depth,
            rows: coefficients.rows,
            cols: coefficients.cols,
        };
        let (x, y) = (transform.col * 4, transform.row * 4);
        let out = &mut self.frame.planes[plane];
        self.work.transform.add(out, x, y, &mut self.work.coefficients, &residual);
    }

    /// The place of a transform in its superblock, in 4×4 blocks of its plane.
    fn in_superblock(&self, transform: &Transform) -> (usize, usize) {
        let (ss_x, ss_y) = self.subsampling(transform.plane);
        let mask = self.superblock().width4() - 1;
        (transform.row & mask >> ss_y, transform.col & mask >> ss_x)
    }

    /// Predicts the area of a transform.
    fn predict(&mut self, block: &Block, params: &BlockParams, transform: &Transform) {
        let (plane, size) = (transform.plane, transform.size);
        let (ss_x, ss_y) = self.subsampling(plane);
        let is_chroma = usize::from(plane > 0);
        let first = (block.row >> ss_y, block.col >> ss_x);
        let colors = usize::from(block.palette_sizes[is_chroma]);
        let (x, y) = (transform.col * 4, transform.row * 4);
        if colors > 0 {
            let at = (transform.row - first.0) * 4 * MAX_PALETTE_SIDE + (transform.col - first.1) * 4;
            let colors = &block.palette_colors[plane][..colors];
            let map = &self.work.color_maps[is_chroma][at..];
            let out = &mut self.frame.planes[plane];
            predict_palette(out, (x, y), (size.width(), size.height()), colors, map, MAX_PALETTE_SIDE);
        } else {
            self.predict_intra(block, params, transform, first);
        }
        if plane == 0 {
            self.luma_end = (x + size.width(), y + size.height());
        }
    }

    fn predict_intra(
        &mut self,
        block: &Block,
        params: &BlockParams,
        transform: &Transform,
        first: (usize, usize),
    ) {
        let (plane, size) = (transform.plane, transform.size);
        let is_chroma = usize::from(plane > 0);
        let (ss_x, ss_y) = self.subsampling(plane);
        let (block_above, block_left) = match plane {
            0 => (block.has_above, block.has_left),
            _ => (block.chroma_has_above, block.chroma_has_left),
        };
        let has_above = block_above || transform.row > first.0;
        let has_left = block_left || transform.col > first.1;
        let (row, col) = self.in_superblock(transform);
        let has_above_right = self.decoded.is_set(plane, row, col + 1 + size.width() / 4);
        let has_below_left = self.decoded.is_set(plane, row + 1 + size.height() / 4, col);
        let limit_x = (self.frame.mi_cols * 4) >> ss_x;
        let limit_y = (self.frame.mi_rows * 4) >> ss_y;
        let (x, y) = (transform.col * 4, transform.row * 4);
        let intra = IntraBlock {
            x,
            y,
            log2_w: size.log2_w(),
            log2_h: size.log2_h(),
            above: edge_samples(has_above, has_above_right, x, size.width(), limit_x),
            left: edge_samples(has_left, has_below_left, y, size.height(), limit_y),
            mode: match (plane, block.uv_mode) {
                (0, _) => block.y_mode,
                (_, ChromaMode::Intra(mode)) => mode,
                (_, ChromaMode::FromLuma(_)) => IntraMode::Dc,
            },
            angle_delta: block.angle_delta[is_chroma],
            filter_intra: block.filter_intra.filter(|_| plane == 0),
            edge_filter: params.edge_filter[is_chroma],
            bit_depth: self.sequence.color.bit_depth,
        };
        self.work.predictor.predict(&mut self.frame.planes[plane], &intra);
        if let (1.., ChromaMode::FromLuma(alphas)) = (plane, block.uv_mode) {
            self.predict_from_luma(transform, alphas[plane - 1]);
        }
    }

    fn predict_from_luma(&mut self, transform: &Transform, alpha: i32) {
        let (x, y) = (transform.col * 4, transform.row * 4);
        let (ss_x, ss_y) = self.subsampling(1);
        // V has the luma of U.
        if transform.plane == 1 {
            let area = CflBlock {
                x,
                y,
                log2_w: transform.size.log2_w(),
                log2_h: transform.size.log2_h(),
                ss_x,
                ss_y,
                max_luma_w: self.luma_end.0,
                max_luma_h: self.luma_end.1,
            };
            self.work.cfl.load(&self.frame.planes[0], &area);
        }
        let depth = self.sequence.color.bit_depth;
        self.work.cfl.predict(&mut self.frame.planes[transform.plane], x, y, alpha, depth);
    }
}
