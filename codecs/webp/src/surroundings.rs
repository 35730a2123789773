//! What a macroblock's coding depends on: pixels, modes and levels above it and on its left.

use crate::predict::{ABOVE, LEFT};

/// The pixels around a square of `N`.
#[derive(Clone, Copy)]
pub(crate) struct Border<const N: usize> {
    pub(crate) above: [u8; N],
    pub(crate) left: [u8; N],
    pub(crate) corner: u8,
}

/// Whether blocks at an edge of a macroblock have levels: 0 or 1.
#[derive(Clone, Copy, Default)]
pub(crate) struct Filled {
    pub(crate) luma: [u8; 4],
    pub(crate) chroma: [[u8; 2]; 2],
    pub(crate) second: u8,
}

impl Filled {
    /// After a macroblock without levels; without a second transform nothing is said of that.
    pub(crate) fn clear(&mut self, has_second: bool) {
        *self = Self { second: if has_second { 0 } else { self.second }, ..Self::default() };
    }
}

/// What chroma's first coefficients were off, in the lower or the right blocks: see `decide::chroma`.
pub(crate) type Error = [[i16; 2]; 2];

#[derive(Clone, Copy)]
pub(crate) struct Surroundings {
    pub(crate) has_above: bool,
    pub(crate) has_left: bool,
    pub(crate) luma: Border<16>,
    /// Four more pixels above, on the right.
    pub(crate) beyond: [u8; 4],
    pub(crate) chroma: [Border<8>; 2],
    pub(crate) filled_above: Filled,
    pub(crate) filled_left: Filled,
    /// The modes of the blocks of 4 × 4 pixels, by the numbers of `predict::small`.
    pub(crate) modes_above: [u8; 4],
    pub(crate) modes_left: [u8; 4],
    pub(crate) error_above: Error,
    pub(crate) error_left: Error,
}

/// What a macroblock leaves to the ones below and on the right.
pub(crate) struct Trace {
    pub(crate) luma_below: [u8; 16],
    pub(crate) luma_right: [u8; 16],
    pub(crate) chroma_below: [[u8; 8]; 2],
    pub(crate) chroma_right: [[u8; 8]; 2],
}

#[derive(Clone)]
struct Column {
    luma: [u8; 16],
    chroma: [[u8; 8]; 2],
    filled: Filled,
    modes: [u8; 4],
    error: Error,
}

/// Follows the macroblocks row by row.
pub(crate) struct Follower {
    columns: Vec<Column>,
    left: Column,
    /// Of the column on the left before it was replaced.
    corner: (u8, [u8; 2]),
    x: usize,
    y: usize,
}

impl Follower {
    pub(crate) fn new(across: usize) -> Self {
        let column = |pixel| Column {
            luma: [pixel; 16],
            chroma: [[pixel; 8]; 2],
            filled: Filled::default(),
            modes: [0; 4],
            error: [[0; 2]; 2],
        };
        let corner = (ABOVE, [ABOVE; 2]);
        Self { columns: vec![column(ABOVE); across], left: column(LEFT), corner, x: 0, y: 0 }
    }

    pub(crate) fn around(&self) -> Surroundings {
        let (above, left) = (&self.columns[self.x], &self.left);
        let beyond = match self.columns.get(self.x + 1) {
            Some(next) => std::array::from_fn(|x| next.luma[x]),
            None => [above.luma[15]; 4],
        };
        Surroundings {
            has_above: self.y > 0,
            has_left: self.x > 0,
            luma: Border { above: above.luma, left: left.luma, corner: self.corner.0 },
            beyond,
            chroma: [0, 1].map(|plane: usize| Border {
                above: above.chroma[plane],
                left: left.chroma[plane],
                corner: self.corner.1[plane],
            }),
            filled_above: above.filled,
            filled_left: left.filled,
            modes_above: above.modes,
            modes_left: left.modes,
            error_above: above.error,
            error_left: left.error,
        }
    }

    /// Goes on to the next macroblock. `around` holds what is no pixel as it is behind this one.
    pub(crate) fn advance(&mut self, trace: &Trace, around: &Surroundings) {
        let above = &mut self.columns[self.x];
        self.corner = (above.luma[15], [above.chroma[0][7], above.chroma[1][7]]);
        *above = Column {
            luma: trace.luma_below,
            chroma: trace.chroma_below,
            filled: around.filled_above,
            modes: around.modes_above,
            error: around.error_above,
        };
        self.left = Column {
            luma: trace.luma_right,
            chroma: trace.chroma_right,
            filled: around.filled_left,
            modes: around.modes_left,
            error: around.error_left,
        };
        self.x += 1;
        if self.x == self.columns.len() {
            self.x = 0;
            self.y += 1;
            self.left = Column {
                luma: [LEFT; 16],
                chroma: [[LEFT; 8]; 2],
                filled: Filled::default(),
                modes: [0; 4],
                error: [[0; 2]; 2],
            };
            self.corner = (LEFT, [LEFT; 2]);
        }
    }
}
