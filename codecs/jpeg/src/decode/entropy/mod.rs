//! Entropy decoding of a scan, block by block.

#[cfg(feature = "arithmetic")]
mod arithmetic;
mod huffman;

#[cfg(feature = "arithmetic")]
use arithmetic::ArithmeticDecoder;
use huffman::HuffmanDecoder;

use crate::coefficients::Block;
use crate::decode::packed::PackedRow;
use crate::decode::tables::Tables;
use crate::error::Error;
use crate::frame::{FrameHeader, Process};
use crate::scan::ScanHeader;
use crate::zigzag::ZIGZAG;

/// What a scan adds to blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// All of a block.
    Sequential,
    /// The high bits of DC.
    DcFirst,
    /// A further bit of DC.
    DcRefine,
    /// The high bits of a band of AC.
    AcFirst,
    /// A further bit of a band of AC.
    AcRefine,
}

impl Pass {
    /// What a scan adds (T.81, G.1.1.1).
    pub(crate) fn new(frame: &FrameHeader, scan: &ScanHeader) -> Result<Self, Error> {
        if frame.process != Process::Progressive {
            return Ok(Self::Sequential);
        }
        let refine = scan.high != 0;
        let valid = scan.low <= 13 && (!refine || scan.high == scan.low + 1);
        match (scan.first, scan.last) {
            (0, 0) if valid => Ok(if refine { Self::DcRefine } else { Self::DcFirst }),
            (1.., last @ ..=63) if valid && scan.first <= last && scan.components.len() == 1 => {
                Ok(if refine { Self::AcRefine } else { Self::AcFirst })
            }
            _ => Err(Error::Corrupt("a progressive scan has invalid parameters")),
        }
    }
}

/// The order of the coefficients of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Raster,
    Zigzag,
}

impl Order {
    /// By zigzag index, the index in a block. Runs may go too far by 16.
    fn indices(self) -> [u8; 80] {
        std::array::from_fn(|k| match self {
            Self::Raster => ZIGZAG.get(k).copied().unwrap_or(63),
            Self::Zigzag => k.min(63) as u8,
        })
    }
}

/// The decoder of the blocks of a scan.
pub(crate) enum EntropyDecoder<'a> {
    /// With Huffman codes.
    Huffman(Box<HuffmanDecoder<'a>>),
    /// With arithmetic coding.
    #[cfg(feature = "arithmetic")]
    Arithmetic(Box<ArithmeticDecoder<'a>>),
}

impl<'a> EntropyDecoder<'a> {
    /// Starts at the entropy-coded data of a scan.
    pub(crate) fn new(
        bytes: &'a [u8],
        at: usize,
        frame: &FrameHeader,
        scan: &ScanHeader,
        tables: &Tables,
        order: Order,
    ) -> Result<Self, Error> {
        let order = order.indices();
        let pass = Pass::new(frame, scan)?;
        #[cfg(feature = "arithmetic")]
        if frame.arithmetic {
            return Ok(Self::Arithmetic(Box::new(ArithmeticDecoder::new(
                bytes, at, scan, pass, tables, order,
            ))));
        }
        Ok(Self::Huffman(Box::new(HuffmanDecoder::new(bytes, at, scan, pass, tables, order))))
    }

    /// The offset from which the marker behind the data is found.
    pub(crate) fn position(&self) -> usize {
        match self {
            Self::Huffman(decoder) => decoder.position(),
            #[cfg(feature = "arithmetic")]
            Self::Arithmetic(decoder) => decoder.position(),
        }
    }

    /// Goes on at an offset with the state of a start.
    pub(crate) fn restart(&mut self, bytes: &'a [u8], at: usize) {
        match self {
            Self::Huffman(decoder) => decoder.restart(bytes, at),
            #[cfg(feature = "arithmetic")]
            Self::Arithmetic(decoder) => decoder.restart(bytes, at),
        }
    }

    /// Whether the data ended before the blocks that were decoded.
    #[inline]
    pub(crate) fn exhausted(&self) -> bool {
        match self {
            Self::Huffman(decoder) => decoder.exhausted(),
            #[cfg(feature = "arithmetic")]
            Self::Arithmetic(decoder) => decoder.exhausted(),
        }
    }

    /// Whether there was an invalid code since this was asked.
    #[inline]
    pub(crate) fn take_bad_code(&mut self) -> bool {
        match self {
            Self::Huffman(decoder) => decoder.take_bad_code(),
            #[cfg(feature = "arithmetic")]
            Self::Arithmetic(decoder) => decoder.take_bad_code(),
        }
    }

    /// Decodes AC coefficients into the block in a column, if the scan has no others and this decoder can.
    #[inline]
    pub(crate) fn packed_ac(&mut self, row: &mut PackedRow, column: usize) -> bool {
        match self {
            Self::Huffman(decoder) => decoder.packed_ac(row, column),
            #[cfg(feature = "arithmetic")]
            Self::Arithmetic(_) => false,
        }
    }

    /// Decodes into a block of a component of the scan, in zigzag order unless the scan is sequential, where it is all zeros before.
    #[inline]
    pub(crate) fn block(&mut self, component: usize, block: &mut Block) {
        match self {
            Self::Huffman(decoder) => decoder.block(component, block),
            #[cfg(feature = "arithmetic")]
            Self::Arithmetic(decoder) => decoder.block(component, block),
        }
    }
}
