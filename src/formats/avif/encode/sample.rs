//! The samples of a picture to encode: 8 or 16 bits per channel.

/// A channel of 8 or 16 bits.
pub(crate) trait Sample: Copy + Into<u32> + TryFrom<u32> {
    /// The maximum value.
    const TOP: f32;

    fn level(self) -> f32;
}

impl Sample for u8 {
    const TOP: f32 = 255.0;

    fn level(self) -> f32 {
        self.into()
    }
}

impl Sample for u16 {
    const TOP: f32 = 65_535.0;

    fn level(self) -> f32 {
        self.into()
    }
}
