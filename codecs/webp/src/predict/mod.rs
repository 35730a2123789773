//! Intra prediction (RFC 6386, section 12).

pub(crate) mod small;
pub(crate) mod whole;

/// The modes of 16 × 16 pixels of luma and 8 × 8 of chroma, in the order of this crate: that of the same modes for
/// 4 × 4 pixels, so that they are a neighbour's mode as they stand.
pub(crate) const MEAN: usize = 0;
pub(crate) const GRADIENT: usize = 1;
pub(crate) const VERTICAL: usize = 2;
pub(crate) const MODES: usize = 4;

/// What stands for the pixels above the picture, and on its left.
pub(crate) const ABOVE: u8 = 127;
pub(crate) const LEFT: u8 = 129;
