//! Pixels in a color type of PNG (third edition, 11.2.1).

/// The color type of samples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Color {
    /// One sample. Pixels of the key are transparent.
    Gray {
        /// The transparent gray.
        key: Option<u16>,
    },
    /// Red, green and blue. Pixels of the key are transparent.
    Rgb {
        /// The transparent color.
        key: Option<[u16; 3]>,
    },
    /// An index into a palette of red, green, blue and alpha.
    Indexed {
        /// 1 to 256 colors.
        palette: Vec<[u8; 4]>,
    },
    /// Gray and alpha.
    GrayAlpha,
    /// Red, green, blue and alpha.
    Rgba,
}

impl Color {
    /// The number of samples of a pixel.
    pub fn channels(&self) -> usize {
        match self {
            Self::Gray { .. } | Self::Indexed { .. } => 1,
            Self::GrayAlpha => 2,
            Self::Rgb { .. } => 3,
            Self::Rgba => 4,
        }
    }

    /// The number in `IHDR`.
    pub(crate) fn number(&self) -> u8 {
        match self {
            Self::Gray { .. } => 0,
            Self::Rgb { .. } => 2,
            Self::Indexed { .. } => 3,
            Self::GrayAlpha => 4,
            Self::Rgba => 6,
        }
    }
}

/// A picture as PNG stores it, without filters.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Pixels of a row, 1 to 2³¹ - 1.
    pub width: u32,
    /// Rows, 1 to 2³¹ - 1.
    pub height: u32,
    /// What the samples mean.
    pub color: Color,
    /// Bits of a sample: 1, 2, 4, 8 or 16, as far as the color type allows.
    pub depth: u8,
    /// The rows from the top, each padded to whole bytes. Samples of 16 bits are big-endian.
    pub rows: Vec<u8>,
}

impl Picture {
    /// The bytes of a row.
    pub(crate) fn row_size(&self) -> usize {
        // The bits can be more than an address counts.
        let bits = u64::from(self.width) * (self.color.channels() * usize::from(self.depth)) as u64;
        usize::try_from(bits.div_ceil(8)).unwrap_or(usize::MAX)
    }

    /// The distance of the byte to the left that filters use (9.2).
    pub(crate) fn pixel_size(&self) -> usize {
        (self.color.channels() * usize::from(self.depth)).div_ceil(8)
    }

    /// Whether there are as many bytes as the size says.
    pub(crate) fn is_whole(&self) -> bool {
        let size = self.row_size().checked_mul(self.height as usize);
        self.width > 0 && self.height > 0 && size == Some(self.rows.len())
    }
}
