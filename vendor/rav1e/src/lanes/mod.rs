//! Four numbers at once: what is done to one is done to all, in the same
//! arithmetic, which wraps.
//!
//! `portable` says what each operation is; `simd128` has the same in
//! WebAssembly's own instructions, which the compiler does not find by itself
//! where the module as a whole is made small.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use portable::Lanes;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::Lanes;

use std::array::from_fn;
use std::ops::{Add, Mul, Neg, Sub};

/// How many at once.
pub const LANES: usize = 4;

impl Lanes {
  pub const ZERO: Self = Self::new([0; LANES]);

  #[inline(always)]
  pub fn of(f: impl FnMut(usize) -> i32) -> Self {
    Self::new(from_fn(f))
  }

  /// As of `util::round_shift`.
  #[inline(always)]
  pub fn round_shift(self, bit: usize) -> Self {
    if bit == 0 {
      self
    } else {
      (self + Self::splat(1 << bit >> 1)).shr(bit as u32)
    }
  }

  /// Bounds to as many bits, the sign among them.
  #[inline(always)]
  pub fn clamped(self, bit: usize) -> Self {
    let most = ((1i64 << (bit - 1)) - 1) as i32;
    let least = (-(1i64 << (bit - 1))) as i32;
    self.max(Self::splat(least)).min(Self::splat(most))
  }

  /// Without the sign: of `i32::MIN`, that.
  #[inline(always)]
  pub fn abs(self) -> Self {
    self.max(-self)
  }
}

impl Add for Lanes {
  type Output = Self;

  #[inline(always)]
  fn add(self, other: Self) -> Self {
    self.plus(other)
  }
}

impl Sub for Lanes {
  type Output = Self;

  #[inline(always)]
  fn sub(self, other: Self) -> Self {
    self.minus(other)
  }
}

impl Neg for Lanes {
  type Output = Self;

  #[inline(always)]
  fn neg(self) -> Self {
    Self::ZERO - self
  }
}

impl Mul<Lanes> for i32 {
  type Output = Lanes;

  #[inline(always)]
  fn mul(self, lanes: Lanes) -> Lanes {
    lanes.times(self)
  }
}
