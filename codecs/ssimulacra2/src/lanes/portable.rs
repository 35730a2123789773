//! Lanes as arrays, which the compiler puts into what registers there are.

use std::ops::{Add, Div, Mul, Sub};

use super::{HALFWAY, LANES, LOST};

/// Numbers side by side: single ones as [`Lanes`], double ones as [`Doubles`].
#[derive(Clone, Copy)]
pub(crate) struct Numbers<T>([T; LANES]);

pub(crate) type Lanes = Numbers<f32>;
pub(crate) type Doubles = Numbers<f64>;

/// Where sums lay halfway between two single numbers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Halfway([u64; LANES]);

impl<T> Numbers<T>
where
    T: Copy + Default + PartialOrd + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    #[inline(always)]
    pub(crate) const fn splat(value: T) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub(crate) fn array(self) -> [T; LANES] {
        self.0
    }

    #[inline(always)]
    fn each(self, other: Self, operation: impl Fn(T, T) -> T) -> Self {
        Self(std::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        self.each(other, T::add)
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        self.each(other, T::sub)
    }

    #[inline(always)]
    pub(crate) fn mul(self, other: Self) -> Self {
        self.each(other, T::mul)
    }

    #[inline(always)]
    pub(crate) fn div(self, other: Self) -> Self {
        self.each(other, T::div)
    }

    /// Zero in place of what is less.
    #[inline(always)]
    pub(crate) fn positive(self) -> Self {
        Self(self.0.map(|value| if value > T::default() { value } else { T::default() }))
    }
}

impl Lanes {
    pub(crate) const ZERO: Self = Self::splat(0.0);

    #[inline(always)]
    pub(crate) const fn new(values: [f32; LANES]) -> Self {
        Self(values)
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    #[inline(always)]
    pub(crate) fn neg(self) -> Self {
        Self(self.0.map(|value| -value))
    }

    #[inline(always)]
    pub(crate) fn doubles(self) -> Doubles {
        Numbers(self.0.map(f64::from))
    }

    /// A third of the bits, taken as whole numbers, and so much more.
    #[inline(always)]
    pub(crate) fn third_of_bits(self, more: u32) -> Self {
        Self(self.0.map(|value| f32::from_bits(value.to_bits() / 3 + more)))
    }
}

impl Doubles {
    #[inline(always)]
    pub(crate) fn lanes(self) -> Lanes {
        Numbers(self.0.map(|value| value as f32))
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
