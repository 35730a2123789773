//! What blocks tell the filters after reconstruction.

use crate::error::Error;
use crate::obu::{ColorConfig, FrameSize};
use crate::postfilter::{RestorationUnit, units_in};
use crate::transform::TxSize;
use crate::try_vec::filled;

/// The transform sizes and the filter levels of all 4×4 blocks.
pub(crate) struct DeblockMap {
    /// For luma and for chroma.
    pub(crate) tx_sizes: [Vec<TxSize>; 2],
    /// The columns of each.
    columns: [usize; 2],
    /// For luma edges that are vertical and horizontal, for U and for V.
    pub(crate) levels: Vec<[u8; 4]>,
}

impl DeblockMap {
    pub(crate) fn new(mi_cols: usize, mi_rows: usize, color: &ColorConfig) -> Result<Self, Error> {
        let (ss_x, ss_y) = color.subsampling(1);
        let columns = [mi_cols, mi_cols >> ss_x];
        let chroma = if color.monochrome { 0 } else { columns[1] * (mi_rows >> ss_y) };
        Ok(Self {
            tx_sizes: [filled(TxSize::Tx4x4, mi_cols * mi_rows)?, filled(TxSize::Tx4x4, chroma)?],
            columns,
            levels: filled([0; 4], mi_cols * mi_rows)?,
        })
    }

    /// Records a transform at a place in 4×4 blocks of its plane. U and V have the same.
    pub(crate) fn record_transform(&mut self, is_chroma: bool, row: usize, col: usize, size: TxSize) {
        let columns = self.columns[usize::from(is_chroma)];
        let end = (col + size.width() / 4).min(columns);
        let lines = self.tx_sizes[usize::from(is_chroma)].chunks_exact_mut(columns);
        for line in lines.skip(row).take(size.height() / 4) {
            line[col..end].fill(size);
        }
    }

    /// Records the levels of a block of `width` × `height` blocks of 4×4.
    pub(crate) fn record_levels(
        &mut self,
        (row, col): (usize, usize),
        (width, height): (usize, usize),
        levels: [u8; 4],
    ) {
        let end = (col + width).min(self.columns[0]);
        for line in self.levels.chunks_exact_mut(self.columns[0]).skip(row).take(height) {
            line[col..end].fill(levels);
        }
    }
}

/// Which strengths CDEF uses, and where it is on.
pub(crate) struct CdefMap {
    /// cdef_idx of each 64×64 block; -1 if it is not read.
    pub(crate) index: Vec<i8>,
    columns: usize,
    /// For each 8×8 block, whether a part of it is not skipped.
    pub(crate) active: Vec<bool>,
    active_columns: usize,
}

impl CdefMap {
    fn new_sized(columns: usize, rows: usize, active: (usize, usize)) -> Result<Self, Error> {
        Ok(Self {
            index: filled(-1, columns * rows)?,
            columns,
            active: filled(false, active.0 * active.1)?,
            active_columns: active.0,
        })
    }

    pub(crate) fn new(mi_cols: usize, mi_rows: usize) -> Result<Self, Error> {
        Self::new_sized(mi_cols.div_ceil(16), mi_rows.div_ceil(16), (mi_cols / 2, mi_rows / 2))
    }

    /// The index for the 64×64 block that has this 4×4 block.
    pub(crate) fn index_at(&self, row: usize, col: usize) -> i8 {
        self.index[(row >> 4) * self.columns + (col >> 4)]
    }

    /// Sets the index of all 64×64 blocks that a block of this extent (in 4×4 blocks) covers.
    pub(crate) fn set_index(&mut self, (row, col): (usize, usize), extent: (usize, usize), index: i8) {
        let end = ((col >> 4) + extent.0.div_ceil(16)).min(self.columns);
        for line in self.index.chunks_exact_mut(self.columns).skip(row >> 4).take(extent.1.div_ceil(16)) {
            line[col >> 4..end].fill(index);
        }
    }

    /// Records a block of this extent (in 4×4 blocks) that is not skipped.
    pub(crate) fn record_active(&mut self, (row, col): (usize, usize), (width, height): (usize, usize)) {
        let end = (col + width).div_ceil(2).min(self.active_columns);
        let rows = (row + height).div_ceil(2) - row / 2;
        for line in self.active.chunks_exact_mut(self.active_columns).skip(row / 2).take(rows) {
            line[col / 2..end].fill(true);
        }
    }
}

/// The units of loop restoration in a plane.
pub(crate) struct RestorationMap {
    pub(crate) unit_size: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) units: Vec<RestorationUnit>,
}

impl RestorationMap {
    pub(crate) fn new(size: &FrameSize, (ss_x, ss_y): (u8, u8), unit_size: usize) -> Result<Self, Error> {
        let rows = units_in(size.height.div_ceil(1 << ss_y), unit_size);
        let columns = units_in(size.upscaled_width.div_ceil(1 << ss_x), unit_size);
        Ok(Self { unit_size, rows, columns, units: filled(RestorationUnit::None, rows * columns)? })
    }
}
