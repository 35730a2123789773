//! How a macroblock is predicted and what its levels are: the choice that costs least by rate and distortion together.

mod chroma;
mod pieces;
mod score;
mod whole;

use crate::levels::LevelCosts;
use crate::segments::Segment;
use crate::source::Macroblock;
use crate::surroundings::{Surroundings, Trace};

/// How thorough the search is.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    /// How many of the ten modes for 4 × 4 pixels are coded to see what they cost; none: luma is predicted in one piece.
    pub(crate) small_modes: usize,
    /// How many of the four modes are, for luma in one piece and for chroma.
    pub(crate) whole_modes: usize,
    /// The levels of luma are chosen by what they cost.
    pub(crate) trellis: bool,
    /// What the modes of one macroblock's pieces may cost, in 256ths of a bit.
    pub(crate) small_header: u32,
    /// Macroblocks may say that they have no levels.
    pub(crate) may_skip: bool,
}

/// How luma is predicted.
#[derive(Clone, Copy)]
pub(crate) enum Luma {
    Whole(u8),
    Pieces([u8; 16]),
}

/// All that is coded of a macroblock. Levels are in the order of coding, blocks row by row.
pub(crate) struct Decision {
    pub(crate) luma: Luma,
    pub(crate) chroma_mode: u8,
    /// Of the first coefficients, where luma is predicted in one piece.
    pub(crate) second: [i16; 16],
    pub(crate) luma_levels: [[i16; 16]; 16],
    pub(crate) chroma_levels: [[i16; 16]; 8],
    pub(crate) trace: Trace,
    /// What the modes of pieces cost, in 256ths of a bit.
    pub(crate) small_header: u32,
    /// How uneven the first coefficients are of a macroblock that is nothing else and yet far from the picture.
    pub(crate) blockiness: i16,
}

/// `around` is left as it is behind the macroblock, but for the pixels and for which blocks have levels.
pub(crate) fn decide(
    picture: &Macroblock,
    around: &mut Surroundings,
    segment: &Segment,
    costs: &LevelCosts,
    search: &Search,
) -> Decision {
    let whole = whole::search(picture, around, segment, costs, search);
    let pieces = match search.small_modes {
        0 => None,
        _ if whole.is_forced => None,
        _ => pieces::search(picture, around, segment, costs, search, &whole.score),
    };
    let chroma = chroma::search(picture, around, segment, costs, search);
    around.error_above = chroma.error_below;
    around.error_left = chroma.error_right;
    let small_header = pieces.as_ref().map_or(0, |pieces| pieces.header);
    let (luma, second, luma_levels, (luma_below, luma_right)) = match pieces {
        Some(pieces) => {
            around.modes_above = std::array::from_fn(|x| pieces.modes[12 + x]);
            around.modes_left = std::array::from_fn(|y| pieces.modes[4 * y + 3]);
            (Luma::Pieces(pieces.modes), [0; 16], pieces.levels, (pieces.below, pieces.right))
        }
        None => {
            around.modes_above = [whole.mode; 4];
            around.modes_left = [whole.mode; 4];
            (Luma::Whole(whole.mode), whole.second, whole.levels(), whole.edges())
        }
    };
    let trace = Trace { luma_below, luma_right, chroma_below: chroma.below, chroma_right: chroma.right };
    let (chroma_mode, chroma_levels) = (chroma.mode, chroma.levels);
    let blockiness = whole.blockiness;
    Decision { luma, chroma_mode, second, luma_levels, chroma_levels, trace, small_header, blockiness }
}
