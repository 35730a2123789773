//! Quantized coefficients (levels): their tokens (RFC 6386, section 13.2), and a store that keeps the levels of the whole
//! frame until the token probabilities are known, at about one byte a level.

use crate::tables::{COEFF_BANDS, DCT_CATEGORIES};

/// Marks a level that follows in two bytes.
const WIDE: u8 = 0x80;

/// Block types, the first index of the token probabilities (RFC 6386, section 13.3).
pub(crate) mod block_type {
    /// Luma without DC, which is in the Y2 block.
    pub(crate) const Y_AFTER_Y2: usize = 0;
    /// The WHT of the sixteen luma DCs.
    pub(crate) const Y2: usize = 1;
    pub(crate) const CHROMA: usize = 2;
    pub(crate) const Y_WITH_DC: usize = 3;
}

/// The levels of a block with their coding context.
pub(crate) struct CoeffBlock<'a> {
    pub(crate) block_type: usize,
    /// How many of the blocks above and on the left have non-zero levels.
    pub(crate) context: usize,
    /// In coding order, up to the last non-zero level.
    pub(crate) levels: &'a [i16],
}

impl CoeffBlock<'_> {
    /// The first coding position.
    fn first(&self) -> usize {
        usize::from(self.block_type == block_type::Y_AFTER_Y2)
    }
}

/// The index of a token probability within a block type.
pub(crate) struct ProbIndex {
    pub(crate) band: usize,
    pub(crate) context: usize,
    pub(crate) node: usize,
}

/// Takes the tokens of a block.
pub(crate) trait TokenSink {
    /// A bool of the token tree.
    fn put(&mut self, index: ProbIndex, bit: bool);
    /// A level that is not zero, after its token: its extra bits and its sign are still to be coded.
    fn put_sign(&mut self, level: i16);
}

/// Takes the bools of one token.
pub(crate) trait PathSink {
    fn put(&mut self, node: usize, bit: bool);
}

/// Where a token stands.
struct Place<'a, T> {
    sink: &'a mut T,
    band: usize,
    context: usize,
}

impl<T: TokenSink> PathSink for Place<'_, T> {
    #[inline(always)]
    fn put(&mut self, node: usize, bit: bool) {
        self.sink.put(ProbIndex { band: self.band, context: self.context, node }, bit);
    }
}

/// Walks the tokens of a block.
#[inline(always)]
pub(crate) fn walk_tokens(block: &CoeffBlock<'_>, sink: &mut impl TokenSink) {
    let mut context = block.context;
    let mut position = block.first();
    let end = block.levels.len();
    // A block cannot end after a zero.
    let mut may_end = true;
    while position < 16 {
        let mut place = Place { sink: &mut *sink, band: COEFF_BANDS[position], context };
        if may_end {
            place.put(0, position < end);
            if position >= end {
                return;
            }
        }
        let level = block.levels[position];
        position += 1;
        may_end = level != 0;
        token_path(level.unsigned_abs(), &mut place);
        context = usize::from(level.unsigned_abs().min(2));
        if level != 0 {
            sink.put_sign(level);
        }
    }
}

/// The path of a level through the token tree, after the bool "not end of block".
#[inline(always)]
pub(crate) fn token_path(level: u16, sink: &mut impl PathSink) {
    sink.put(1, level != 0);
    if level == 0 {
        return;
    }
    sink.put(2, level > 1);
    match level {
        1 => {}
        2..=4 => {
            sink.put(3, false);
            sink.put(4, level > 2);
            if level > 2 {
                sink.put(5, level == 4);
            }
        }
        5..=10 => {
            sink.put(3, true);
            sink.put(6, false);
            sink.put(7, level > 6);
        }
        _ => {
            sink.put(3, true);
            sink.put(6, true);
            sink.put(8, level >= 35);
            if level >= 35 { sink.put(10, level >= 67) } else { sink.put(9, level >= 19) }
        }
    }
}

/// The extra bits of a level of 5 or more, each with its probability.
#[inline]
pub(crate) fn extra_bits(level: u16, mut emit: impl FnMut(bool, u8)) {
    let category = DCT_CATEGORIES.iter().rev().find(|(base, _)| *base <= level);
    let Some((base, probs)) = category else { return };
    let extra = level - base;
    for (index, &prob) in probs.iter().enumerate() {
        emit((extra >> (probs.len() - 1 - index)) & 1 != 0, prob);
    }
}

/// The levels of a frame, block by block in coding order.
pub(crate) struct CoeffStore(Vec<u8>);

impl CoeffStore {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    #[inline]
    pub(crate) fn push(&mut self, levels: &[i16]) {
        self.0.push(levels.len() as u8);
        for &level in levels {
            match i8::try_from(level) {
                Ok(small) if small as u8 != WIDE => self.0.push(small as u8),
                _ => {
                    self.0.push(WIDE);
                    self.0.extend(level.to_le_bytes());
                }
            }
        }
    }

    pub(crate) fn reader(&self) -> CoeffReader<'_> {
        CoeffReader(self.0.iter())
    }
}

pub(crate) struct CoeffReader<'a>(std::slice::Iter<'a, u8>);

impl CoeffReader<'_> {
    /// Reads the next block into `levels` and returns how many levels it has.
    #[inline]
    pub(crate) fn next(&mut self, levels: &mut [i16; 16]) -> usize {
        let count = usize::from(self.byte()).min(16);
        for level in &mut levels[..count] {
            *level = match self.byte() {
                WIDE => i16::from_le_bytes([self.byte(), self.byte()]),
                small => i16::from(small as i8),
            };
        }
        count
    }

    #[inline]
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }
}
