//! Places within runs of one byte. Any two of them agree in as many bytes as the shorter run has, so that a tree of all of them would
//! be deep: they are told apart by the length of the run.

use crate::match_finder::{Near, hash, move_on};
use crate::symbols::MAX_LENGTH;

const BITS: u32 = 16;
/// What is counted of a run at once.
const STRETCH: usize = 2 * MAX_LENGTH;

pub(crate) struct Runs {
    /// The nearest place of each byte and length.
    nearest: Box<[Near; 1 << BITS]>,
    /// Where the run ends that was counted last, or how far it was counted.
    end: usize,
}

impl Runs {
    pub(crate) fn new() -> Self {
        Self { nearest: Box::new([0; 1 << BITS]), end: 0 }
    }

    /// Forgets what was counted: other bytes follow.
    pub(crate) fn restart(&mut self) {
        self.end = 0;
    }

    /// How many bytes from this place on are equal, at most [`MAX_LENGTH`]. Places are asked for in ascending order.
    #[inline(always)]
    pub(crate) fn length(&mut self, data: &[u8], at: usize) -> usize {
        let is_counted = self.end >= at + MAX_LENGTH;
        if self.end <= at || !is_counted && data.get(self.end) == data.get(at) {
            let ahead = &data[at..data.len().min(at + STRETCH)];
            self.end = at + ahead.iter().take_while(|byte| **byte == ahead[0]).count();
        }
        (self.end - at).min(MAX_LENGTH)
    }

    /// Adds a place. Returns the position of the nearest one before with the same byte and length, or of one with the same hash.
    #[inline(always)]
    pub(crate) fn replace(&mut self, byte: u8, length: usize, position: Near) -> Near {
        let key = u32::from(byte) << 9 | length as u32;
        std::mem::replace(&mut self.nearest[hash::<BITS>(key)], position)
    }

    /// Moves on to the next window.
    pub(crate) fn move_on(&mut self) {
        move_on(&mut self.nearest[..]);
    }
}
