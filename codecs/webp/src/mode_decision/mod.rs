//! Mode decision: the prediction modes and levels of a macroblock with the least rate-distortion cost.
//!
//! `intra16` and `intra4` are the two ways to code luma and compete; `chroma` is decided by itself. Nothing is written here.

mod chroma;
mod intra16;
mod intra4;
mod rd_score;

use crate::level_cost::LevelCosts;
use crate::macroblock::Macroblock;
use crate::mb_context::{MbContext, ReconEdges};
use crate::segments::Segment;

/// How thorough the search is.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    /// How many of the ten intra4 modes are coded to compare their costs; 0 leaves intra4 out.
    pub(crate) intra4_modes: usize,
    /// How many of the four modes are compared for intra16 and for chroma.
    pub(crate) intra16_modes: usize,
    /// Luma is quantized by the trellis.
    pub(crate) trellis: bool,
    /// What the intra4 modes of one macroblock may cost, in 256ths of a bit.
    pub(crate) max_intra4_mode_cost: u32,
    /// Macroblocks without levels may be coded as skipped.
    pub(crate) may_skip: bool,
}

/// The luma prediction of a macroblock.
#[derive(Clone, Copy)]
pub(crate) enum LumaMode {
    /// One mode of `predict`.
    Intra16(u8),
    /// A mode of `predict::intra4` for each subblock.
    Intra4([u8; 16]),
}

/// All that is coded of a macroblock. Levels are in coding order, blocks in raster order.
pub(crate) struct Decision {
    pub(crate) luma: LumaMode,
    pub(crate) uv_mode: u8,
    /// Zero for intra4, which has no Y2.
    pub(crate) y2_levels: [i16; 16],
    pub(crate) y_levels: [[i16; 16]; 16],
    pub(crate) uv_levels: [[i16; 16]; 8],
    pub(crate) recon: ReconEdges,
    /// What the intra4 modes cost, in 256ths of a bit.
    pub(crate) intra4_mode_cost: u32,
    /// The largest difference between adjacent luma subblocks if they have no AC and yet a high distortion, in pixel values; else 0.
    /// See `filter_strength`.
    pub(crate) dc_step: u16,
}

/// Decides a macroblock. In `context`, modes and chroma errors become those that the macroblock leaves to its neighbors.
pub(crate) fn decide(
    source: &Macroblock,
    context: &mut MbContext,
    segment: &Segment,
    costs: &LevelCosts,
    search: &Search,
) -> Decision {
    let intra16 = intra16::search(source, context, segment, costs, search);
    let intra4 = match search.intra4_modes {
        0 => None,
        _ if intra16.is_flat => None,
        _ => intra4::search(source, context, segment, costs, search, &intra16.score),
    };
    let chroma = chroma::search(source, context, segment, costs, search);
    context.dc_errors_top = chroma.dc_errors_bottom;
    context.dc_errors_left = chroma.dc_errors_right;
    let intra4_mode_cost = intra4.as_ref().map_or(0, |intra4| intra4.mode_cost);
    let (luma, y2_levels, y_levels, (y_bottom, y_right)) = match intra4 {
        Some(intra4) => {
            context.modes_top = std::array::from_fn(|x| intra4.modes[12 + x]);
            context.modes_left = std::array::from_fn(|y| intra4.modes[4 * y + 3]);
            (LumaMode::Intra4(intra4.modes), [0; 16], intra4.levels, (intra4.bottom, intra4.right))
        }
        None => {
            context.modes_top = [intra16.mode; 4];
            context.modes_left = [intra16.mode; 4];
            (LumaMode::Intra16(intra16.mode), intra16.y2_levels, intra16.levels(), intra16.edges())
        }
    };
    Decision {
        luma,
        uv_mode: chroma.mode,
        y2_levels,
        y_levels,
        uv_levels: chroma.levels,
        recon: ReconEdges { y_bottom, y_right, uv_bottom: chroma.bottom, uv_right: chroma.right },
        intra4_mode_cost,
        dc_step: intra16.dc_step,
    }
}
