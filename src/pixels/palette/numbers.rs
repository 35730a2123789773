//! Numbers for the distinct colors of an image, in order of appearance.

use std::collections::HashMap;

/// The places of a cache before the hash map, whose hashes are made to withstand hostile colors and so take longer than all else.
const BITS: u32 = 12;

/// Colors as integers, with their numbers.
pub(crate) struct Numbers {
    seen: HashMap<u32, u32>,
    cache: Vec<(u32, u32)>,
    limit: usize,
}

impl Numbers {
    /// For at most `limit` colors.
    pub(crate) fn new(limit: usize) -> Self {
        Self { seen: HashMap::new(), cache: vec![(0, u32::MAX); 1 << BITS], limit }
    }

    /// The number of a color: that of all before it, if it is new. `None` if that is one too many.
    #[inline]
    pub(crate) fn of(&mut self, color: [u8; 4]) -> Option<usize> {
        let color = u32::from_le_bytes(color);
        let place = (color.wrapping_mul(0x9E37_79B1) >> (u32::BITS - BITS)) as usize;
        match self.cache[place] {
            (known, number) if known == color && number != u32::MAX => Some(number as usize),
            _ => {
                let number = self.look_up(color)?;
                self.cache[place] = (color, number);
                Some(number as usize)
            }
        }
    }

    fn look_up(&mut self, color: u32) -> Option<u32> {
        let count = self.seen.len();
        if count < self.limit {
            return Some(*self.seen.entry(color).or_insert(count as u32));
        }
        self.seen.get(&color).copied()
    }
}
