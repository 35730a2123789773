//! Intra block copy: its vector and its prediction (AV1 specification, sections 5.11.26, 5.11.31 and 6.10.25).

use super::block::Block;
use super::tile_decoder::TileDecoder;
use super::tile_state::TileState;
use crate::block_size::BlockSize;
use crate::error::Error;
use crate::frame::Vector;
use crate::predict::{IntraBcBlock, predict_intrabc};

/// INTRABC_DELAY_PIXELS.
const DELAY: i32 = 256;
/// INTRABC_DELAY_SB64.
const DELAY_SB64: i32 = 4;
/// Vectors reach less far than this, in eighths of a sample.
const MAX_COMPONENT: i32 = 1 << 14;
/// MV_JOINT_HNZVZ and MV_JOINT_HZVNZ: the symbols of vectors that change in columns only, and in rows only.
pub(crate) const COLUMNS_ONLY: usize = 1;
pub(crate) const ROWS_ONLY: usize = 2;
/// MV_JOINT_HNZVNZ.
pub(crate) const BOTH: usize = 3;

impl TileDecoder<'_> {
    /// assign_mv for a copy.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the vector points at what is not decoded, or is too near.
    pub(crate) fn read_block_copy(&mut self, block: &Block) -> Result<Vector, Error> {
        let mut predicted = self.tile.predicted_vector(block);
        let joint = self.symbols.symbol(&mut self.cdf.mv_joint);
        if matches!(joint, ROWS_ONLY | BOTH) {
            predicted[0] += self.read_component(0);
        }
        if matches!(joint, COLUMNS_ONLY | BOTH) {
            predicted[1] += self.read_component(1);
        }
        match self.tile.allows_copy(block, predicted) {
            true => Ok(predicted),
            false => Err(Error::Corrupt("a block copies from where nothing may be copied")),
        }
    }

    /// read_mv_component, of whole samples.
    fn read_component(&mut self, component: usize) -> i32 {
        let cdf = &mut self.cdf.mv_component[component];
        let is_negative = self.symbols.flag(&mut cdf.sign);
        let class = self.symbols.symbol(&mut cdf.class);
        let mut value = 0;
        if class == 0 {
            value = i32::from(self.symbols.flag(&mut cdf.class0_bit));
        } else {
            for (at, cdf) in cdf.bits.iter_mut().take(class).enumerate() {
                value |= i32::from(self.symbols.flag(cdf)) << at;
            }
            value += 2 << (class - 1);
        }
        let value = (value + 1) * 8;
        if is_negative { -value } else { value }
    }
}

impl TileState<'_> {
    /// PredMv: what the vector of a copy is coded relative to.
    pub(crate) fn predicted_vector(&self, block: &Block) -> Vector {
        let stack = self.predicted_vectors(block);
        let side = self.superblock().height() as i32;
        let is_first = block.row < self.bounds.row_start + self.superblock().height4();
        let default = if is_first { [0, -(side + DELAY) * 8] } else { [-side * 8, 0] };
        stack.into_iter().find(|vector| *vector != [0; 2]).unwrap_or(default)
    }

    /// is_mv_valid.
    pub(crate) fn allows_copy(&self, block: &Block, vector: Vector) -> bool {
        if vector.iter().any(|component| component.abs() >= MAX_COMPONENT || component % 8 != 0) {
            return false;
        }
        let bounds = [self.bounds.row_start, self.bounds.row_end, self.bounds.col_start, self.bounds.col_end];
        let [row_start, row_end, col_start, col_end] = bounds.map(|bound| bound as i32 * 4);
        let (width, height) = (block.size.width() as i32, block.size.height() as i32);
        let mut top = block.row as i32 * 4 + vector[0] / 8;
        let mut left = block.col as i32 * 4 + vector[1] / 8;
        let (bottom, right) = (top + height, left + width);
        let (ss_x, ss_y) = self.subsampling(1);
        if block.has_chroma && ss_x != 0 && width < 8 {
            left -= 4;
        }
        if block.has_chroma && ss_y != 0 && height < 8 {
            top -= 4;
        }
        if top < row_start || left < col_start || bottom > row_end || right > col_end {
            return false;
        }
        let side = self.superblock().height() as i32;
        let (row, column) = (block.row as i32 * 4 / side, (block.col as i32 * 4) >> 6);
        let (source_row, source_column) = ((bottom - 1) / side, (right - 1) >> 6);
        let columns = (((col_end - col_start) / 4 - 1) >> 4) + 1;
        if source_row * columns + source_column >= row * columns + column - DELAY_SB64 {
            return false;
        }
        let gradient = 1 + DELAY_SB64 + i32::from(self.superblock() == BlockSize::B128x128);
        let reach = column - DELAY_SB64 + gradient * (row - source_row);
        source_row <= row && source_column < reach
    }

    /// compute_prediction of a copy.
    pub(crate) fn predict_copy(&mut self, block: &Block, vector: Vector) -> Result<(), Error> {
        let planes = if block.has_chroma { 3 } else { 1 };
        for plane in 0..planes {
            let (ss_x, ss_y) = self.subsampling(plane);
            let invalid = Error::Corrupt("a block has a size that its chroma cannot have");
            let size = block.size.subsampled(ss_x, ss_y).ok_or(invalid)?;
            let place = ((block.col >> ss_x) * 4, (block.row >> ss_y) * 4);
            self.copy_area(plane, place, (size.width(), size.height()), vector);
        }
        Ok(())
    }

    /// Copies an area of a plane, as far as the frame is kept there.
    pub(crate) fn copy_area(
        &mut self,
        plane: usize,
        (x, y): (usize, usize),
        (w, h): (usize, usize),
        vector: Vector,
    ) {
        let (ss_x, ss_y) = self.subsampling(plane);
        let out = &mut self.frame.planes[plane];
        let copy = IntraBcBlock {
            x,
            y,
            w: w.min(out.stride - x),
            h: h.min(out.padded_height() - y),
            mv: (vector[0], vector[1]),
            ss_x,
            ss_y,
            limit_x: (self.frame.mi_cols * 4 + usize::from(ss_x)) >> ss_x,
            limit_y: (self.frame.mi_rows * 4 + usize::from(ss_y)) >> ss_y,
        };
        predict_intrabc(out, &copy);
    }
}
