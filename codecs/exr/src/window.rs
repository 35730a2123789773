//! The `box2i` attribute: the display window and the data window of a part.

use crate::input::Input;

/// Larger coordinates have no use, and calculations with them could overflow.
const MAX_COORDINATE: i32 = 1 << 24;

/// A rectangle of pixels. The last row and column are included. Coordinates are within ±2²⁴.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The first column.
    pub left: i32,
    /// The first row.
    pub top: i32,
    /// The last column.
    pub right: i32,
    /// The last row.
    pub bottom: i32,
}

impl Window {
    pub(crate) fn of(value: &[u8]) -> Option<Self> {
        let mut input = Input(value);
        let mut side = || {
            let side = input.u32().ok()? as i32;
            (-MAX_COORDINATE..=MAX_COORDINATE).contains(&side).then_some(side)
        };
        Some(Self { left: side()?, top: side()?, right: side()?, bottom: side()? })
    }

    /// Width and height in pixels. `None` if it is empty.
    pub fn size(self) -> Option<(u32, u32)> {
        let width = u32::try_from(self.right - self.left).ok()? + 1;
        let height = u32::try_from(self.bottom - self.top).ok()? + 1;
        Some((width, height))
    }
}
