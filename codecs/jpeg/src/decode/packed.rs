//! A row of blocks in half of their size: few blocks have an AC coefficient that takes more than a byte.

use crate::coefficients::Block;

/// The coefficients of a row of blocks, all zeros at first.
pub(crate) struct PackedRow {
    dc: Vec<i16>,
    /// The low bytes. Those of DC have no meaning.
    low: Vec<[i8; 64]>,
    /// By block, one more than the number of its high bytes, or 0 if they only extend the sign. Empty as long as none are there.
    numbers: Vec<u16>,
    high: Vec<[u8; 64]>,
}

impl PackedRow {
    /// The bytes that a row of so many blocks takes at most.
    pub(crate) fn size(columns: usize) -> u64 {
        let block = size_of::<i16>() + 64 + size_of::<u16>() + 64;
        (size_of::<Self>() + columns * block) as u64
    }

    pub(crate) fn new(columns: usize) -> Self {
        Self { dc: vec![0; columns], low: vec![[0; 64]; columns], numbers: Vec::new(), high: Vec::new() }
    }

    /// The block in a column that the row has, or nothing but its DC.
    #[inline(never)]
    pub(crate) fn block(&self, column: usize, only_dc: bool) -> Block {
        let mut block = [0; 64];
        if !only_dc {
            let coefficients = block.iter_mut().zip(&self.low[column]);
            match self.numbers.get(column) {
                None | Some(0) => {
                    coefficients.for_each(|(coefficient, &low)| *coefficient = low.into());
                }
                Some(&number) => {
                    let high = &self.high[usize::from(number) - 1];
                    for ((coefficient, &low), &high) in coefficients.zip(high) {
                        *coefficient = i16::from_le_bytes([low as u8, high]);
                    }
                }
            }
        }
        block[0] = self.dc[column];
        block
    }

    /// All blocks.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Block> {
        (0..self.dc.len()).map(|column| self.block(column, false))
    }

    /// Keeps the block in a column that the row has, or nothing but its DC.
    #[inline(never)]
    pub(crate) fn put(&mut self, column: usize, block: &mut Block, only_dc: bool) {
        self.dc[column] = std::mem::take(&mut block[0]);
        if only_dc {
            return;
        }
        // Up to 255 as long as each coefficient is its low byte with the sign extended.
        let mut range = 0;
        for (low, &coefficient) in self.low[column].iter_mut().zip(&*block) {
            *low = coefficient as i8;
            range |= coefficient.wrapping_add(128) as u16;
        }
        if range > 255 || self.numbers.get(column).is_some_and(|&number| number > 0) {
            self.put_high(column, block);
        }
    }

    /// The AC coefficients of the block in a column that the row has, if none of them takes more than a byte.
    #[inline]
    pub(crate) fn bytes(&mut self, column: usize) -> Option<&mut [i8; 64]> {
        if self.numbers.get(column).is_some_and(|&number| number > 0) {
            return None;
        }
        self.low.get_mut(column)
    }

    /// Sets an AC coefficient of the block in a column that the row has.
    #[inline(always)]
    pub(crate) fn set(&mut self, column: usize, k: usize, value: i16) {
        self.low[column][k & 63] = value as i8;
        if i16::from(value as i8) != value || self.numbers.get(column).is_some_and(|&number| number > 0) {
            self.set_high(column, k, value);
        }
    }

    #[cold]
    #[inline(never)]
    fn set_high(&mut self, column: usize, k: usize, value: i16) {
        if let Some(&number @ 1..) = self.numbers.get(column) {
            self.high[usize::from(number) - 1][k & 63] = (value >> 8) as u8;
            return;
        }
        let mut block = self.block(column, false);
        block[0] = 0;
        block[k & 63] = value;
        self.put_high(column, &block);
    }

    #[inline(never)]
    fn put_high(&mut self, column: usize, block: &Block) {
        let columns = self.dc.len();
        if self.numbers.is_empty() {
            self.numbers = vec![0; columns];
        }
        let number = &mut self.numbers[column];
        if *number == 0 {
            if self.high.len() == self.high.capacity() {
                // In steps, so that hardly more is reserved than is needed, and never more than the row has.
                self.high.reserve_exact(columns.div_ceil(16).min(columns - self.high.len()));
            }
            self.high.push([0; 64]);
            *number = self.high.len() as u16;
        }
        for (high, &coefficient) in self.high[usize::from(*number) - 1].iter_mut().zip(block) {
            *high = (coefficient >> 8) as u8;
        }
    }
}
