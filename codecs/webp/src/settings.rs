//! The settings of a caller, and what they mean for the search.

use crate::mode_decision::Search;

/// How a picture is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// 0 (smallest file) to 100 (best quality); larger values count as 100. The default is 75. The scale is that of libwebp.
    pub quality: u8,
    /// 0 (fastest) to 6 (smallest file for the same quality); larger values count as 6. The default is 4.
    pub effort: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Self { quality: 75, effort: 4 }
    }
}

/// What the intra4 modes of one macroblock may cost while partition 0 has room, in 256ths of a bit.
const MAX_INTRA4_MODE_COST: u32 = 256 * 256;

impl Settings {
    pub(crate) fn search(self) -> Search {
        let (intra4_modes, intra16_modes) = match self.effort {
            0 => (1, 2),
            1 => (1, 4),
            2 => (2, 4),
            3 => (4, 4),
            _ => (8, 4),
        };
        Search {
            intra4_modes,
            intra16_modes,
            trellis: self.effort >= 5,
            max_intra4_mode_cost: MAX_INTRA4_MODE_COST,
            may_skip: true,
        }
    }

    /// Whether a first pass finds the token probabilities by which the second decides.
    pub(crate) fn two_passes(self) -> bool {
        self.effort >= 6
    }

    /// Whether lost texture counts as distortion.
    pub(crate) fn weighs_texture(self) -> bool {
        self.effort >= 4
    }
}
