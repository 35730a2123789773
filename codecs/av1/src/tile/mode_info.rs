//! The modes of a block in an intra frame (AV1 specification, section 5.11.7).

use super::block::{Block, ChromaMode};
use super::tile_decoder::TileDecoder;
use super::tile_state::TileState;
use crate::block_size::BlockSize;
use crate::error::Error;
use crate::obu::Feature;
use crate::predict::IntraMode;

/// Intra_Mode_Context.
const MODE_CONTEXT: [u8; 13] = [0, 1, 2, 3, 4, 4, 4, 4, 3, 0, 1, 2, 0];
/// The symbol of uv_mode that means chroma from luma.
pub(crate) const UV_CFL: usize = 13;
/// MAX_ANGLE_DELTA.
pub(crate) const MAX_ANGLE_DELTA: i8 = 3;
/// The largest side of a block whose chroma may come from luma, or that filters recursively.
const MAX_SMALL_SIDE: usize = 32;

impl TileDecoder<'_> {
    /// intra_frame_mode_info.
    pub(super) fn read_mode_info(&mut self, block: &mut Block) -> Result<(), Error> {
        let is_before_skip = self.tile.header.segmentation.before_skip;
        if is_before_skip {
            self.read_segment_id(block);
        }
        self.read_skip(block);
        if !is_before_skip {
            self.read_segment_id(block);
        }
        block.lossless = self.tile.header.lossless[usize::from(block.segment_id)];
        self.read_cdef_index(block);
        self.read_quantizer_changes(block);
        self.reads_deltas = false;
        if self.tile.header.allow_intrabc && self.symbols.flag(&mut self.cdf.use_intrabc) {
            block.copy_from = Some(self.read_block_copy(block)?);
            return Ok(());
        }
        self.read_y_mode(block);
        if block.has_chroma {
            self.read_uv_mode(block);
        }
        if self.tile.allows_palettes(block) {
            self.read_palettes(block);
        }
        if self.tile.may_filter(block) {
            let cdf = &mut self.cdf.filter_intra[block.size as usize];
            if self.symbols.flag(cdf) {
                block.filter_intra = Some(self.symbols.symbol(&mut self.cdf.filter_intra_mode) as u8);
            }
        }
        Ok(())
    }

    fn read_skip(&mut self, block: &mut Block) {
        let segmentation = &self.tile.header.segmentation;
        let is_implied =
            segmentation.before_skip && segmentation.feature(block.segment_id, Feature::Skip).is_some();
        if is_implied {
            block.skip = true;
            return;
        }
        let context = self.tile.skip_context(block);
        block.skip = self.symbols.flag(&mut self.cdf.skip[context]);
    }

    /// read_cdef.
    fn read_cdef_index(&mut self, block: &Block) {
        let (Some(params), Some(map)) = (&self.tile.header.cdef, &mut self.tile.frame.cdef) else { return };
        if block.skip || map.index_at(block.row, block.col) != -1 {
            return;
        }
        let index = self.symbols.literal(params.bits) as i8;
        map.set_index((block.row, block.col), (block.size.width4(), block.size.height4()), index);
    }

    fn read_y_mode(&mut self, block: &mut Block) {
        let [above, left] = self.tile.mode_contexts(block);
        let symbol = self.symbols.symbol(&mut self.cdf.intra_frame_y_mode[above][left]);
        block.y_mode = IntraMode::from_index(symbol as u8).unwrap_or(IntraMode::Dc);
        block.angle_delta[0] = self.read_angle_delta(block.size, block.y_mode);
    }

    fn read_uv_mode(&mut self, block: &mut Block) {
        let allows_cfl = self.tile.allows_cfl(block);
        let y_mode = block.y_mode as usize;
        let symbol = match allows_cfl {
            true => self.symbols.symbol(&mut self.cdf.uv_mode_cfl[y_mode]),
            false => self.symbols.symbol(&mut self.cdf.uv_mode[y_mode]),
        };
        if symbol == UV_CFL {
            block.uv_mode = ChromaMode::FromLuma(self.read_cfl_alphas());
            return;
        }
        let mode = IntraMode::from_index(symbol as u8).unwrap_or(IntraMode::Dc);
        block.uv_mode = ChromaMode::Intra(mode);
        block.angle_delta[1] = self.read_angle_delta(block.size, mode);
    }

    fn read_angle_delta(&mut self, size: BlockSize, mode: IntraMode) -> i8 {
        if !has_angle(size, mode) {
            return 0;
        }
        let cdf = &mut self.cdf.angle_delta[mode as usize - IntraMode::V as usize];
        self.symbols.symbol(cdf) as i8 - MAX_ANGLE_DELTA
    }

    fn read_cfl_alphas(&mut self) -> [i32; 2] {
        let signs = self.symbols.symbol(&mut self.cdf.cfl_sign) + 1;
        let signs = [signs / 3, signs % 3];
        let mut alphas = [0; 2];
        for (at, alpha) in alphas.iter_mut().enumerate() {
            // 0: zero, 1: negative, 2: positive.
            if signs[at] != 0 {
                let context = (signs[at] - 1) * 3 + signs[1 - at];
                let value = self.symbols.symbol(&mut self.cdf.cfl_alpha[context]) as i32 + 1;
                *alpha = if signs[at] == 1 { -value } else { value };
            }
        }
        alphas
    }
}

/// Whether a mode of a block of this size has an angle delta.
pub(crate) fn has_angle(size: BlockSize, mode: IntraMode) -> bool {
    size >= BlockSize::B8x8 && mode.is_directional()
}

impl TileState<'_> {
    /// The context of skip.
    pub(crate) fn skip_context(&self, block: &Block) -> usize {
        let above = block.has_above && self.work.above.blocks[block.col].skip;
        let left = block.has_left && self.work.left.blocks[block.row].skip;
        usize::from(above) + usize::from(left)
    }

    /// The contexts of intra_frame_y_mode: of the modes above and to the left.
    pub(crate) fn mode_contexts(&self, block: &Block) -> [usize; 2] {
        let context = |is_there: bool, mode: IntraMode| {
            usize::from(if is_there { MODE_CONTEXT[mode as usize] } else { 0 })
        };
        [
            context(block.has_above, self.work.above.blocks[block.col].y_mode),
            context(block.has_left, self.work.left.blocks[block.row].y_mode),
        ]
    }

    /// Whether the chroma of a block may come from luma.
    pub(crate) fn allows_cfl(&self, block: &Block) -> bool {
        let (ss_x, ss_y) = self.subsampling(1);
        match block.lossless {
            true => block.size.subsampled(ss_x, ss_y) == Some(BlockSize::B4x4),
            false => block.size.width().max(block.size.height()) <= MAX_SMALL_SIDE,
        }
    }

    /// Whether use_filter_intra is coded.
    pub(crate) fn may_filter(&self, block: &Block) -> bool {
        self.sequence.enable_filter_intra
            && block.y_mode == IntraMode::Dc
            && block.palette_sizes[0] == 0
            && block.size.width().max(block.size.height()) <= MAX_SMALL_SIDE
    }
}
