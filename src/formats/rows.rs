//! Rows of pixels as a decoder gives them and an encoder takes them, for pictures of which only a band is in memory.

use crate::error::Result;

/// Decodes a picture from top to bottom: 8-bit gray or RGB, without padding.
pub(crate) trait RowReader {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32);
    /// Whether pixels are RGB, not gray.
    fn is_color(&self) -> bool;
    /// Fills the buffer with as many of the next rows as fit, and returns their number: 0 after the last one.
    ///
    /// # Errors
    /// [`ErrorCode::Corrupt`](crate::ErrorCode::Corrupt), also for rows that were returned before.
    fn read(&mut self, rows: &mut [u8]) -> Result<usize>;
}

/// Encodes a picture from top to bottom.
pub(crate) trait RowWriter {
    /// Takes the next rows.
    fn push(&mut self, rows: &[u8]) -> Result<()>;
    /// The file, after the last row.
    fn finish(self: Box<Self>) -> Result<Vec<u8>>;
}
