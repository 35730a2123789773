//! Four numbers in 128-bit WebAssembly instructions.

use core::arch::wasm32::{
    f32x4, f32x4_add, f32x4_convert_i32x4, f32x4_div, f32x4_extract_lane, f32x4_mul, f32x4_pmax, f32x4_pmin,
    f32x4_splat, f32x4_sub, i32x4_shuffle, u8x16, u8x16_shuffle, u16x8_extend_high_u8x16,
    u16x8_extend_low_u8x16, u32x4_extend_high_u16x8, u32x4_extend_low_u16x8, v128,
};
use std::ops::{Add, Div, Mul, Sub};

use super::PIXELS;

/// Four numbers that are computed with together.
#[derive(Clone, Copy)]
pub struct Floats(v128);

impl Floats {
    /// How many they are.
    pub const COUNT: usize = 4;

    /// The same number four times.
    #[inline(always)]
    pub fn splat(value: f32) -> Self {
        Self(f32x4_splat(value))
    }

    /// These numbers.
    #[inline(always)]
    pub fn of(&[a, b, c, d]: &[f32; Self::COUNT]) -> Self {
        Self(f32x4(a, b, c, d))
    }

    /// The numbers, one by one.
    #[inline(always)]
    pub fn values(self) -> [f32; Self::COUNT] {
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
    pub fn clamp(self, low: f32, high: f32) -> Self {
        Self(f32x4_pmin(f32x4_pmax(self.0, f32x4_splat(low)), f32x4_splat(high)))
    }

    /// The sums of the pairs of numbers: of these, then of the others.
    #[inline(always)]
    pub fn pairs(self, others: Self) -> Self {
        let (even, odd) =
            (i32x4_shuffle::<0, 2, 4, 6>(self.0, others.0), i32x4_shuffle::<1, 3, 5, 7>(self.0, others.0));
        Self(f32x4_add(even, odd))
    }

    /// These numbers and the others in turn.
    #[inline(always)]
    pub fn interleave(self, others: Self) -> [Self; 2] {
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

/// The samples of pixels.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn separate(pixels: &[u8; 3 * PIXELS]) -> [[Floats; PIXELS / Floats::COUNT]; 3] {
    let (parts, _) = pixels.as_chunks::<PIXELS>();
    let (v0, v1, v2) = (bytes(parts[0]), bytes(parts[1]), bytes(parts[2]));
    let part = u8x16_shuffle::<0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0>(v0, v1);
    let plane0 = u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29>(part, v2);
    let part = u8x16_shuffle::<1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0>(v0, v1);
    let plane1 = u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30>(part, v2);
    let part = u8x16_shuffle::<2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0>(v0, v1);
    let plane2 = u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31>(part, v2);
    [numbers(plane0), numbers(plane1), numbers(plane2)]
}

#[inline(always)]
fn bytes(v: [u8; PIXELS]) -> v128 {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = v;
    u8x16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
}

#[inline(always)]
fn numbers(bytes: v128) -> [Floats; PIXELS / Floats::COUNT] {
    let (low, high) = (u16x8_extend_low_u8x16(bytes), u16x8_extend_high_u8x16(bytes));
    let quarters = [
        u32x4_extend_low_u16x8(low),
        u32x4_extend_high_u16x8(low),
        u32x4_extend_low_u16x8(high),
        u32x4_extend_high_u16x8(high),
    ];
    quarters.map(|quarter| Floats(f32x4_convert_i32x4(quarter)))
}
