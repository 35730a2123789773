//! The rows of a lossless picture.

use super::DecodeError;
use super::bit_reader::BitReader;
use super::groups::most_entries;
use super::header::{read_pixels, read_transforms};
use super::pixels::Pixels;
use super::transforms::Transform;

/// The first byte of a lossless picture (RFC 9649, section 3.4).
const SIGNATURE: u32 = 0x2f;

/// Decodes a lossless picture, the data of a `VP8L` chunk, from the top to the bottom.
pub struct LosslessRows<'a> {
    reader: BitReader<'a>,
    size: (u32, u32),
    transforms: Vec<Transform>,
    pixels: Pixels,
    /// The rows so far.
    y: usize,
    row: Vec<u32>,
}

impl<'a> LosslessRows<'a> {
    /// Reads what precedes the pixels.
    ///
    /// # Errors
    /// [`DecodeError::Corrupt`] and [`DecodeError::OutOfMemory`].
    pub fn new(data: &'a [u8]) -> Result<Self, DecodeError> {
        let mut reader = BitReader::new(data);
        let signature = reader.bits(8);
        let size = (reader.bits(14) + 1, reader.bits(14) + 1);
        let (_has_alpha, version) = (reader.bit(), reader.bits(3));
        match signature == SIGNATURE && version == 0 {
            true => Self::without_header(reader, size, data.len()),
            false => Err(DecodeError::Corrupt("it has no header of a lossless picture")),
        }
    }

    /// A picture whose size is known.
    pub(super) fn without_header(
        mut reader: BitReader<'a>,
        size: (u32, u32),
        bytes: usize,
    ) -> Result<Self, DecodeError> {
        let (width, height) = (size.0 as usize, size.1 as usize);
        let most_entries = most_entries(bytes);
        let (transforms, coded_width) = read_transforms(&mut reader, (width, height), most_entries)?;
        let pixels = read_pixels(&mut reader, (coded_width, height), most_entries)?;
        reader.check()?;
        Ok(Self { reader, size, transforms, pixels, y: 0, row: Vec::new() })
    }

    /// Width and height in pixels, each 1 to 16,384.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// The pixels of the next row, with alpha in the highest byte, then red, green and blue. `None` after the last one.
    ///
    /// # Errors
    /// [`DecodeError::Corrupt`].
    pub fn next_row(&mut self) -> Result<Option<&[u32]>, DecodeError> {
        if self.y == self.size.1 as usize {
            return Ok(None);
        }
        self.row.clear();
        self.row.extend_from_slice(self.pixels.row(&mut self.reader)?);
        for transform in self.transforms.iter_mut().rev() {
            transform.undo(self.y, &mut self.row);
        }
        self.y += 1;
        Ok(Some(&self.row))
    }
}
