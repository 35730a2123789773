//! The AV1 configuration in ISOBMFF: the `av1C` box (AV1 in ISOBMFF, 2.3).

use crate::containers::isobmff::Reader;
use crate::containers::isobmff::sequence::{Coding, Sequence};

/// The contents of `av1C`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code<'a> {
    pub(crate) coding: Coding,
    /// The sequence header, if the box contains it.
    headers: &'a [u8],
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

    /// The sequence header that the box contains.
    pub(crate) fn sequence(&self) -> Option<Sequence> {
        Sequence::find(self.headers)
    }
}
