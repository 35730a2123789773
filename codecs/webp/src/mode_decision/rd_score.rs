//! Rate and distortion of a choice, and their Lagrangian sum.

use crate::lanes::{Blocks, LANES, Lanes};

#[derive(Clone, Copy, Default)]
pub(crate) struct RdScore {
    /// Squared error plus the weighted loss of texture.
    pub(crate) distortion: i64,
    /// In 256ths of a bit.
    pub(crate) rate: i64,
}

impl RdScore {
    /// 256 × distortion + λ × rate.
    #[inline(always)]
    pub(crate) fn total(self, lambda: i64) -> i64 {
        self.rate * lambda + 256 * self.distortion
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.distortion += other.distortion;
        self.rate += other.rate;
    }
}

/// The texture that a block lost or gained.
#[inline(always)]
pub(crate) fn texture_loss(a: i32, b: i32) -> i32 {
    (a - b).abs() >> 5
}

/// A texture loss as squared error.
#[inline(always)]
pub(crate) fn weigh_texture(weight: i32, loss: i32) -> i32 {
    (weight * loss + 128) >> 8
}

/// A bit for each non-zero level of each block; bit 0 is the first level in coding order.
#[inline(always)]
pub(crate) fn nonzero_mask(levels: &Blocks) -> [u16; LANES] {
    let mut mask = Lanes::ZERO;
    for levels in levels.iter().rev() {
        mask = mask.shl::<1>().or(levels.is_nonzero());
    }
    let mask = mask.array();
    std::array::from_fn(|lane| mask[lane] as u16)
}

/// The coding position of the last non-zero level.
#[inline(always)]
pub(crate) fn last_nonzero(mask: u16) -> Option<usize> {
    mask.checked_ilog2().map(|last| last as usize)
}
