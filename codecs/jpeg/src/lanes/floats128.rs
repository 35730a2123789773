//! Four numbers in 128-bit WebAssembly instructions.

use core::arch::wasm32::{
    f32x4, f32x4_add, f32x4_div, f32x4_extract_lane, f32x4_mul, f32x4_pmax, f32x4_pmin, f32x4_splat,
    f32x4_sub, i32x4_shuffle, v128,
};
use std::ops::{Add, Div, Mul, Sub};

/// Four numbers that are computed with together.
#[derive(Clone, Copy)]
pub(crate) struct Floats(pub(super) v128);

impl Floats {
    pub(crate) const COUNT: usize = 4;

    #[inline(always)]
    pub(crate) fn splat(value: f32) -> Self {
        Self(f32x4_splat(value))
    }

    #[inline(always)]
    pub(crate) fn of(&[a, b, c, d]: &[f32; Self::COUNT]) -> Self {
        Self(f32x4(a, b, c, d))
    }

    #[inline(always)]
    pub(crate) fn values(self) -> [f32; Self::COUNT] {
        let v = self.0;
        [
            f32x4_extract_lane::<0>(v),
            f32x4_extract_lane::<1>(v),
            f32x4_extract_lane::<2>(v),
            f32x4_extract_lane::<3>(v),
        ]
    }

    /// Each number, or the nearest one from `low` to `high`.
    #[inline(always)]
    pub(crate) fn clamp(self, low: f32, high: f32) -> Self {
        Self(f32x4_pmin(f32x4_pmax(self.0, f32x4_splat(low)), f32x4_splat(high)))
    }

    /// The sums of the pairs of numbers: of these, then of the others.
    #[inline(always)]
    pub(crate) fn pairs(self, others: Self) -> Self {
        let (even, odd) =
            (i32x4_shuffle::<0, 2, 4, 6>(self.0, others.0), i32x4_shuffle::<1, 3, 5, 7>(self.0, others.0));
        Self(f32x4_add(even, odd))
    }

    /// These numbers and the others in turn.
    #[inline(always)]
    pub(crate) fn interleave(self, others: Self) -> [Self; 2] {
        [
            Self(i32x4_shuffle::<0, 4, 1, 5>(self.0, others.0)),
            Self(i32x4_shuffle::<2, 6, 3, 7>(self.0, others.0)),
        ]
    }
}

impl Add for Floats {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }
}

impl Sub for Floats {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(f32x4_sub(self.0, other.0))
    }
}

impl Mul for Floats {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
    }
}

impl Div for Floats {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(f32x4_div(self.0, other.0))
    }
}
