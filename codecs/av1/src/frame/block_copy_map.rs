//! The vectors of intra block copy, for the prediction of later ones.

use crate::block_size::BlockSize;
use crate::error::Error;
use crate::try_vec::filled;

/// A vector, as row and column in eighths of a luma sample.
pub(crate) type Vector = [i32; 2];

/// What is known of a 4×4 block that is decoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockCopy {
    pub(crate) size: BlockSize,
    /// None if the block is no copy.
    pub(crate) vector: Option<Vector>,
}

/// The 4×4 blocks of a frame.
pub(crate) struct BlockCopyMap {
    columns: usize,
    blocks: Vec<Option<BlockCopy>>,
}

impl BlockCopyMap {
    pub(crate) fn new(mi_cols: usize, mi_rows: usize) -> Result<Self, Error> {
        Ok(Self { columns: mi_cols, blocks: filled(None, mi_cols * mi_rows)? })
    }

    /// The block at a place in the frame. None if it is not decoded.
    pub(crate) fn at(&self, row: usize, col: usize) -> Option<BlockCopy> {
        self.blocks.get(row * self.columns + col).copied().flatten()
    }

    /// Forgets the blocks in an area of the frame: where it begins, and its rows and columns.
    pub(crate) fn clear(&mut self, (row, col): (usize, usize), (rows, cols): (usize, usize)) {
        for line in self.blocks.chunks_exact_mut(self.columns).skip(row).take(rows) {
            line[col..col + cols].fill(None);
        }
    }

    /// Records a block, as far as it lies in the frame.
    pub(crate) fn record(&mut self, row: usize, col: usize, size: BlockSize, vector: Option<Vector>) {
        let end = (col + size.width4()).min(self.columns);
        for line in self.blocks.chunks_exact_mut(self.columns).skip(row).take(size.height4()) {
            line[col..end].fill(Some(BlockCopy { size, vector }));
        }
    }
}
