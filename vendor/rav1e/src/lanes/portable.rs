//! The operations as arrays.

use super::LANES;
use crate::util::Pixel;
use std::array::from_fn;

#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Lanes([i32; LANES]);

impl Lanes {
  #[inline(always)]
  pub const fn new(values: [i32; LANES]) -> Self {
    Self(values)
  }

  #[inline(always)]
  pub const fn splat(value: i32) -> Self {
    Self([value; LANES])
  }

  #[inline(always)]
  pub const fn array(self) -> [i32; LANES] {
    self.0
  }

  #[inline(always)]
  fn with(self, other: Self, f: impl Fn(i32, i32) -> i32) -> Self {
    Self(from_fn(|lane| f(self.0[lane], other.0[lane])))
  }

  #[inline(always)]
  pub(super) fn plus(self, other: Self) -> Self {
    self.with(other, i32::wrapping_add)
  }

  #[inline(always)]
  pub(super) fn minus(self, other: Self) -> Self {
    self.with(other, i32::wrapping_sub)
  }

  #[inline(always)]
  pub(super) fn times(self, factor: i32) -> Self {
    Self(self.0.map(|value| value.wrapping_mul(factor)))
  }

  #[inline(always)]
  pub fn shl(self, bit: u32) -> Self {
    Self(self.0.map(|value| value << bit))
  }

  /// The sign comes in from the left.
  #[inline(always)]
  pub fn shr(self, bit: u32) -> Self {
    Self(self.0.map(|value| value >> bit))
  }

  #[inline(always)]
  pub fn max(self, other: Self) -> Self {
    self.with(other, i32::max)
  }

  #[inline(always)]
  pub fn min(self, other: Self) -> Self {
    self.with(other, i32::min)
  }

  /// -1 where they are equal, 0 elsewhere.
  #[inline(always)]
  pub fn equals(self, other: Self) -> Self {
    self.with(other, |a, b| -i32::from(a == b))
  }

  #[inline(always)]
  pub fn and_not(self, other: Self) -> Self {
    self.with(other, |a, b| a & !b)
  }

  #[inline(always)]
  pub fn xor(self, other: Self) -> Self {
    self.with(other, |a, b| a ^ b)
  }

  #[inline(always)]
  pub fn is_zero(self) -> bool {
    self.0 == [0; LANES]
  }

  /// Rows to columns.
  #[inline(always)]
  pub fn transposed(rows: [Self; LANES]) -> [Self; LANES] {
    from_fn(|column| Self(from_fn(|row| rows[row].0[column])))
  }

  /// Those at even places of eight, and those at odd ones.
  #[inline(always)]
  pub fn unzipped(Self(first): Self, Self(second): Self) -> (Self, Self) {
    (
      Self([first[0], first[2], second[0], second[2]]),
      Self([first[1], first[3], second[1], second[3]]),
    )
  }

  #[inline(always)]
  pub fn from_pixels<T: Pixel>(pixels: &[T; LANES]) -> Self {
    Self(pixels.map(Into::<i32>::into))
  }

  /// Of numbers that a pixel can be.
  #[inline(always)]
  pub fn to_pixels<T: Pixel>(self, pixels: &mut [T; LANES]) {
    *pixels = self.0.map(T::cast_from);
  }
}
