//! The pixels that a caller hands over. Only their number is checked.

use crate::error::Error;

/// The longest side of a WebP picture, in pixels: it has 14 bits (RFC 6386, section 9.1).
pub const MAX_SIDE: u32 = (1 << 14) - 1;

/// The order of the 8-bit sRGB samples of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, alpha; not premultiplied. Needs the feature `alpha`.
    #[cfg(feature = "alpha")]
    Rgba,
}

impl Layout {
    pub(crate) fn channels(self) -> usize {
        match self {
            Self::Rgb => 3,
            #[cfg(feature = "alpha")]
            Self::Rgba => 4,
        }
    }
}

/// A borrowed picture: rows from the top without padding.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) layout: Layout,
    pub(crate) samples: &'a [u8],
}

impl<'a> Picture<'a> {
    /// Checks the size and the number of samples. Each side is 1 to [`MAX_SIDE`] pixels.
    ///
    /// # Errors
    /// [`Error::Size`] if a side is out of range, [`Error::Samples`] if there are too few or too many samples.
    pub fn new(width: u32, height: u32, layout: Layout, samples: &'a [u8]) -> Result<Self, Error> {
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(Error::Size { width, height });
        }
        let (width, height) = (width as usize, height as usize);
        let expected = width * height * layout.channels();
        if samples.len() != expected {
            return Err(Error::Samples { expected, given: samples.len() });
        }
        Ok(Self { width, height, layout, samples })
    }

    /// The samples of a row; the last row stands for those below the picture.
    pub(crate) fn row(&self, y: usize) -> &'a [u8] {
        let len = self.width * self.layout.channels();
        let start = y.min(self.height - 1) * len;
        &self.samples[start..start + len]
    }

    /// The payload of the `ALPH` chunk; none if all pixels are opaque.
    #[cfg(feature = "alpha")]
    pub(crate) fn alpha_chunk(&self) -> Option<Vec<u8>> {
        if self.layout == Layout::Rgb {
            return None;
        }
        let alpha = || self.samples.chunks_exact(4).map(|pixel| pixel[3]);
        let alpha: Vec<u8> =
            if alpha().any(|alpha| alpha < u8::MAX) { alpha().collect() } else { return None };
        Some(crate::alpha::encode(&alpha, self.width))
    }

    /// Without the feature `alpha` all pixels are opaque.
    #[cfg(not(feature = "alpha"))]
    pub(crate) fn alpha_chunk(&self) -> Option<Vec<u8>> {
        None
    }
}
