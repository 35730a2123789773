//! The lane operations as 128-bit WebAssembly instructions.

use core::arch::wasm32::{
    i16x8, i16x8_abs, i16x8_add, i16x8_extract_lane, i16x8_max, i16x8_min, i16x8_mul, i16x8_narrow_i32x4,
    i16x8_ne, i16x8_q15mulr_sat, i16x8_shl, i16x8_shr, i16x8_shuffle, i16x8_splat, i16x8_sub, i32x4_add,
    i32x4_dot_i16x8, i32x4_extract_lane, i32x4_shr, i32x4_splat, u16x8_narrow_i32x4, u16x8_shr,
    u32x4_extmul_high_u16x8, u32x4_extmul_low_u16x8, u32x4_shr, v128, v128_and, v128_or, v128_xor,
};

/// One coefficient or pixel of eight blocks. Arithmetic wraps.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(v128);

impl Lanes {
    #[inline(always)]
    pub(crate) const fn new([a, b, c, d, e, f, g, h]: [i16; 8]) -> Self {
        Self(i16x8(a, b, c, d, e, f, g, h))
    }

    #[inline(always)]
    pub(crate) const fn splat(value: i16) -> Self {
        Self::new([value; 8])
    }

    #[inline(always)]
    pub(crate) fn array(self) -> [i16; 8] {
        let v = self.0;
        [
            i16x8_extract_lane::<0>(v),
            i16x8_extract_lane::<1>(v),
            i16x8_extract_lane::<2>(v),
            i16x8_extract_lane::<3>(v),
            i16x8_extract_lane::<4>(v),
            i16x8_extract_lane::<5>(v),
            i16x8_extract_lane::<6>(v),
            i16x8_extract_lane::<7>(v),
        ]
    }

    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(i16x8_add(self.0, other.0))
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        Self(i16x8_sub(self.0, other.0))
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        Self(i16x8_abs(self.0))
    }

    /// Clamps to the range of pixels, 0..=255.
    #[inline(always)]
    pub(crate) fn clamp(self) -> Self {
        Self(i16x8_min(i16x8_max(self.0, i16x8_splat(0)), i16x8_splat(255)))
    }

    /// Shifts left.
    #[inline(always)]
    pub(crate) fn shl<const BITS: u32>(self) -> Self {
        Self(i16x8_shl(self.0, BITS))
    }

    /// Arithmetic shift right.
    #[inline(always)]
    pub(crate) fn shr<const BITS: u32>(self) -> Self {
        Self(i16x8_shr(self.0, BITS))
    }

    /// 1 in each lane that is not zero, else 0.
    #[inline(always)]
    pub(crate) fn is_nonzero(self) -> Self {
        Self(v128_and(i16x8_ne(self.0, i16x8_splat(0)), i16x8_splat(1)))
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    /// `(self × by) >> 15`. `by` must not be `i16::MIN`.
    #[inline(always)]
    pub(crate) fn mul_q15(self, by: i16) -> Self {
        // The instruction rounds to nearest. It rounded up where the highest fraction bit is set.
        let by = i16x8_splat(by);
        let rounded_up = v128_and(u16x8_shr(i16x8_mul(self.0, by), 14), i16x8_splat(1));
        Self(i16x8_sub(i16x8_q15mulr_sat(self.0, by), rounded_up))
    }

    /// `(a × by_a + b × by_b + rounding) >> SHIFT`. The result must fit into 16 bits.
    #[inline(always)]
    pub(crate) fn dot<const SHIFT: u32>([a, b]: [Self; 2], [by_a, by_b]: [i16; 2], rounding: i32) -> Self {
        let by = i16x8(by_a, by_b, by_a, by_b, by_a, by_b, by_a, by_b);
        let half = |pairs| i32x4_shr(i32x4_add(i32x4_dot_i16x8(pairs, by), i32x4_splat(rounding)), SHIFT);
        Self(i16x8_narrow_i32x4(half(low_pairs(a.0, b.0)), half(high_pairs(a.0, b.0))))
    }

    /// `(self × reciprocal + bias) >> 17` of unsigned lanes, at most `max`, with the sign of `signs`.
    #[inline(always)]
    pub(crate) fn quantize(self, reciprocal: u16, bias: u32, max: i16, signs: Self) -> Self {
        let reciprocal = i16x8_splat(reciprocal as i16);
        let half = |product| u32x4_shr(i32x4_add(product, i32x4_splat(bias as i32)), 17);
        let low = half(u32x4_extmul_low_u16x8(self.0, reciprocal));
        let high = half(u32x4_extmul_high_u16x8(self.0, reciprocal));
        let level = i16x8_min(u16x8_narrow_i32x4(low, high), i16x8_splat(max));
        let sign = i16x8_shr(signs.0, 15);
        Self(i16x8_sub(v128_xor(level, sign), sign))
    }

    /// The low 16 bits of the product.
    #[inline(always)]
    pub(crate) fn mul(self, by: i16) -> Self {
        Self(i16x8_mul(self.0, i16x8_splat(by)))
    }
}

/// A 32-bit sum for each of eight blocks.
#[derive(Clone, Copy)]
pub(crate) struct Sums([v128; 2]);

impl Sums {
    pub(crate) const ZERO: Self = Self([Lanes::ZERO.0; 2]);

    /// Adds `a × c + b × d`.
    #[inline(always)]
    pub(crate) fn add_products(&mut self, [a, b]: [Lanes; 2], [c, d]: [Lanes; 2]) {
        let [low, high] = self.0;
        let products = |a, b| i32x4_dot_i16x8(a, b);
        self.0 = [
            i32x4_add(low, products(low_pairs(a.0, b.0), low_pairs(c.0, d.0))),
            i32x4_add(high, products(high_pairs(a.0, b.0), high_pairs(c.0, d.0))),
        ];
    }

    #[inline(always)]
    pub(crate) fn array(self) -> [i32; 8] {
        let [low, high] = self.0;
        [
            i32x4_extract_lane::<0>(low),
            i32x4_extract_lane::<1>(low),
            i32x4_extract_lane::<2>(low),
            i32x4_extract_lane::<3>(low),
            i32x4_extract_lane::<0>(high),
            i32x4_extract_lane::<1>(high),
            i32x4_extract_lane::<2>(high),
            i32x4_extract_lane::<3>(high),
        ]
    }
}

#[inline(always)]
fn low_pairs(a: v128, b: v128) -> v128 {
    i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)
}

#[inline(always)]
fn high_pairs(a: v128, b: v128) -> v128 {
    i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)
}
