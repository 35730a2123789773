//! Which 4×4 blocks in and around a superblock are decoded, for the edges of intra prediction (BlockDecoded).

use super::bounds::{MAX_SIDE4, TileBounds};
use crate::block_size::BlockSize;
use crate::obu::ColorConfig;
use std::ops::Range;

/// A row for each row of 4×4 blocks, and one before the first. Bit x + 1 stands for column x; bit 0 for what is to the left.
#[derive(Default)]
pub(crate) struct DecodedFlags {
    planes: [Flags; 3],
}

struct Flags([u64; MAX_SIDE4 + 2]);

impl Default for Flags {
    fn default() -> Self {
        Self([0; MAX_SIDE4 + 2])
    }
}

impl DecodedFlags {
    /// clear_block_decoded_flags: what is around a superblock at the start of its decoding.
    pub(crate) fn clear(
        &mut self,
        color: &ColorConfig,
        bounds: &TileBounds,
        (row, col): (usize, usize),
        superblock: BlockSize,
    ) {
        for (plane, Flags(rows)) in self.planes.iter_mut().enumerate() {
            let (ss_x, ss_y) = color.subsampling(plane);
            let side = (superblock.width4() >> ss_x, superblock.height4() >> ss_y);
            let width = ((bounds.col_end - col) >> ss_x).min(side.0 + 1);
            let height = ((bounds.row_end - row) >> ss_y).min(side.1);
            rows.fill(0);
            rows[0] = (2 << width) - 1;
            rows[1..=height].fill(1);
        }
    }

    /// Whether a block is decoded. The place is relative to the superblock, plus one.
    pub(crate) fn is_set(&self, plane: usize, row: usize, col: usize) -> bool {
        self.planes[plane].0[row] >> col & 1 != 0
    }

    /// Marks a block of this extent as decoded. The place is relative to the superblock.
    pub(crate) fn set(&mut self, plane: usize, (row, col): (usize, usize), (width, height): (usize, usize)) {
        let mask = ((1u64 << width) - 1) << (col + 1);
        for flags in self.planes[plane].0.iter_mut().skip(row + 1).take(height) {
            *flags |= mask;
        }
    }

    /// The flags of rows of 4×4 blocks, relative to the superblock.
    pub(crate) fn rows_mut(&mut self, plane: usize, rows: Range<usize>) -> &mut [u64] {
        &mut self.planes[plane].0[rows.start + 1..rows.end + 1]
    }

    /// Likewise.
    pub(crate) fn rows(&self, plane: usize, rows: Range<usize>) -> &[u64] {
        &self.planes[plane].0[rows.start + 1..rows.end + 1]
    }
}
