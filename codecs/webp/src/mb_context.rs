//! The context of a macroblock: the pixels, modes and non-zero flags of its neighbors that prediction and entropy coding
//! depend on (RFC 6386, sections 11.3, 12 and 13.3).
//!
//! Only one row above and one macroblock on the left are kept.

use crate::predict::{LEFT_BORDER, TOP_BORDER};

/// The pixels around an `N` × `N` block.
#[derive(Clone, Copy)]
pub(crate) struct Border<const N: usize> {
    pub(crate) top: [u8; N],
    pub(crate) left: [u8; N],
    pub(crate) corner: u8,
}

/// Which blocks along one edge of a macroblock have non-zero coefficients: 0 or 1 for each.
#[derive(Clone, Copy, Default)]
pub(crate) struct NonZero {
    pub(crate) y: [u8; 4],
    pub(crate) uv: [[u8; 2]; 2],
    pub(crate) y2: u8,
}

impl NonZero {
    /// The state after a skipped macroblock. One without Y2 leaves the flag of Y2 as it was (section 13.3).
    pub(crate) fn skip(&mut self, has_y2: bool) {
        *self = Self { y2: if has_y2 { 0 } else { self.y2 }, ..Self::default() };
    }
}

/// The chroma DC errors that go to one neighbor, by plane; see `mode_decision::chroma`.
pub(crate) type DcErrors = [[i16; 2]; 2];

#[derive(Clone, Copy)]
pub(crate) struct MbContext {
    pub(crate) has_top: bool,
    pub(crate) has_left: bool,
    pub(crate) y: Border<16>,
    /// The four luma pixels above, right of the macroblock.
    pub(crate) top_right: [u8; 4],
    pub(crate) uv: [Border<8>; 2],
    pub(crate) nz_top: NonZero,
    pub(crate) nz_left: NonZero,
    /// The intra4 modes of the neighboring subblocks, as in `predict::intra4`.
    pub(crate) modes_top: [u8; 4],
    pub(crate) modes_left: [u8; 4],
    pub(crate) dc_errors_top: DcErrors,
    pub(crate) dc_errors_left: DcErrors,
}

/// The reconstructed pixels that predict the macroblocks below and on the right: the bottom row and the right column.
pub(crate) struct ReconEdges {
    pub(crate) y_bottom: [u8; 16],
    pub(crate) y_right: [u8; 16],
    pub(crate) uv_bottom: [[u8; 8]; 2],
    pub(crate) uv_right: [[u8; 8]; 2],
}

/// What is kept of one neighbor.
#[derive(Clone)]
struct Neighbor {
    y: [u8; 16],
    uv: [[u8; 8]; 2],
    nz: NonZero,
    modes: [u8; 4],
    dc_errors: DcErrors,
}

impl Neighbor {
    /// A neighbor outside the picture.
    fn outside(pixel: u8) -> Self {
        Self {
            y: [pixel; 16],
            uv: [[pixel; 8]; 2],
            nz: NonZero::default(),
            modes: [0; 4],
            dc_errors: [[0; 2]; 2],
        }
    }
}

/// Walks the macroblocks in raster order and keeps the context of the current one.
pub(crate) struct MbIterator {
    top: Vec<Neighbor>,
    left: Neighbor,
    /// The corner pixels of Y, and of U and V: the top neighbor of the macroblock on the left has been replaced.
    corner: (u8, [u8; 2]),
    x: usize,
    y: usize,
}

impl MbIterator {
    pub(crate) fn new(mb_width: usize) -> Self {
        Self {
            top: vec![Neighbor::outside(TOP_BORDER); mb_width],
            left: Neighbor::outside(LEFT_BORDER),
            corner: (TOP_BORDER, [TOP_BORDER; 2]),
            x: 0,
            y: 0,
        }
    }

    pub(crate) fn context(&self) -> MbContext {
        let (top, left) = (&self.top[self.x], &self.left);
        let top_right = match self.top.get(self.x + 1) {
            Some(next) => std::array::from_fn(|x| next.y[x]),
            None => [top.y[15]; 4],
        };
        MbContext {
            has_top: self.y > 0,
            has_left: self.x > 0,
            y: Border { top: top.y, left: left.y, corner: self.corner.0 },
            top_right,
            uv: [0, 1].map(|plane: usize| Border {
                top: top.uv[plane],
                left: left.uv[plane],
                corner: self.corner.1[plane],
            }),
            nz_top: top.nz,
            nz_left: left.nz,
            modes_top: top.modes,
            modes_left: left.modes,
            dc_errors_top: top.dc_errors,
            dc_errors_left: left.dc_errors,
        }
    }

    /// Moves to the next macroblock. `context` holds the flags, modes and errors that the current one leaves behind.
    pub(crate) fn advance(&mut self, recon: &ReconEdges, context: &MbContext) {
        let top = &mut self.top[self.x];
        self.corner = (top.y[15], [top.uv[0][7], top.uv[1][7]]);
        *top = Neighbor {
            y: recon.y_bottom,
            uv: recon.uv_bottom,
            nz: context.nz_top,
            modes: context.modes_top,
            dc_errors: context.dc_errors_top,
        };
        self.left = Neighbor {
            y: recon.y_right,
            uv: recon.uv_right,
            nz: context.nz_left,
            modes: context.modes_left,
            dc_errors: context.dc_errors_left,
        };
        self.x += 1;
        if self.x == self.top.len() {
            self.x = 0;
            self.y += 1;
            self.left = Neighbor::outside(LEFT_BORDER);
            self.corner = (LEFT_BORDER, [LEFT_BORDER; 2]);
        }
    }
}
