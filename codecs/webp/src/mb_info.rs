//! What the encoder keeps of each macroblock until it writes the frame, and the coding order of its blocks.

use crate::coeffs::{CoeffBlock, CoeffStore, block_type};
use crate::mb_context::NonZero;
use crate::mode_decision::{Decision, LumaMode};

/// A macroblock without its levels.
#[derive(Clone, Copy)]
pub(crate) struct MbInfo {
    pub(crate) segment: u8,
    pub(crate) luma: LumaMode,
    pub(crate) uv_mode: u8,
    /// All levels are zero.
    pub(crate) is_empty: bool,
}

impl MbInfo {
    pub(crate) fn has_y2(&self) -> bool {
        matches!(self.luma, LumaMode::Intra16(_))
    }
}

/// Calls `code` for each block in coding order (RFC 6386, section 13) with its type and context. `code` returns whether the
/// block has non-zero levels.
#[inline]
pub(crate) fn for_each_block(
    has_y2: bool,
    top: &mut NonZero,
    left: &mut NonZero,
    mut code: impl FnMut(usize, usize) -> bool,
) {
    let mut step = |block_type: usize, top: &mut u8, left: &mut u8| {
        *top = u8::from(code(block_type, usize::from(*top + *left)));
        *left = *top;
    };
    if has_y2 {
        step(block_type::Y2, &mut top.y2, &mut left.y2);
    }
    let luma = if has_y2 { block_type::Y_AFTER_Y2 } else { block_type::Y_WITH_DC };
    for index in 0..16 {
        step(luma, &mut top.y[index % 4], &mut left.y[index / 4]);
    }
    for plane in 0..2 {
        for index in 0..4 {
            step(block_type::CHROMA, &mut top.uv[plane][index % 2], &mut left.uv[plane][index / 2]);
        }
    }
}

/// The levels of a decision by block in coding order, each block up to its last non-zero level.
struct Blocks<'a> {
    decision: &'a Decision,
    has_y2: bool,
}

impl Blocks<'_> {
    fn levels(&self, index: usize) -> &[i16] {
        let index = if self.has_y2 { index } else { index + 1 };
        let levels = match index {
            0 => &self.decision.y2_levels,
            1..17 => &self.decision.y_levels[index - 1],
            _ => &self.decision.uv_levels[index - 17],
        };
        let end = levels.iter().rposition(|&level| level != 0).map_or(0, |last| last + 1);
        &levels[..end]
    }
}

/// Stores the levels of a decision, unless all are zero. `count` gets each block and whether the macroblock has levels, which
/// is also returned.
pub(crate) fn store_levels(
    decision: &Decision,
    coeffs: &mut CoeffStore,
    [top, left]: [&mut NonZero; 2],
    mut count: impl FnMut(&CoeffBlock<'_>, bool),
) -> bool {
    let has_y2 = matches!(decision.luma, LumaMode::Intra16(_));
    let blocks = Blocks { decision, has_y2 };
    let number = if has_y2 { 25 } else { 24 };
    let has_levels = (0..number).any(|index| !blocks.levels(index).is_empty());
    let mut index = 0;
    for_each_block(has_y2, top, left, |block_type, context| {
        let levels = blocks.levels(index);
        index += 1;
        if has_levels {
            coeffs.push(levels);
        }
        count(&CoeffBlock { block_type, context, levels }, has_levels);
        !levels.is_empty()
    });
    has_levels
}
