//! Rate and distortion, and what they are together.

use crate::lanes::{Blocks, LANES, Lanes};

/// What a choice costs.
#[derive(Clone, Copy, Default)]
pub(crate) struct Score {
    /// Squared differences, with what texture is lost.
    pub(crate) distortion: i64,
    /// In 256ths of a bit.
    pub(crate) rate: i64,
}

impl Score {
    /// In one number, by what a bit is worth.
    #[inline(always)]
    pub(crate) fn weigh(self, lambda: i64) -> i64 {
        self.rate * lambda + 256 * self.distortion
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.distortion += other.distortion;
        self.rate += other.rate;
    }
}

/// How much texture one block lost.
#[inline(always)]
pub(crate) fn texture_loss(a: i32, b: i32) -> i32 {
    (a - b).abs() >> 5
}

/// What lost texture counts as, in squared differences.
#[inline(always)]
pub(crate) fn weigh_texture(weight: i32, loss: i32) -> i32 {
    (weight * loss + 128) >> 8
}

/// Of each block the levels that are not zero, as bits in the order of coding.
#[inline(always)]
pub(crate) fn filled(levels: &Blocks) -> [u16; LANES] {
    let mut bits = Lanes::ZERO;
    for levels in levels.iter().rev() {
        bits = bits.up::<1>().or(levels.is_set());
    }
    bits.array().map(|bits| bits as u16)
}

/// The place of the last such bit.
#[inline(always)]
pub(crate) fn last(filled: u16) -> Option<usize> {
    filled.checked_ilog2().map(|last| last as usize)
}
