//! What is kept of each macroblock until the probabilities are known, and the order in which its blocks are coded.

use crate::decide::{Decision, Luma};
use crate::residuals::{Block, Residuals, kind};
use crate::surroundings::Filled;

/// A macroblock but for its levels.
#[derive(Clone, Copy)]
pub(crate) struct Record {
    pub(crate) segment: u8,
    pub(crate) luma: Luma,
    pub(crate) chroma_mode: u8,
    /// It has no levels.
    pub(crate) is_empty: bool,
}

impl Record {
    pub(crate) fn has_second(&self) -> bool {
        matches!(self.luma, Luma::Whole(_))
    }
}

/// Calls `code` for each block in turn (RFC 6386, section 13), with its kind and how many of its neighbours have
/// levels; it says whether this one has.
#[inline]
pub(crate) fn each_block(
    has_second: bool,
    above: &mut Filled,
    left: &mut Filled,
    mut code: impl FnMut(usize, usize) -> bool,
) {
    let mut step = |kind: usize, above: &mut u8, left: &mut u8| {
        *above = u8::from(code(kind, usize::from(*above + *left)));
        *left = *above;
    };
    if has_second {
        step(kind::SECOND, &mut above.second, &mut left.second);
    }
    let luma = if has_second { kind::LUMA_REST } else { kind::LUMA };
    for index in 0..16 {
        step(luma, &mut above.luma[index % 4], &mut left.luma[index / 4]);
    }
    for plane in 0..2 {
        for index in 0..4 {
            step(kind::CHROMA, &mut above.chroma[plane][index % 2], &mut left.chroma[plane][index / 2]);
        }
    }
}

/// The levels of a decision, block by block in the order of coding, each up to its last that is not zero.
struct Levels<'a> {
    decision: &'a Decision,
    has_second: bool,
}

impl Levels<'_> {
    fn block(&self, index: usize) -> &[i16] {
        let index = if self.has_second { index } else { index + 1 };
        let levels = match index {
            0 => &self.decision.second,
            1..17 => &self.decision.luma_levels[index - 1],
            _ => &self.decision.chroma_levels[index - 17],
        };
        let end = levels.iter().rposition(|&level| level != 0).map_or(0, |last| last + 1);
        &levels[..end]
    }
}

/// Keeps the levels of a decision, if it has any. `count` is told each block, and whether there are any.
pub(crate) fn keep(
    decision: &Decision,
    residuals: &mut Residuals,
    [above, left]: [&mut Filled; 2],
    mut count: impl FnMut(&Block<'_>, bool),
) -> bool {
    let has_second = matches!(decision.luma, Luma::Whole(_));
    let levels = Levels { decision, has_second };
    let blocks = if has_second { 25 } else { 24 };
    let has_levels = (0..blocks).any(|index| !levels.block(index).is_empty());
    let mut index = 0;
    each_block(has_second, above, left, |kind, context| {
        let levels = levels.block(index);
        index += 1;
        if has_levels {
            residuals.push(levels);
        }
        count(&Block { kind, context, levels }, has_levels);
        !levels.is_empty()
    });
    has_levels
}
