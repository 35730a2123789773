//! The lane operations as scalar code: the definition that `simd128` has to match.

use std::array::from_fn;

/// One coefficient or pixel of eight blocks. Arithmetic wraps.
#[derive(Clone, Copy)]
pub(crate) struct Lanes([i16; 8]);

impl Lanes {
    pub(crate) const fn new(values: [i16; 8]) -> Self {
        Self(values)
    }

    pub(crate) const fn splat(value: i16) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    pub(crate) fn array(self) -> [i16; 8] {
        self.0
    }

    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        self.zip(other, i16::wrapping_add)
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        self.zip(other, i16::wrapping_sub)
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        self.map(i16::wrapping_abs)
    }

    /// Clamps to the range of pixels, 0..=255.
    #[inline(always)]
    pub(crate) fn clamp(self) -> Self {
        self.map(|value| value.clamp(0, 255))
    }

    /// Shifts left.
    #[inline(always)]
    pub(crate) fn shl<const BITS: u32>(self) -> Self {
        self.map(|value| value << BITS)
    }

    /// Arithmetic shift right.
    #[inline(always)]
    pub(crate) fn shr<const BITS: u32>(self) -> Self {
        self.map(|value| value >> BITS)
    }

    /// 1 in each lane that is not zero, else 0.
    #[inline(always)]
    pub(crate) fn is_nonzero(self) -> Self {
        self.map(|value| i16::from(value != 0))
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// `(self × by) >> 15`. `by` must not be `i16::MIN`.
    #[inline(always)]
    pub(crate) fn mul_q15(self, by: i16) -> Self {
        self.map(|value| ((i32::from(value) * i32::from(by)) >> 15) as i16)
    }

    /// `(a × by_a + b × by_b + rounding) >> SHIFT`. The result must fit into 16 bits.
    #[inline(always)]
    pub(crate) fn dot<const SHIFT: u32>([a, b]: [Self; 2], [by_a, by_b]: [i16; 2], rounding: i32) -> Self {
        let [by_a, by_b] = [i32::from(by_a), i32::from(by_b)];
        a.zip(b, |a, b| ((i32::from(a) * by_a + i32::from(b) * by_b + rounding) >> SHIFT) as i16)
    }

    /// `(self × reciprocal + bias) >> 17` of unsigned lanes, at most `max`, with the sign of `signs`.
    #[inline(always)]
    pub(crate) fn quantize(self, reciprocal: u16, bias: u32, max: i16, signs: Self) -> Self {
        self.zip(signs, |magnitude, sign| {
            let level = (u32::from(magnitude as u16) * u32::from(reciprocal) + bias) >> 17;
            let level = (level as u16 as i16).min(max);
            if sign < 0 { -level } else { level }
        })
    }

    /// The low 16 bits of the product.
    #[inline(always)]
    pub(crate) fn mul(self, by: i16) -> Self {
        self.map(|value| value.wrapping_mul(by))
    }

    #[inline(always)]
    fn map(self, operation: impl Fn(i16) -> i16) -> Self {
        Self(from_fn(|lane| operation(self.0[lane])))
    }

    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(i16, i16) -> i16) -> Self {
        Self(from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }
}

/// A 32-bit sum for each of eight blocks.
#[derive(Clone, Copy)]
pub(crate) struct Sums([i32; 8]);

impl Sums {
    pub(crate) const ZERO: Self = Self([0; 8]);

    /// Adds `a × c + b × d`.
    #[inline(always)]
    pub(crate) fn add_products(&mut self, [a, b]: [Lanes; 2], [c, d]: [Lanes; 2]) {
        let product = |a: Lanes, b: Lanes, lane: usize| i32::from(a.0[lane]) * i32::from(b.0[lane]);
        for (lane, sum) in self.0.iter_mut().enumerate() {
            *sum += product(a, c, lane) + product(b, d, lane);
        }
    }

    #[inline(always)]
    pub(crate) fn array(self) -> [i32; 8] {
        self.0
    }
}
