//! Samples of 8 and 12 bits.

use std::num::Wrapping;

/// A sample as it is stored.
pub(crate) trait Sample: Copy + Default + Into<i32> {
    /// What sums of the inverse transform are computed in.
    type Sum: Sum;
    /// The bits behind the point between the two passes of the inverse transform.
    const FRACTION: u32;
    /// The largest sample.
    const LARGEST: i32;

    /// The nearest sample.
    fn clamp(value: i32) -> Self;
    /// The same number.
    fn widened(self) -> u16;
    /// Two numbers that are samples.
    fn pair(numbers: [u16; 2]) -> [Self; 2];
}

impl Sample for u8 {
    type Sum = Wrapping<i32>;
    const FRACTION: u32 = 2;
    const LARGEST: i32 = 255;

    #[inline(always)]
    fn clamp(value: i32) -> Self {
        value.clamp(0, Self::LARGEST) as Self
    }

    #[inline(always)]
    fn widened(self) -> u16 {
        self.into()
    }

    /// As one number, which the compiler makes vectors of.
    #[inline(always)]
    fn pair([first, second]: [u16; 2]) -> [Self; 2] {
        (first | second << 8).to_le_bytes()
    }
}

#[cfg(feature = "extended")]
impl Sample for u16 {
    type Sum = Wrapping<i64>;
    const FRACTION: u32 = 1;
    const LARGEST: i32 = 4095;

    #[inline(always)]
    fn clamp(value: i32) -> Self {
        value.clamp(0, Self::LARGEST) as Self
    }

    #[inline(always)]
    fn widened(self) -> u16 {
        self
    }

    #[inline(always)]
    fn pair(numbers: [u16; 2]) -> [Self; 2] {
        numbers
    }
}

/// An integer that sums are computed in, without overflow for what encoders write.
pub(crate) trait Sum: Copy + Default {
    /// This and a product.
    fn add_product(self, a: i32, b: i32) -> Self;
    /// The sum of both, and the difference.
    fn butterfly(self, other: Self) -> (Self, Self);
    /// This by a power of two, rounded.
    fn round(self, shift: u32) -> i32;
}

macro_rules! sum {
    ($int:ty) => {
        impl Sum for Wrapping<$int> {
            #[inline(always)]
            fn add_product(self, a: i32, b: i32) -> Self {
                self + Wrapping(<$int>::from(a)) * Wrapping(<$int>::from(b))
            }

            #[inline(always)]
            fn butterfly(self, other: Self) -> (Self, Self) {
                (self + other, self - other)
            }

            #[inline(always)]
            fn round(self, shift: u32) -> i32 {
                ((self + Wrapping(1 << (shift - 1))).0 >> shift) as i32
            }
        }
    };
}

sum!(i32);
#[cfg(feature = "extended")]
sum!(i64);
