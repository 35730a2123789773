//! The `box2i` attribute: the display window and the data window of a part.

/// Larger coordinates have no use, and calculations with them could overflow.
const MAX_COORDINATE: i32 = 1 << 24;

/// A rectangle of pixels. The last row and column are included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) left: i32,
    pub(crate) top: i32,
    right: i32,
    bottom: i32,
}

impl Window {
    pub(super) fn of(value: &[u8]) -> Option<Self> {
        let mut sides = value.as_chunks().0.iter().map(|&side| i32::from_le_bytes(side));
        let mut side = || sides.next().filter(|side| (-MAX_COORDINATE..=MAX_COORDINATE).contains(side));
        Some(Self { left: side()?, top: side()?, right: side()?, bottom: side()? })
    }

    /// Width and height. `None` if it is empty.
    pub(crate) fn size(self) -> Option<(u32, u32)> {
        let width = u32::try_from(self.right - self.left).ok()? + 1;
        let height = u32::try_from(self.bottom - self.top).ok()? + 1;
        Some((width, height))
    }
}
