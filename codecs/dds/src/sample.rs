//! Decoded pixels: their channels and the type of their samples.

/// A decoded pixel while it is on its way: samples, floating-point ones as their bits.
pub(crate) type Pixel = [u32; 4];

/// The channels of decoded pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    /// One channel.
    Gray,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, alpha, which is straight.
    Rgba,
}

impl Channels {
    /// Their number: 1, 3 or 4.
    pub const fn count(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }
}

/// The type of a decoded sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// 0 to 255.
    U8,
    /// 0 to 65535.
    U16,
    /// Floating point: 0 is black, 1 is white; less, more and what is not a number can occur.
    F32,
}

impl Depth {
    /// The bytes of a sample: 1, 2 or 4.
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::F32 => 4,
        }
    }

    /// The highest sample, for numbers without a fraction.
    pub(crate) const fn full(self) -> u32 {
        match self {
            Self::U8 => 255,
            _ => 65_535,
        }
    }
}
