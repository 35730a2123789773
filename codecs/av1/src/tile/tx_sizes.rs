//! Sizes of transforms: how they follow from blocks and from one another (AV1 specification, section 9.3).

use crate::block_size::BlockSize;
use crate::transform::TxSize;

/// The largest logarithm of a side that has a transform.
const LARGEST_LOG2: u8 = 6;

/// The transform with these binary logarithms of width and height; 4×4 if there is none.
pub(crate) fn from_log2(width: u8, height: u8) -> TxSize {
    match (width, height) {
        (3, 3) => TxSize::Tx8x8,
        (4, 4) => TxSize::Tx16x16,
        (5, 5) => TxSize::Tx32x32,
        (6, 6) => TxSize::Tx64x64,
        (2, 3) => TxSize::Tx4x8,
        (3, 2) => TxSize::Tx8x4,
        (3, 4) => TxSize::Tx8x16,
        (4, 3) => TxSize::Tx16x8,
        (4, 5) => TxSize::Tx16x32,
        (5, 4) => TxSize::Tx32x16,
        (5, 6) => TxSize::Tx32x64,
        (6, 5) => TxSize::Tx64x32,
        (2, 4) => TxSize::Tx4x16,
        (4, 2) => TxSize::Tx16x4,
        (3, 5) => TxSize::Tx8x32,
        (5, 3) => TxSize::Tx32x8,
        (4, 6) => TxSize::Tx16x64,
        (6, 4) => TxSize::Tx64x16,
        _ => TxSize::Tx4x4,
    }
}

/// Max_Tx_Size_Rect: the largest transform for a block.
pub(crate) fn largest(block: BlockSize) -> TxSize {
    from_log2((block.width_log2() + 2).min(LARGEST_LOG2), (block.height_log2() + 2).min(LARGEST_LOG2))
}

/// Max_Tx_Depth: how often the largest transform is split until it is 4×4.
pub(crate) fn largest_depth(block: BlockSize) -> usize {
    let mut size = largest(block);
    let mut depth = 0;
    while size != TxSize::Tx4x4 {
        size = split(size);
        depth += 1;
    }
    depth
}

/// Split_Tx_Size.
pub(crate) fn split(size: TxSize) -> TxSize {
    let (width, height) = (size.log2_w(), size.log2_h());
    match width.cmp(&height) {
        std::cmp::Ordering::Greater => from_log2(width - 1, height),
        std::cmp::Ordering::Less => from_log2(width, height - 1),
        std::cmp::Ordering::Equal => from_log2(width - 1, height - 1),
    }
}

/// The transform of chroma (get_tx_size), where `block` is the size of the block in the plane.
pub(crate) fn of_chroma(block: BlockSize) -> TxSize {
    let size = largest(block);
    from_log2(size.log2_w().min(LARGEST_LOG2 - 1), size.log2_h().min(LARGEST_LOG2 - 1))
}

/// Tx_Size_Sqr: the number of the square of the shorter side.
pub(crate) fn shorter(size: TxSize) -> usize {
    usize::from(size.log2_w().min(size.log2_h()) - 2)
}

/// Tx_Size_Sqr_Up: the number of the square of the longer side.
pub(crate) fn longer(size: TxSize) -> usize {
    usize::from(size.log2_w().max(size.log2_h()) - 2)
}
