//! The levels of all blocks, as they wait for the probabilities that code them best: about a byte a level.

use crate::tables::{BANDS, CATEGORIES};

/// Stands for a level that is behind it in two bytes.
const WIDE: u8 = 0x80;

/// The kinds of blocks that have their own probabilities (RFC 6386, section 13.3).
pub(crate) mod kind {
    /// Luma without its first coefficient, which is in the block of those.
    pub(crate) const LUMA_REST: usize = 0;
    /// The first coefficients of luma.
    pub(crate) const SECOND: usize = 1;
    pub(crate) const CHROMA: usize = 2;
    pub(crate) const LUMA: usize = 3;
}

/// Levels with what their probabilities depend on.
pub(crate) struct Block<'a> {
    pub(crate) kind: usize,
    /// How many of the blocks above and on the left have levels.
    pub(crate) context: usize,
    /// In the order of coding, up to the last that is not zero.
    pub(crate) levels: &'a [i16],
}

impl Block<'_> {
    /// Where coding begins.
    fn first(&self) -> usize {
        usize::from(self.kind == kind::LUMA_REST)
    }
}

/// Where the probability of a bit stands.
pub(crate) struct Place {
    pub(crate) band: usize,
    pub(crate) context: usize,
    pub(crate) node: usize,
}

/// Goes the ways through the tree of tokens (section 13.2) that a block takes. `each` is called for each bit, `rest` for
/// each level that is not zero behind its way: its sign, and what its category does not say, are still to be coded.
#[inline(always)]
pub(crate) fn visit<T>(
    block: &Block<'_>,
    with: &mut T,
    mut each: impl FnMut(&mut T, Place, bool),
    mut rest: impl FnMut(&mut T, i16),
) {
    let mut context = block.context;
    let mut at = block.first();
    let end = block.levels.len();
    // Behind a zero the block can not end.
    let mut may_end = true;
    while at < 16 {
        let band = BANDS[at];
        let mut say = |node, bit| each(with, Place { band, context, node }, bit);
        if may_end {
            say(0, at < end);
            if at >= end {
                return;
            }
        }
        let level = block.levels[at];
        at += 1;
        may_end = level != 0;
        token(level.unsigned_abs(), &mut say);
        context = usize::from(level.unsigned_abs().min(2));
        if level != 0 {
            rest(with, level);
        }
    }
}

/// The way of a level through the tree, behind the bit that says that the block goes on.
#[inline(always)]
pub(crate) fn token(level: u16, mut say: impl FnMut(usize, bool)) {
    say(1, level != 0);
    if level == 0 {
        return;
    }
    say(2, level > 1);
    match level {
        1 => {}
        2..=4 => {
            say(3, false);
            say(4, level > 2);
            if level > 2 {
                say(5, level == 4);
            }
        }
        5..=10 => {
            say(3, true);
            say(6, false);
            say(7, level > 6);
        }
        _ => {
            say(3, true);
            say(6, true);
            say(8, level >= 35);
            if level >= 35 { say(10, level >= 67) } else { say(9, level >= 19) }
        }
    }
}

/// The bits of a level from five on behind its category, with their probabilities.
#[inline]
pub(crate) fn extra_bits(level: u16, mut each: impl FnMut(bool, u8)) {
    let above = CATEGORIES.iter().rev().find(|(base, _)| *base <= level);
    let Some((base, probabilities)) = above else { return };
    let rest = level - base;
    for (index, &probability) in probabilities.iter().enumerate() {
        each((rest >> (probabilities.len() - 1 - index)) & 1 != 0, probability);
    }
}

/// Blocks one after another.
pub(crate) struct Residuals(Vec<u8>);

impl Residuals {
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

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader(self.0.iter())
    }
}

pub(crate) struct Reader<'a>(std::slice::Iter<'a, u8>);

impl Reader<'_> {
    /// The next block, into `levels`; how many there are.
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
