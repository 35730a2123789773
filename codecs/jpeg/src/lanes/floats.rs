//! Four numbers as scalar code: the definition that `floats128` has to match.

use std::ops::{Add, Div, Mul, Sub};

/// Four numbers that are computed with together.
#[derive(Clone, Copy)]
pub(crate) struct Floats([f32; Self::COUNT]);

impl Floats {
    pub(crate) const COUNT: usize = 4;

    #[inline(always)]
    pub(crate) fn splat(value: f32) -> Self {
        Self([value; Self::COUNT])
    }

    #[inline(always)]
    pub(crate) fn of(&values: &[f32; Self::COUNT]) -> Self {
        Self(values)
    }

    #[inline(always)]
    pub(crate) fn values(self) -> [f32; Self::COUNT] {
        self.0
    }

    /// Each number, or the nearest one from `low` to `high`.
    #[inline(always)]
    pub(crate) fn clamp(self, low: f32, high: f32) -> Self {
        Self(self.0.map(|value| value.clamp(low, high)))
    }

    /// The sums of the pairs of numbers: of these, then of the others.
    #[inline(always)]
    pub(crate) fn pairs(self, others: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, others.0);
        Self([a + b, c + d, e + f, g + h])
    }

    /// These numbers and the others in turn.
    #[inline(always)]
    pub(crate) fn interleave(self, others: Self) -> [Self; 2] {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, others.0);
        [Self([a, e, b, f]), Self([c, g, d, h])]
    }

    #[inline(always)]
    fn with(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }
}

impl Add for Floats {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
}

impl Sub for Floats {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}

impl Mul for Floats {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }
}

impl Div for Floats {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.with(other, |a, b| a / b)
    }
}
