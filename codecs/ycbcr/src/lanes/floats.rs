//! Four numbers as scalar code: the definition that `floats128` has to match.

use std::ops::{Add, Div, Mul, Sub};

use super::PIXELS;

/// Four numbers that are computed with together.
#[derive(Clone, Copy)]
pub struct Floats([f32; Self::COUNT]);

impl Floats {
    /// How many they are.
    pub const COUNT: usize = 4;

    /// The same number four times.
    #[inline(always)]
    pub fn splat(value: f32) -> Self {
        Self([value; Self::COUNT])
    }

    /// These numbers.
    #[inline(always)]
    pub fn of(&values: &[f32; Self::COUNT]) -> Self {
        Self(values)
    }

    /// The numbers, one by one.
    #[inline(always)]
    pub fn values(self) -> [f32; Self::COUNT] {
        self.0
    }

    /// Each number, or the nearest one from `low` to `high`.
    #[inline(always)]
    pub fn clamp(self, low: f32, high: f32) -> Self {
        Self(self.0.map(|value| value.clamp(low, high)))
    }

    /// The sums of the pairs of numbers: of these, then of the others.
    #[inline(always)]
    pub fn pairs(self, others: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, others.0);
        Self([a + b, c + d, e + f, g + h])
    }

    /// These numbers and the others in turn.
    #[inline(always)]
    pub fn interleave(self, others: Self) -> [Self; 2] {
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

/// The samples of pixels.
#[inline(always)]
pub(crate) fn separate(pixels: &[u8; 3 * PIXELS]) -> [[Floats; PIXELS / Floats::COUNT]; 3] {
    [0, 1, 2].map(|sample| {
        std::array::from_fn(|group| {
            let first = group * Floats::COUNT;
            Floats::of(&std::array::from_fn(|at| f32::from(pixels[3 * (first + at) + sample])))
        })
    })
}
