//! Intra prediction of a whole macroblock (RFC 6386, sections 12.1 and 12.2): 16 × 16 luma as two halves of eight
//! subblocks, and the four subblocks of each chroma plane together.

use super::{DC_PRED, TM_PRED, V_PRED};
use crate::lanes::{Blocks, Lanes};
use crate::mb_context::{Border, MbContext};

/// The neighboring pixels of eight subblocks: above by column and on the left by row, one lane a subblock.
pub(crate) struct Edges {
    top: [Lanes; 4],
    left: [Lanes; 4],
    corner: Lanes,
    dc: Lanes,
}

impl Edges {
    /// The upper and the lower eight luma subblocks.
    pub(crate) fn luma(context: &MbContext) -> [Self; 2] {
        let Border { top, left, corner } = &context.y;
        let dc = dc(context, top.as_slice(), left.as_slice());
        std::array::from_fn(|half| Self {
            top: std::array::from_fn(|x| Lanes::from_fn(|lane| i16::from(top[4 * (lane % 4) + x]))),
            left: std::array::from_fn(|y| {
                Lanes::from_fn(|lane| i16::from(left[8 * half + 4 * (lane / 4) + y]))
            }),
            corner: Lanes::splat(i16::from(*corner)),
            dc: Lanes::splat(dc),
        })
    }

    /// Four subblocks of U, then four of V.
    pub(crate) fn chroma(context: &MbContext) -> Self {
        let uv = &context.uv;
        let dc = [0, 1].map(|plane: usize| dc(context, uv[plane].top.as_slice(), uv[plane].left.as_slice()));
        Self {
            top: std::array::from_fn(|x| {
                Lanes::from_fn(|lane| i16::from(uv[lane / 4].top[4 * (lane % 2) + x]))
            }),
            left: std::array::from_fn(|y| {
                Lanes::from_fn(|lane| i16::from(uv[lane / 4].left[4 * (lane % 4 / 2) + y]))
            }),
            corner: Lanes::from_fn(|lane| i16::from(uv[lane / 4].corner)),
            dc: Lanes::from_fn(|lane| dc[lane / 4]),
        }
    }

    #[inline]
    pub(crate) fn predict(&self, mode: usize) -> Blocks {
        match mode {
            DC_PRED => [self.dc; 16],
            TM_PRED => {
                std::array::from_fn(|i| self.left[i / 4].add(self.top[i % 4]).sub(self.corner).clamp())
            }
            V_PRED => std::array::from_fn(|i| self.top[i % 4]),
            // H_PRED
            _ => std::array::from_fn(|i| self.left[i / 4]),
        }
    }
}

/// The mean of the neighbors that lie inside the picture; 128 if there is none.
#[inline]
fn dc(context: &MbContext, top: &[u8], left: &[u8]) -> i16 {
    let sum = |pixels: &[u8]| pixels.iter().map(|&pixel| i16::from(pixel)).sum::<i16>();
    let side = top.len() as i16;
    match (context.has_top, context.has_left) {
        (true, true) => (sum(top) + sum(left) + side) / (2 * side),
        (true, false) => (sum(top) + side / 2) / side,
        (false, true) => (sum(left) + side / 2) / side,
        (false, false) => 128,
    }
}
