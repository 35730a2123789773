//! Four transforms at once: what is done to a coefficient is done to those of four columns or rows, in the same arithmetic.

use std::array::from_fn;
use std::ops::{Add, Mul, Neg, Sub};

/// How many at once.
pub const LANES: usize = 4;

#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Lanes(pub [i32; LANES]);

impl Lanes {
  pub const ZERO: Self = Self([0; LANES]);

  #[inline(always)]
  pub fn of(f: impl FnMut(usize) -> i32) -> Self {
    Self(from_fn(f))
  }

  #[inline(always)]
  pub fn map(self, mut f: impl FnMut(i32) -> i32) -> Self {
    Self::of(|lane| f(self.0[lane]))
  }

  #[inline(always)]
  fn with(self, other: Self, mut f: impl FnMut(i32, i32) -> i32) -> Self {
    Self::of(|lane| f(self.0[lane], other.0[lane]))
  }

  /// As of `util::round_shift`.
  #[inline(always)]
  pub fn round_shift(self, bit: usize) -> Self {
    if bit == 0 {
      self
    } else {
      self.map(|value| (value + (1 << bit >> 1)) >> bit)
    }
  }

  /// Bounds to as many bits, the sign among them.
  #[inline(always)]
  pub fn clamped(self, bit: usize) -> Self {
    let most = ((1i64 << (bit - 1)) - 1) as i32;
    let least = (-(1i64 << (bit - 1))) as i32;
    self.map(|value| value.max(least).min(most))
  }

  #[inline(always)]
  pub fn is_zero(self) -> bool {
    self.0.iter().fold(0, |all, value| all | value) == 0
  }
}

impl Add for Lanes {
  type Output = Self;

  #[inline(always)]
  fn add(self, other: Self) -> Self {
    self.with(other, |a, b| a + b)
  }
}

impl Sub for Lanes {
  type Output = Self;

  #[inline(always)]
  fn sub(self, other: Self) -> Self {
    self.with(other, |a, b| a - b)
  }
}

impl Neg for Lanes {
  type Output = Self;

  #[inline(always)]
  fn neg(self) -> Self {
    self.map(|value| -value)
  }
}

impl Mul<Lanes> for i32 {
  type Output = Lanes;

  #[inline(always)]
  fn mul(self, lanes: Lanes) -> Lanes {
    lanes.map(|value| self * value)
  }
}
