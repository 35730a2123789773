//! Rows of pixels as a decoder gives them and an encoder takes them, for pictures of which only a band is in memory.

use crate::error::Result;

/// The samples of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Samples {
    Gray,
    Rgb,
    /// Color is not premultiplied.
    #[cfg(feature = "pictures")]
    Rgba,
}

impl Samples {
    /// How many there are.
    pub(crate) fn count(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::Rgb => 3,
            #[cfg(feature = "pictures")]
            Self::Rgba => 4,
        }
    }
}

/// The rows of a picture, by the bits of a sample.
pub(crate) enum Rows<'a> {
    /// 8 bits.
    Narrow(Box<dyn RowReader + 'a>),
    /// 16 bits.
    #[cfg(feature = "full")]
    Deep(Box<dyn RowReader<u16> + 'a>),
}

/// Decodes a picture from top to bottom, without padding.
pub(crate) trait RowReader<S = u8> {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32);
    /// What a pixel consists of.
    fn samples(&self) -> Samples;
    /// Fills the buffer with as many of the next rows as fit, and returns their number: 0 after the last one.
    ///
    /// # Errors
    /// [`ErrorCode::Corrupt`](crate::ErrorCode::Corrupt), also for rows that were returned before.
    fn read(&mut self, rows: &mut [S]) -> Result<usize>;
}

/// Encodes a picture of gray or RGB pixels from top to bottom.
pub(crate) trait RowWriter {
    /// Takes the next rows.
    fn push(&mut self, rows: &[u8]) -> Result<()>;
    /// The file, after the last row.
    fn finish(self: Box<Self>) -> Result<Vec<u8>>;
}
