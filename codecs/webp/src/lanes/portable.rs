//! The operations, number by number.

use std::array::from_fn;

/// One place of eight blocks. Sums and differences wrap.
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

    /// As pixels: from 0 to 255.
    #[inline(always)]
    pub(crate) fn clamp(self) -> Self {
        self.map(|value| value.clamp(0, 255))
    }

    /// By two to the power of `BITS`.
    #[inline(always)]
    pub(crate) fn up<const BITS: u32>(self) -> Self {
        self.map(|value| value << BITS)
    }

    /// Divided by two to the power of `BITS`, downwards.
    #[inline(always)]
    pub(crate) fn down<const BITS: u32>(self) -> Self {
        self.map(|value| value >> BITS)
    }

    /// 1 where it is not zero.
    #[inline(always)]
    pub(crate) fn is_set(self) -> Self {
        self.map(|value| i16::from(value != 0))
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// `(self × by) >> 15`; `by` is not the least number.
    #[inline(always)]
    pub(crate) fn scale(self, by: i16) -> Self {
        self.map(|value| ((i32::from(value) * i32::from(by)) >> 15) as i16)
    }

    /// `(a × by_a + b × by_b + round) >> SHIFT`, which is to fit into 16 bits.
    #[inline(always)]
    pub(crate) fn rotate<const SHIFT: u32>([a, b]: [Self; 2], [by_a, by_b]: [i16; 2], round: i32) -> Self {
        let [by_a, by_b] = [i32::from(by_a), i32::from(by_b)];
        a.zip(b, |a, b| ((i32::from(a) * by_a + i32::from(b) * by_b + round) >> SHIFT) as i16)
    }

    /// `(self × by + bias) >> 17` without signs, at most `most`; with the sign of `like`.
    #[inline(always)]
    pub(crate) fn divide(self, by: u16, bias: u32, most: i16, like: Self) -> Self {
        self.zip(like, |size, like| {
            let level = (u32::from(size as u16) * u32::from(by) + bias) >> 17;
            let level = (level as u16 as i16).min(most);
            if like < 0 { -level } else { level }
        })
    }

    /// The lower 16 bits of the product.
    #[inline(always)]
    pub(crate) fn times(self, by: i16) -> Self {
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

/// A number of 32 bits for each of eight blocks.
#[derive(Clone, Copy)]
pub(crate) struct Sums([i32; 8]);

impl Sums {
    pub(crate) const ZERO: Self = Self([0; 8]);

    /// `a × c + b × d` more.
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
