//! The blocks of a part: its offset table, and groups of lines, or tiles ("OpenEXR File Layout", openexr.com).
//!
//! Of several levels of detail only the first is decoded; its tiles are the first in the table. Every entry of the table must
//! lead to the block of its place, so that no block is decoded twice. Together, blocks may not have more bytes than the file: blocks
//! within others would take work that is out of proportion to it.

use crate::channel::Channel;
use crate::compression::Decompressor;
use crate::error::{Error, Result};
use crate::header::{File, MISSING};
use crate::input::Input;
use crate::part::Part;
use crate::shape::Shape;

/// A decompressed block.
#[derive(Debug)]
pub struct Block<'a> {
    /// The first column, in pixels from the left of the data window.
    pub left: u32,
    /// The first row, in pixels from the top of the data window.
    pub top: u32,
    shape: Shape<'a>,
    bytes: &'a [u8],
}

impl<'a> Block<'a> {
    /// The samples of a channel of the part, in each line from the first: little-endian numbers from left to right.
    pub fn rows(&self, channel: &Channel<'_>) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (start, length) = (channel.offset * self.shape.width, channel.kind.size() * self.shape.width);
        let lines = self.bytes.chunks_exact(self.shape.line_size().max(1));
        lines.map(move |line| line.get(start..).and_then(|rest| rest.get(..length)).unwrap_or_default())
    }
}

impl File<'_> {
    /// Decodes the blocks of a part, in the order of their places, and passes each to `receive`.
    ///
    /// `part` is what the header of that index says. The caller has checked the size of its data window, and
    /// [`Part::memory`].
    ///
    /// # Errors
    /// [`Error::Corrupt`] at the first block that is missing or malformed, or with which the blocks have more bytes than the file. The
    /// blocks before it were passed.
    pub fn decode(&self, index: usize, part: &Part<'_>, receive: &mut dyn FnMut(&Block<'_>)) -> Result<()> {
        let (Some((width, height)), Some((block_width, block_height))) = (part.data.size(), part.block())
        else {
            return Err(Error::Corrupt("it has no pixels"));
        };
        let table = self.table(index)?;
        let pixel_size = part.pixel_size();
        let largest = u64::from(block_width) * u64::from(block_height) * pixel_size as u64;
        let largest = usize::try_from(largest).map_err(|_| Error::Unsupported("its blocks are too large"))?;
        let (mut block, mut decompressor) = (vec![0; largest], Decompressor::new(part.compression));
        // A tile that is larger than the window is cut to it: the only one of its row or column.
        let (columns, rows) = (width.div_ceil(block_width), height.div_ceil(block_height));
        let mut unread = self.bytes.len();
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        for (place, (column, row)) in places.enumerate() {
            let (left, top) = (column * block_width, row * block_height);
            let first = match part.tile {
                Some(_) => [column, row, 0, 0],
                None => [part.data.top.wrapping_add_unsigned(top) as u32, 0, 0, 0],
            };
            let first = &first[..if part.tile.is_some() { 4 } else { 1 }];
            let compressed = self.block(index, table, place, first)?;
            unread = unread.checked_sub(compressed.len()).ok_or(Error::Corrupt("its blocks overlap"))?;
            let shape = Shape {
                width: block_width.min(width - left) as usize,
                height: block_height.min(height - top) as usize,
                channels: &part.channels,
                pixel_size,
            };
            let block = &mut block[..shape.size()];
            decompressor.decompress(compressed, &shape, block)?;
            receive(&Block { left, top, shape, bytes: block });
        }
        Ok(())
    }

    /// The offset table of a part, and what follows it.
    fn table(&self, index: usize) -> Result<&[u8]> {
        let mut start = self.tables;
        for before in self.parts().iter().take(index) {
            let blocks = Input(before.require(b"chunkCount")?).length()?;
            start = blocks.checked_mul(8).and_then(|size| size.checked_add(start)).ok_or(MISSING)?;
        }
        self.bytes.get(start..).ok_or(Error::Corrupt("it ends before its blocks"))
    }

    /// The compressed bytes of a block. `place`: its index in the table. `coordinates`: what it must begin with.
    fn block(&self, index: usize, table: &[u8], place: usize, coordinates: &[u32]) -> Result<&[u8]> {
        let offset = Input(table.get(place * 8..).unwrap_or_default()).u64()?;
        let block = usize::try_from(offset).ok().and_then(|offset| self.bytes.get(offset..));
        let mut input = Input(block.ok_or(Error::Corrupt("a block is missing"))?);
        // The part's offset table locates the block, which repeats the number of its part.
        if self.has_numbered_parts && input.u32()? as usize != index {
            return Err(Error::Corrupt("a block belongs to another part"));
        }
        for &coordinate in coordinates {
            if input.u32()? != coordinate {
                return Err(Error::Corrupt("a block belongs to another place"));
            }
        }
        let length = input.length()?;
        input.take(length)
    }
}
