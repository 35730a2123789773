//! Where bytes occurred before, within the window.
//!
//! Positions count from the start of the stream, plus [`FIRST`], and wrap around. Tables hold them as [`Near`], in half of the memory:
//! what is searched at random stays in the cache of a core.

pub(crate) mod binary_tree;
pub(crate) mod hash_chains;
pub(crate) mod runs;

use crate::symbols::WINDOW;

/// The position of the first byte of a stream: so large that an empty entry, 0, is out of the window.
pub(crate) const FIRST: u32 = 1 << 17;

/// A position by its place in a window, counted from the start of the window before: 0 is none, a place before both. Those of the
/// window that a stream is in are from [`WINDOW`] on.
pub(crate) type Near = u16;

/// Tells when tables of [`Near`] are to be moved on to the next window.
pub(crate) struct Clock {
    window: u32,
}

impl Clock {
    pub(crate) fn new() -> Self {
        Self { window: FIRST / WINDOW as u32 }
    }

    /// The position; true if a window has begun with it, so that the tables have to be moved on before. Positions are asked for one by
    /// one.
    #[inline(always)]
    pub(crate) fn tell(&mut self, position: u32) -> (Near, bool) {
        let window = position / WINDOW as u32;
        let begins = std::mem::replace(&mut self.window, window) != window;
        ((position as u16) | WINDOW as u16, begins)
    }
}

/// Moves a table on to the next window.
pub(crate) fn move_on(table: &mut [Near]) {
    table.iter_mut().for_each(|place| *place = place.saturating_sub(WINDOW as u16));
}

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
