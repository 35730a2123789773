//! What a block is predicted from, and with which parameters (AV1 specification, section 5.11.33).

use super::block::{Block, ChromaMode};
use super::coefficient_contexts::Transform;
use super::tile_state::{MAX_PALETTE_SIDE, TileState};
use crate::predict::{CflBlock, EdgeFilter, IntraBlock, IntraMode, edge_samples, predict_palette};
use crate::transform::{ac_q, dc_q};

/// What all transforms of a block share.
pub(crate) struct BlockParams {
    /// The quantizer steps of DC and AC, for each plane.
    pub(crate) steps: [(i32, i32); 3],
    /// For luma and for chroma.
    edge_filter: [EdgeFilter; 2],
}

impl TileState<'_> {
    pub(crate) fn block_params(&self, block: &Block) -> BlockParams {
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

    /// The place of a transform in its superblock, in 4×4 blocks of its plane.
    pub(crate) fn in_superblock(&self, transform: &Transform) -> (usize, usize) {
        let (ss_x, ss_y) = self.subsampling(transform.plane);
        let mask = self.superblock().width4() - 1;
        (transform.row & mask >> ss_y, transform.col & mask >> ss_x)
    }

    /// Predicts the area of a transform.
    pub(crate) fn predict(&mut self, block: &Block, params: &BlockParams, transform: &Transform) {
        let (plane, size) = (transform.plane, transform.size);
        let (ss_x, ss_y) = self.subsampling(plane);
        let is_chroma = usize::from(plane > 0);
        let first = (block.row >> ss_y, block.col >> ss_x);
        let colors = usize::from(block.palette_sizes[is_chroma]);
        let (x, y) = (transform.col * 4, transform.row * 4);
        if let Some(vector) = block.copy_from {
            self.copy_area(plane, (x, y), (size.width(), size.height()), vector);
        } else if colors > 0 {
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
