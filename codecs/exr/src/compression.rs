//! The compressions of blocks ("OpenEXR File Layout", openexr.com). A block that compression would not shrink is stored as it is,
//! which its length tells.

mod b44;
mod bytes;
mod dwa;
pub(crate) mod piz;
mod pxr24;
mod rle;

use crate::error::{Error, Result};
use crate::shape::Shape;
use dwa::Curve;

/// How the blocks of a part are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// Runs of bytes, for single lines.
    Rle,
    /// Deflate, for single lines.
    Zips,
    /// Deflate, for 16 lines.
    Zip,
    /// Wavelets and Huffman codes, for 32 lines.
    Piz,
    /// Deflate of differences, for 16 lines; 32-bit floats are cut to 24 bits.
    Pxr24,
    /// 4 × 4 16-bit floats in 14 bytes, for 32 lines.
    B44,
    /// As `B44`, with 3 bytes if all 16 are equal.
    B44a,
    /// Cosine transform, for 32 lines.
    Dwaa,
    /// Cosine transform, for 256 lines.
    Dwab,
}

impl Compression {
    pub(crate) fn of(number: u8) -> Result<Self> {
        const ALL: [Compression; 10] = {
            use Compression::{B44, B44a, Dwaa, Dwab, None, Piz, Pxr24, Rle, Zip, Zips};
            [None, Rle, Zips, Zip, Piz, Pxr24, B44, B44a, Dwaa, Dwab]
        };
        ALL.get(usize::from(number)).copied().ok_or(Error::Unsupported(match number {
            10 | 11 => "it is compressed by JPEG 2000",
            _ => "its compression is unknown",
        }))
    }

    /// The lines of a block that is not a tile.
    pub(crate) fn lines(self) -> u32 {
        match self {
            Self::None | Self::Rle | Self::Zips => 1,
            Self::Zip | Self::Pxr24 => 16,
            Self::Piz | Self::B44 | Self::B44a | Self::Dwaa => 32,
            Self::Dwab => 256,
        }
    }

    /// The most bytes that a block of `width` × `height` pixels of `pixel_size` bytes takes while it is decompressed.
    pub(crate) fn memory(self, (width, height): (u32, u32), pixel_size: usize) -> u64 {
        let size = |width: u32, height: u32| u64::from(width) * u64::from(height) * pixel_size as u64;
        match self {
            Self::None => size(width, height),
            Self::Rle | Self::Zips | Self::Zip | Self::Pxr24 | Self::B44 | Self::B44a => {
                3 * size(width, height)
            }
            Self::Piz => 3 * size(width, height) + (1 << 20),
            // Streams of runs have up to twice the bytes that they stand for; coefficients are of whole squares.
            Self::Dwaa | Self::Dwab => {
                5 * size(width.next_multiple_of(8), height.next_multiple_of(8)) + (1 << 20)
            }
        }
    }
}

/// Decompresses the blocks of a part.
#[derive(Debug)]
pub(crate) struct Decompressor {
    compression: Compression,
    /// Made with the first block that needs it.
    curve: Option<Curve>,
}

impl Decompressor {
    pub(crate) fn new(compression: Compression) -> Self {
        Self { compression, curve: None }
    }

    /// Writes the samples of a block, of [`Shape::size`] bytes.
    pub(crate) fn decompress(
        &mut self,
        compressed: &[u8],
        shape: &Shape<'_>,
        block: &mut [u8],
    ) -> Result<()> {
        if compressed.len() == block.len() {
            block.copy_from_slice(compressed);
            return Ok(());
        }
        match self.compression {
            Compression::None => Err(Error::Corrupt("a block has another length than its samples")),
            Compression::Rle => {
                let mut folded = rle::decode(compressed, block.len())?;
                bytes::unfold(&mut folded, block);
                Ok(())
            }
            Compression::Zips | Compression::Zip => {
                let mut folded = bytes::inflate(compressed, block.len())?;
                bytes::unfold(&mut folded, block);
                Ok(())
            }
            Compression::Piz => piz::decode(compressed, shape, block),
            Compression::Pxr24 => pxr24::decode(compressed, shape, block),
            Compression::B44 | Compression::B44a => b44::decode(compressed, shape, block),
            Compression::Dwaa | Compression::Dwab => {
                dwa::decode(compressed, shape, self.curve.get_or_insert_with(Curve::new), block)
            }
        }
    }
}
