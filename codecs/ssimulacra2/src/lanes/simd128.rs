//! The lane operations as WebAssembly instructions: single precision in one register, double precision in two.

use core::arch::wasm32::{
    f32x4, f32x4_abs, f32x4_add, f32x4_demote_f64x2_zero, f32x4_extract_lane, f32x4_mul, f32x4_pmax,
    f32x4_splat, f32x4_sub, f64x2, f64x2_add, f64x2_div, f64x2_extract_lane, f64x2_mul, f64x2_pmax,
    f64x2_promote_low_f32x4, f64x2_splat, f64x2_sub, i32x4_shuffle, i64x2_shuffle, u32x4_splat, u32x4_sub,
    u64x2_extmul_high_u32x4, u64x2_extmul_low_u32x4, u64x2_shr, v128,
};

use super::{INVERSE_CUBE_ROOT_BITS, LANES};

#[derive(Clone, Copy)]
pub(crate) struct Lanes(v128);

#[derive(Clone, Copy)]
pub(crate) struct Doubles(v128, v128);

impl Lanes {
    pub(crate) const ZERO: Self = Self::splat(0.0);

    #[inline(always)]
    pub(crate) const fn new([a, b, c, d]: [f32; LANES]) -> Self {
        Self(f32x4(a, b, c, d))
    }

    #[inline(always)]
    pub(crate) const fn splat(value: f32) -> Self {
        Self::new([value; LANES])
    }

    #[inline(always)]
    pub(crate) fn array(self) -> [f32; LANES] {
        [
            f32x4_extract_lane::<0>(self.0),
            f32x4_extract_lane::<1>(self.0),
            f32x4_extract_lane::<2>(self.0),
            f32x4_extract_lane::<3>(self.0),
        ]
    }

    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        Self(f32x4_sub(self.0, other.0))
    }

    #[inline(always)]
    pub(crate) fn mul(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        Self(f32x4_abs(self.0))
    }

    #[inline(always)]
    pub(crate) fn positive(self) -> Self {
        Self(f32x4_pmax(f32x4_splat(0.0), self.0))
    }

    /// `self × factor + addend`, rounded from double precision, in which the product is exact.
    #[inline(always)]
    pub(crate) fn mul_add(self, factor: f32, addend: Self) -> Self {
        self.doubles().mul(Doubles::splat(f64::from(factor))).add(addend.doubles()).lanes()
    }

    #[inline(always)]
    pub(crate) fn doubles(self) -> Doubles {
        let high = i32x4_shuffle::<2, 3, 2, 3>(self.0, self.0);
        Doubles(f64x2_promote_low_f32x4(self.0), f64x2_promote_low_f32x4(high))
    }

    #[inline(always)]
    pub(crate) fn inverse_cube_root_guess(self) -> Self {
        // 2³³ divided by 3, rounded up: right for every number of 32 bits.
        let reciprocal = u32x4_splat(0xAAAA_AAAB);
        let low = u64x2_shr(u64x2_extmul_low_u32x4(self.0, reciprocal), 33);
        let high = u64x2_shr(u64x2_extmul_high_u32x4(self.0, reciprocal), 33);
        let third = i32x4_shuffle::<0, 2, 4, 6>(low, high);
        Self(u32x4_sub(u32x4_splat(INVERSE_CUBE_ROOT_BITS), third))
    }
}

impl Doubles {
    #[inline(always)]
    pub(crate) fn splat(value: f64) -> Self {
        Self(f64x2_splat(value), f64x2_splat(value))
    }

    #[inline(always)]
    pub(crate) fn array(self) -> [f64; LANES] {
        [
            f64x2_extract_lane::<0>(self.0),
            f64x2_extract_lane::<1>(self.0),
            f64x2_extract_lane::<0>(self.1),
            f64x2_extract_lane::<1>(self.1),
        ]
    }

    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(f64x2_add(self.0, other.0), f64x2_add(self.1, other.1))
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        Self(f64x2_sub(self.0, other.0), f64x2_sub(self.1, other.1))
    }

    #[inline(always)]
    pub(crate) fn mul(self, other: Self) -> Self {
        Self(f64x2_mul(self.0, other.0), f64x2_mul(self.1, other.1))
    }

    #[inline(always)]
    pub(crate) fn div(self, other: Self) -> Self {
        Self(f64x2_div(self.0, other.0), f64x2_div(self.1, other.1))
    }

    #[inline(always)]
    pub(crate) fn positive(self) -> Self {
        let zero = f64x2(0.0, 0.0);
        Self(f64x2_pmax(zero, self.0), f64x2_pmax(zero, self.1))
    }

    #[inline(always)]
    pub(crate) fn lanes(self) -> Lanes {
        let (low, high) = (f32x4_demote_f64x2_zero(self.0), f32x4_demote_f64x2_zero(self.1));
        Lanes(i64x2_shuffle::<0, 2>(low, high))
    }
}
