//! What the search decides of a superblock, and what is written of it.

use crate::block_size::{BlockSize, Partition};
use crate::tile::block::Block;
use crate::tile::coefficient_contexts::Transform;
use crate::transform::TxType;

/// A transform with its coefficients.
#[derive(Clone, Debug)]
pub(super) struct CodedTransform {
    pub(super) transform: Transform,
    pub(super) tx_type: TxType,
    /// Levels in the order of the scan, up to the last that is not zero.
    pub(super) levels: Vec<i32>,
}

/// A block with its transforms: those of Y, U and V, in the order of the bitstream.
#[derive(Clone, Debug)]
pub(super) struct CodedBlock {
    pub(super) block: Block,
    pub(super) transforms: Vec<CodedTransform>,
    /// The palette indices of luma, in rows of the block; empty without a palette.
    pub(super) color_map: Vec<u8>,
}

/// A square, and how it is divided.
#[derive(Clone, Debug)]
pub(super) struct Square {
    /// Row and column in 4×4 blocks.
    pub(super) place: (usize, usize),
    pub(super) size: BlockSize,
    pub(super) partition: Partition,
    pub(super) parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub(super) enum Part {
    Square(Square),
    Block(Box<CodedBlock>),
}
