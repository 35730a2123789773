//! Where bytes occurred before, within the window.
//!
//! Positions count from the start of the stream, plus [`FIRST`], and wrap around. A table that still holds a position of one wrap before
//! does no harm: a match is taken only where the bytes agree.

pub(crate) mod binary_tree;
pub(crate) mod hash_chains;
pub(crate) mod runs;

/// The position of the first byte of a stream: so large that an empty entry, 0, is out of the window.
pub(crate) const FIRST: u32 = 1 << 17;
/// A distance of an entry that is none.
pub(crate) const NOWHERE: u32 = 1 << 16;

/// Of four bytes in the bits `32 - BITS` and up.
#[inline(always)]
pub(crate) fn hash<const BITS: u32>(word: u32) -> usize {
    (word.wrapping_mul(0x9E37_79B1) >> (32 - BITS)) as usize
}

/// The four bytes at a place, as a number.
#[inline(always)]
pub(crate) fn word(data: &[u8], at: usize) -> Option<u32> {
    data.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// The part of a stream that is in memory.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) data: &'a [u8],
    /// The position of the first byte of `data`.
    pub(crate) base: u32,
}

impl View<'_> {
    #[inline(always)]
    pub(crate) fn position(&self, at: usize) -> u32 {
        self.base.wrapping_add(at as u32)
    }
}
