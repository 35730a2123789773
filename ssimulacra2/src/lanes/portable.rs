//! Lanes as arrays, which the compiler puts into what registers there are.

use super::{HALFWAY, LANES, LOST};

#[derive(Clone, Copy)]
pub(crate) struct Lanes([f32; LANES]);

#[derive(Clone, Copy)]
pub(crate) struct Doubles([f64; LANES]);

/// Where sums lay halfway between two single numbers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Halfway([u64; LANES]);

impl Lanes {
    pub(crate) const ZERO: Self = Self::splat(0.0);

    #[inline(always)]
    pub(crate) const fn new(values: [f32; LANES]) -> Self {
        Self(values)
    }

    #[inline(always)]
    pub(crate) const fn splat(value: f32) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub(crate) fn array(self) -> [f32; LANES] {
        self.0
    }

    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] - other.0[lane]))
    }

    #[inline(always)]
    pub(crate) fn mul(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] * other.0[lane]))
    }

    #[inline(always)]
    pub(crate) fn div(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] / other.0[lane]))
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    /// Zero in place of what is less.
    #[inline(always)]
    pub(crate) fn positive(self) -> Self {
        Self(self.0.map(|value| if value > 0.0 { value } else { 0.0 }))
    }

    #[inline(always)]
    pub(crate) fn neg(self) -> Self {
        Self(self.0.map(|value| -value))
    }

    #[inline(always)]
    pub(crate) fn doubles(self) -> Doubles {
        Doubles(self.0.map(f64::from))
    }

    /// A third of the bits, taken as whole numbers, and so much more.
    #[inline(always)]
    pub(crate) fn third_of_bits(self, more: u32) -> Self {
        Self(self.0.map(|value| f32::from_bits(value.to_bits() / 3 + more)))
    }
}

impl Doubles {
    #[inline(always)]
    pub(crate) const fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub(crate) fn array(self) -> [f64; LANES] {
        self.0
    }

    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] - other.0[lane]))
    }

    #[inline(always)]
    pub(crate) fn mul(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] * other.0[lane]))
    }

    #[inline(always)]
    pub(crate) fn div(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] / other.0[lane]))
    }

    /// Zero in place of what is less.
    #[inline(always)]
    pub(crate) fn positive(self) -> Self {
        Self(self.0.map(|value| if value > 0.0 { value } else { 0.0 }))
    }

    #[inline(always)]
    pub(crate) fn lanes(self) -> Lanes {
        Lanes(self.0.map(|value| value as f32))
    }

    /// As `lanes`; tells what lay halfway.
    #[inline(always)]
    pub(crate) fn round(self, halfway: &mut Halfway) -> Lanes {
        for (halfway, value) in halfway.0.iter_mut().zip(self.0) {
            *halfway |= if value.to_bits() & LOST == HALFWAY { u64::MAX } else { 0 };
        }
        self.lanes()
    }
}

impl Halfway {
    #[inline(always)]
    pub(crate) fn any(&self) -> bool {
        self.0 != [0; LANES]
    }
}
