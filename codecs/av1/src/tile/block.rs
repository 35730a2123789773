//! One block: reading, reconstructing and recording it (AV1 specification, section 5.11.5).

use super::neighbors::Neighbor;
use super::tile_decoder::TileDecoder;
use super::tile_state::TileState;
use crate::block_size::BlockSize;
use crate::error::Error;
use crate::frame::Vector;
use crate::postfilter;
use crate::predict::IntraMode;
use crate::transform::TxSize;

/// The mode of chroma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChromaMode {
    Intra(IntraMode),
    /// UV_CFL_PRED: chroma from luma, with what luma is multiplied by for U and V.
    FromLuma([i32; 2]),
}

/// What is read of a block before its residual.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) row: usize,
    pub(crate) col: usize,
    pub(crate) size: BlockSize,
    pub(crate) has_chroma: bool,
    /// AvailU.
    pub(crate) has_above: bool,
    /// AvailL.
    pub(crate) has_left: bool,
    pub(crate) chroma_has_above: bool,
    pub(crate) chroma_has_left: bool,
    pub(crate) skip: bool,
    pub(crate) segment_id: u8,
    pub(crate) lossless: bool,
    /// The vector of intra block copy, if the block is a copy.
    pub(crate) copy_from: Option<Vector>,
    pub(crate) y_mode: IntraMode,
    pub(crate) uv_mode: ChromaMode,
    /// AngleDeltaY and AngleDeltaUV.
    pub(crate) angle_delta: [i8; 2],
    pub(crate) filter_intra: Option<u8>,
    /// The number of colors for luma and chroma; 0 without a palette.
    pub(crate) palette_sizes: [u8; 2],
    /// The colors of Y, U and V.
    pub(crate) palette_colors: [[u16; 8]; 3],
    pub(crate) tx_size: TxSize,
}

impl Block {
    pub(crate) fn is_inter(&self) -> bool {
        self.copy_from.is_some()
    }

    /// The mode by which neighbors see the chroma of this block.
    pub(crate) fn uv_intra_mode(&self) -> IntraMode {
        match self.uv_mode {
            ChromaMode::Intra(mode) => mode,
            ChromaMode::FromLuma(_) => IntraMode::Dc,
        }
    }
}

impl TileDecoder<'_> {
    /// decode_block.
    pub(crate) fn decode_block(&mut self, row: usize, col: usize, size: BlockSize) -> Result<(), Error> {
        let mut block = self.tile.locate(row, col, size);
        self.read_mode_info(&mut block)?;
        self.read_palette_indices(&block);
        self.read_block_tx_size(&mut block);
        if block.skip {
            self.tile.reset_block_context(&block);
        }
        self.reconstruct(&block)?;
        self.tile.record(&block);
        Ok(())
    }
}

impl TileState<'_> {
    /// A block before anything of it is known.
    pub(crate) fn locate(&self, row: usize, col: usize, size: BlockSize) -> Block {
        let (ss_x, ss_y) = self.subsampling(1);
        let is_narrow = ss_x != 0 && size.width4() == 1;
        let is_flat = ss_y != 0 && size.height4() == 1;
        // Chroma of several blocks belongs to the last of them.
        let waits = is_narrow && col.is_multiple_of(2) || is_flat && row.is_multiple_of(2);
        let has_chroma = !self.sequence.color.monochrome && !waits;
        Block {
            row,
            col,
            size,
            has_chroma,
            has_above: row > self.bounds.row_start,
            has_left: col > self.bounds.col_start,
            chroma_has_above: has_chroma && row > self.bounds.row_start + usize::from(is_flat),
            chroma_has_left: has_chroma && col > self.bounds.col_start + usize::from(is_narrow),
            skip: false,
            segment_id: 0,
            lossless: false,
            copy_from: None,
            y_mode: IntraMode::Dc,
            uv_mode: ChromaMode::Intra(IntraMode::Dc),
            angle_delta: [0; 2],
            filter_intra: None,
            palette_sizes: [0; 2],
            palette_colors: [[0; 8]; 3],
            tx_size: TxSize::Tx4x4,
        }
    }

    /// The parts of the block in the frame, as ends of columns and rows.
    pub(crate) fn ends(&self, block: &Block) -> (usize, usize) {
        let (width, height) = (block.size.width4(), block.size.height4());
        ((block.col + width).min(self.frame.mi_cols), (block.row + height).min(self.frame.mi_rows))
    }

    /// reset_block_context: a skipped block has no coefficients.
    pub(crate) fn reset_block_context(&mut self, block: &Block) {
        let (col_end, row_end) = self.ends(block);
        let planes = if block.has_chroma { 3 } else { 1 };
        for plane in 0..planes {
            let (ss_x, ss_y) = self.subsampling(plane);
            let shifted = |start: usize, end: usize, ss: u8| start >> ss..end.div_ceil(1 << ss);
            self.work.above.coefficients[plane][shifted(block.col, col_end, ss_x)].fill(0);
            self.work.left.coefficients[plane][shifted(block.row, row_end, ss_y)].fill(0);
        }
    }

    /// Tells later blocks, and the filters, about this block.
    pub(crate) fn record(&mut self, block: &Block) {
        let (col_end, row_end) = self.ends(block);
        let neighbor = Neighbor {
            y_mode: block.y_mode,
            size: block.size,
            skip: block.skip,
            is_inter: block.is_inter(),
            palette_sizes: block.palette_sizes,
        };
        let edges = [(&mut self.work.above, block.col..col_end), (&mut self.work.left, block.row..row_end)];
        for (edge, range) in edges {
            edge.blocks[range.clone()].fill(neighbor);
            if block.has_chroma {
                edge.uv_modes[range.clone()].fill(block.uv_intra_mode());
            }
            for plane in 0..2 {
                if block.palette_sizes[plane] > 0 {
                    edge.palette_colors[plane][range.clone()].fill(block.palette_colors[plane]);
                }
            }
        }
        if !self.frame.segment_ids.is_empty() {
            let columns = self.frame.mi_cols;
            for row in block.row..row_end {
                self.frame.segment_ids[row * columns..][block.col..col_end].fill(block.segment_id);
            }
        }
        self.record_for_filters(block);
        if let Some(map) = &mut self.frame.block_copies {
            map.record(block.row, block.col, block.size, block.copy_from);
        }
    }

    fn record_for_filters(&mut self, block: &Block) {
        let place = (block.row, block.col);
        let extent = (block.size.width4(), block.size.height4());
        if let Some(map) = &mut self.frame.cdef
            && !block.skip
        {
            map.record_active(place, extent);
        }
        if let Some(map) = &mut self.frame.deblock {
            let params = &self.header.loop_filter;
            let is_multi = self.header.quantizer.delta_lf.is_some_and(|delta| delta.multi);
            let levels = std::array::from_fn(|at| {
                let delta = self.delta_lf[if is_multi { at } else { 0 }];
                let segment = self.header.segmentation.loop_filter(block.segment_id, at);
                postfilter::level(params.level[at], delta, segment, params.intra_delta)
            });
            map.record_levels(place, extent, levels);
        }
    }
}
