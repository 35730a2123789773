//! The operations in WebAssembly's instructions of 128 bits.

use super::LANES;
use crate::util::Pixel;
use core::arch::wasm32::*;
use std::mem::size_of;

#[derive(Clone, Copy)]
pub struct Lanes(v128);

impl Lanes {
  #[inline(always)]
  pub const fn new([a, b, c, d]: [i32; LANES]) -> Self {
    Self(i32x4(a, b, c, d))
  }

  #[inline(always)]
  pub const fn splat(value: i32) -> Self {
    Self::new([value; LANES])
  }

  #[inline(always)]
  pub fn array(self) -> [i32; LANES] {
    let v = self.0;
    [
      i32x4_extract_lane::<0>(v),
      i32x4_extract_lane::<1>(v),
      i32x4_extract_lane::<2>(v),
      i32x4_extract_lane::<3>(v),
    ]
  }

  #[inline(always)]
  pub(super) fn plus(self, other: Self) -> Self {
    Self(i32x4_add(self.0, other.0))
  }

  #[inline(always)]
  pub(super) fn minus(self, other: Self) -> Self {
    Self(i32x4_sub(self.0, other.0))
  }

  #[inline(always)]
  pub(super) fn times(self, factor: i32) -> Self {
    Self(i32x4_mul(self.0, i32x4_splat(factor)))
  }

  #[inline(always)]
  pub fn shl(self, bit: u32) -> Self {
    Self(i32x4_shl(self.0, bit))
  }

  #[inline(always)]
  pub fn shr(self, bit: u32) -> Self {
    Self(i32x4_shr(self.0, bit))
  }

  #[inline(always)]
  pub fn max(self, other: Self) -> Self {
    Self(i32x4_max(self.0, other.0))
  }

  #[inline(always)]
  pub fn min(self, other: Self) -> Self {
    Self(i32x4_min(self.0, other.0))
  }

  #[inline(always)]
  pub fn equals(self, other: Self) -> Self {
    Self(i32x4_eq(self.0, other.0))
  }

  #[inline(always)]
  pub fn and_not(self, other: Self) -> Self {
    Self(v128_andnot(self.0, other.0))
  }

  #[inline(always)]
  pub fn xor(self, other: Self) -> Self {
    Self(v128_xor(self.0, other.0))
  }

  #[inline(always)]
  pub fn is_zero(self) -> bool {
    !v128_any_true(self.0)
  }

  #[inline(always)]
  pub fn transposed([a, b, c, d]: [Self; LANES]) -> [Self; LANES] {
    let low = [
      i32x4_shuffle::<0, 4, 1, 5>(a.0, b.0),
      i32x4_shuffle::<0, 4, 1, 5>(c.0, d.0),
    ];
    let high = [
      i32x4_shuffle::<2, 6, 3, 7>(a.0, b.0),
      i32x4_shuffle::<2, 6, 3, 7>(c.0, d.0),
    ];
    [
      Self(i64x2_shuffle::<0, 2>(low[0], low[1])),
      Self(i64x2_shuffle::<1, 3>(low[0], low[1])),
      Self(i64x2_shuffle::<0, 2>(high[0], high[1])),
      Self(i64x2_shuffle::<1, 3>(high[0], high[1])),
    ]
  }

  #[inline(always)]
  pub fn unzipped(Self(first): Self, Self(second): Self) -> (Self, Self) {
    (
      Self(i32x4_shuffle::<0, 2, 4, 6>(first, second)),
      Self(i32x4_shuffle::<1, 3, 5, 7>(first, second)),
    )
  }

  #[inline(always)]
  pub fn from_pixels<T: Pixel>(pixels: &[T; LANES]) -> Self {
    if size_of::<T>() == 2 {
      // SAFETY: four pixels of two bytes can be read.
      Self(unsafe { u32x4_load_extend_u16x4(pixels.as_ptr().cast()) })
    } else {
      Self::new(pixels.map(Into::<i32>::into))
    }
  }

  #[inline(always)]
  pub fn to_pixels<T: Pixel>(self, pixels: &mut [T; LANES]) {
    if size_of::<T>() == 2 {
      let narrow = u16x8_narrow_i32x4(self.0, self.0);
      // SAFETY: four pixels of two bytes can be written.
      unsafe { v128_store64_lane::<0>(narrow, pixels.as_mut_ptr().cast()) };
    } else {
      *pixels = self.array().map(T::cast_from);
    }
  }
}
