//! What neighboring transforms tell about the coefficients of the next (AV1 specification, section 8.3.2).

use super::block::Block;
use super::tile_state::TileState;
use crate::block_size::BlockSize;
use crate::transform::TxSize;

/// The bits of the level context; above it is the category of the DC sign.
const LEVEL: u8 = 63;
/// The shift of the category.
const CATEGORY_SHIFT: u8 = 6;
/// From this level on, neighbors count as busy.
const BUSY: u8 = 3;

/// A transform in its plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transform {
    pub(crate) plane: usize,
    pub(crate) size: TxSize,
    /// Row and column in 4×4 blocks of the plane.
    pub(crate) row: usize,
    pub(crate) col: usize,
    /// The parts inside the frame, as ends of rows and columns.
    pub(crate) row_end: usize,
    pub(crate) col_end: usize,
}

impl TileState<'_> {
    fn edges(&self, transform: &Transform) -> (&[u8], &[u8]) {
        let above = &self.work.above.coefficients[transform.plane][transform.col..transform.col_end];
        let left = &self.work.left.coefficients[transform.plane][transform.row..transform.row_end];
        (above, left)
    }

    /// The context of all_zero.
    pub(crate) fn all_zero_context(&self, block: &Block, transform: &Transform) -> usize {
        let (above, left) = self.edges(transform);
        let (width, height) = (transform.size.width(), transform.size.height());
        let (ss_x, ss_y) = self.subsampling(transform.plane);
        let size = block.size.subsampled(ss_x, ss_y).unwrap_or(BlockSize::B4x4);
        if transform.plane > 0 {
            let count = [above, left].into_iter().filter(|edge| edge.iter().any(|entry| *entry != 0)).count();
            return 7 + count + if size.width() * size.height() > width * height { 3 } else { 0 };
        }
        if (size.width(), size.height()) == (width, height) {
            return 0;
        }
        let most = |edge: &[u8]| edge.iter().map(|entry| entry & LEVEL).max().unwrap_or(0);
        let (top, left) = (most(above), most(left));
        let (lower, higher) = (top.min(left), top.max(left));
        match (lower, higher) {
            (0, 0) => 1,
            (0, _) => 2 + usize::from(higher > BUSY),
            _ if higher <= BUSY => 4,
            _ if lower <= BUSY => 5,
            _ => 6,
        }
    }

    /// The context of dc_sign.
    pub(crate) fn dc_sign_context(&self, transform: &Transform) -> usize {
        let (above, left) = self.edges(transform);
        let balance = |edge: &[u8]| {
            edge.iter().fold(0i32, |sum, entry| match entry >> CATEGORY_SHIFT {
                1 => sum - 1,
                2 => sum + 1,
                _ => sum,
            })
        };
        match balance(above) + balance(left) {
            0 => 0,
            ..0 => 1,
            _ => 2,
        }
    }

    /// Records a transform: the sum of its levels, and 1 or 2 for a DC that is negative or positive.
    pub(crate) fn record_coefficients(&mut self, transform: &Transform, level_sum: u32, dc_category: u8) {
        let entry = level_sum.min(u32::from(LEVEL)) as u8 | dc_category << CATEGORY_SHIFT;
        let plane = transform.plane;
        self.work.above.coefficients[plane][transform.col..transform.col_end].fill(entry);
        self.work.left.coefficients[plane][transform.row..transform.row_end].fill(entry);
    }
}
