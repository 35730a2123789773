//! The pixels that a caller hands over.

use crate::error::Error;

/// The longest side that the format can say (RFC 6386, section 9.1).
pub const MAX_SIDE: u32 = (1 << 14) - 1;

/// How the samples of a pixel follow each other, each of eight bits, in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, and alpha that is not multiplied in. Only with the feature `alpha`.
    #[cfg(feature = "alpha")]
    Rgba,
}

impl Layout {
    pub(crate) fn samples(self) -> usize {
        match self {
            Self::Rgb => 3,
            #[cfg(feature = "alpha")]
            Self::Rgba => 4,
        }
    }
}

/// A picture, row by row from the top, without gaps.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) layout: Layout,
    pub(crate) samples: &'a [u8],
}

impl<'a> Picture<'a> {
    /// Both sides are 1 to [`MAX_SIDE`] pixels.
    ///
    /// # Errors
    /// [`Error::Size`] where a side is not, [`Error::Samples`] where there are not as many samples as pixels have.
    pub fn new(width: u32, height: u32, layout: Layout, samples: &'a [u8]) -> Result<Self, Error> {
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(Error::Size { width, height });
        }
        let (width, height) = (width as usize, height as usize);
        let expected = width * height * layout.samples();
        if samples.len() != expected {
            return Err(Error::Samples { expected, given: samples.len() });
        }
        Ok(Self { width, height, layout, samples })
    }

    /// Of one row; rows below the picture are its last.
    pub(crate) fn row(&self, y: usize) -> &'a [u8] {
        let length = self.width * self.layout.samples();
        let start = y.min(self.height - 1) * length;
        &self.samples[start..start + length]
    }

    /// The alpha of each pixel as a chunk of the file, unless all are opaque.
    #[cfg(feature = "alpha")]
    pub(crate) fn alpha_chunk(&self) -> Option<Vec<u8>> {
        if self.layout == Layout::Rgb {
            return None;
        }
        let alpha = || self.samples.chunks_exact(4).map(|pixel| pixel[3]);
        let alpha: Vec<u8> =
            if alpha().any(|alpha| alpha < u8::MAX) { alpha().collect() } else { return None };
        Some(crate::alpha::chunk(&alpha, self.width))
    }

    /// All pixels are opaque.
    #[cfg(not(feature = "alpha"))]
    pub(crate) fn alpha_chunk(&self) -> Option<Vec<u8>> {
        None
    }
}
