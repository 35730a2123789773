//! What a tile covers.

/// The most 4×4 blocks along a side of a block.
pub(crate) const MAX_SIDE4: usize = 32;

/// The 4×4 blocks of a tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileBounds {
    pub(crate) row_start: usize,
    pub(crate) row_end: usize,
    pub(crate) col_start: usize,
    pub(crate) col_end: usize,
}
