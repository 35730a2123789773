//! The lane operations as array code: the definition that `simd128` has to match.

use std::ops::{Add, Div, Mul, Sub};

use super::{INVERSE_CUBE_ROOT_BITS, LANES};

/// Four numbers: single precision as [`Lanes`], double precision as [`Doubles`].
#[derive(Clone, Copy)]
pub(crate) struct Numbers<T>([T; LANES]);

pub(crate) type Lanes = Numbers<f32>;
pub(crate) type Doubles = Numbers<f64>;

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

    /// Zero in place of negative numbers.
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

    /// `self × factor + addend`, rounded from double precision, in which the product is exact.
    #[inline(always)]
    pub(crate) fn mul_add(self, factor: f32, addend: Self) -> Self {
        self.doubles().mul(Doubles::splat(f64::from(factor))).add(addend.doubles()).lanes()
    }

    #[inline(always)]
    pub(crate) fn doubles(self) -> Doubles {
        Numbers(self.0.map(f64::from))
    }

    /// 1 / ∛v to within 4 %, for positive normal numbers.
    #[inline(always)]
    pub(crate) fn inverse_cube_root_guess(self) -> Self {
        Self(self.0.map(|value| f32::from_bits(INVERSE_CUBE_ROOT_BITS - value.to_bits() / 3)))
    }
}

impl Doubles {
    #[inline(always)]
    pub(crate) fn lanes(self) -> Lanes {
        Numbers(self.0.map(|value| value as f32))
    }
}
