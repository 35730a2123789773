//! The AV1 configuration in ISOBMFF: the `av1C` box (AV1 in ISOBMFF, 2.3), with the sequence header (AV1 specification,
//! 5.5).

use crate::containers::isobmff::{CodePoints, Reader};

/// The contents of `av1C`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code<'a> {
    pub(crate) coding: Coding,
    /// The sequence header, if the box contains it.
    headers: &'a [u8],
}

/// The sample format of the coded picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coding {
    /// Bits per channel: 8, 10 or 12.
    pub(crate) depth: u8,
    /// Whether there is only luma.
    pub(crate) gray: bool,
    /// Whether chroma has half the width.
    pub(crate) half_width: bool,
    /// Whether chroma has half the height.
    pub(crate) half_height: bool,
}

/// The sequence header, as far as it is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub(crate) coding: Coding,
    pub(crate) colors: CodePoints,
    /// The largest width and height of a frame.
    pub(crate) size: (u32, u32),
}

impl<'a> Code<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let [0x81, _, flags, _] = reader.array()? else { return None };
        let flag = |bit: u8| (flags >> bit) & 1 == 1;
        let depth = match (flag(6), flag(5)) {
            (false, _) => 8,
            (true, false) => 10,
            (true, true) => 12,
        };
        let coding = Coding { depth, gray: flag(4), half_width: flag(3), half_height: flag(2) };
        Some(Self { coding, headers: reader.0 })
    }

    /// The sequence header, from `av1C` or from the coded picture.
    pub(crate) fn sequence(&self, picture: &[u8]) -> Option<Sequence> {
        Sequence::find(self.headers).or_else(|| Sequence::find(picture))
    }
}

impl Sequence {
    /// The first sequence header among the OBUs, 5.3.
    pub(crate) fn find(units: &[u8]) -> Option<Self> {
        let mut reader = Reader(units);
        loop {
            let head = reader.u8()?;
            if head >> 2 & 1 == 1 {
                reader.u8()?;
            }
            let length = match head >> 1 & 1 {
                1 => leb128(&mut reader)?,
                _ => reader.0.len(),
            };
            let unit = reader.take(length)?;
            if head >> 3 & 15 == 1 {
                return super::sequence::parse(unit);
            }
        }
    }
}

/// A `leb128` number, 4.10.5.
fn leb128(reader: &mut Reader<'_>) -> Option<usize> {
    let mut value = 0u64;
    for group in 0..8 {
        let byte = reader.u8()?;
        value |= u64::from(byte & 0x7F) << (7 * group);
        if byte & 0x80 == 0 {
            return usize::try_from(value).ok();
        }
    }
    None
}
