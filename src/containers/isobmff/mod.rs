//! The ISO base media file format (ISO/IEC 14496-12) as far as AVIF needs it: boxes, HEIF items (ISO/IEC 23008-12), and
//! the picture that they describe (AV1 Image File Format, 1.1).
//!
//! Readers accept any bytes. They use memory in proportion to the input, and decode nothing.

mod av1;
mod described;
mod item_data;
mod items;
mod picture;
mod properties;
mod sequence;
mod tiles;
mod writer;

use av1::Code;
pub(crate) use items::{Item, Items};
#[cfg(feature = "full")]
pub(crate) use picture::Picture;
pub(crate) use properties::{CodePoints, Property};
#[cfg(feature = "full")]
pub(crate) use sequence::Coding;
#[cfg(feature = "full")]
pub(crate) use tiles::Tiles;
pub(crate) use writer::Writer;

use crate::error::{Error, ErrorCode};

/// A box (ISO/IEC 14496-12, 4.2).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) kind: [u8; 4],
    pub(crate) payload: &'a [u8],
    /// The whole box, with size and type.
    pub(crate) whole: &'a [u8],
}

/// Iterates over consecutive boxes. A box that exceeds its parent ends the iteration.
#[derive(Debug, Clone)]
pub(crate) struct Parts<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        let mut reader = Reader(self.0);
        let size = reader.u32()?;
        let kind = reader.array()?;
        let size = match size {
            // The box extends to the end of the file.
            0 => self.0.len(),
            1 => usize::try_from(reader.u64()?).ok()?,
            size => size as usize,
        };
        let head = self.0.len() - reader.0.len();
        let (whole, rest) = self.0.split_at_checked(size)?;
        let payload = whole.get(head..)?;
        self.0 = rest;
        Some(Part { kind, payload, whole })
    }
}

impl<'a> Parts<'a> {
    /// The first box of a type.
    pub(crate) fn first(mut self, kind: &[u8; 4]) -> Option<Part<'a>> {
        self.find(|part| &part.kind == kind)
    }

    /// The contents of the first box of a type.
    pub(crate) fn payload(self, kind: &[u8; 4]) -> Option<&'a [u8]> {
        self.first(kind).map(|part| part.payload)
    }
}

/// A box with these contents, concatenated; `None` if it would be too long for its size field.
pub(crate) fn part(kind: &[u8; 4], contents: &[&[u8]]) -> Option<Vec<u8>> {
    let size = 8 + contents.iter().map(|part| part.len()).sum::<usize>();
    let mut whole = Vec::with_capacity(size);
    whole.extend(u32::try_from(size).ok()?.to_be_bytes());
    whole.extend_from_slice(kind);
    contents.iter().for_each(|part| whole.extend_from_slice(part));
    Some(whole)
}

/// Reads big-endian numbers from the front of a slice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_be_bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_be_bytes)
    }

    /// A number of 16 bits, or of 32 if `long`.
    pub(crate) fn id(&mut self, long: bool) -> Option<u32> {
        if long { self.u32() } else { self.u16().map(u32::from) }
    }

    /// A number of 0, 4 or 8 bytes, as in `iloc`.
    pub(crate) fn sized(&mut self, bytes: u8) -> Option<u64> {
        match bytes {
            0 => Some(0),
            4 => self.u32().map(u64::from),
            8 => self.u64(),
            _ => None,
        }
    }

    /// Bytes up to a zero byte, which is consumed as well.
    pub(crate) fn text(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let text = self.take(end)?;
        self.u8()?;
        Some(text)
    }

    /// Version and flags of a "full box".
    pub(crate) fn version(&mut self) -> Option<(u8, u32)> {
        let word = self.u32()?;
        Some(((word >> 24) as u8, word & 0x00FF_FFFF))
    }
}

pub(crate) fn damaged(cause: &str) -> Error {
    Error::corrupt("AVIF", cause)
}

pub(crate) fn unsupported(what: &str) -> Error {
    Error::new(ErrorCode::UnsupportedType, format!("This variant of AVIF cannot be read: {what}."))
        .with_detail("type", "image/avif")
        .with_detail("name", "AVIF")
}
