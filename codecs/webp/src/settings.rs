//! What a caller can choose.

use crate::decide::Search;

/// How a picture is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// 0, the fewest bytes, to 100; more counts as 100. It means what libwebp's quality means. The default is 75.
    pub quality: u8,
    /// How thorough the search for fewer bytes is: 0 to 6; more counts as 6. The default is 4.
    pub effort: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Self { quality: 75, effort: 4 }
    }
}

/// What the modes of one macroblock's pieces may cost where there is room, in 256ths of a bit.
const SMALL_HEADER: u32 = 256 * 256;

impl Settings {
    pub(crate) fn search(self) -> Search {
        let (small_modes, whole_modes) = match self.effort {
            0 => (1, 2),
            1 => (1, 4),
            2 => (2, 4),
            3 => (4, 4),
            _ => (8, 4),
        };
        Search {
            small_modes,
            whole_modes,
            trellis: self.effort >= 5,
            small_header: SMALL_HEADER,
            may_skip: true,
        }
    }

    /// Whether a first pass finds the probabilities by which the second decides.
    pub(crate) fn passes_twice(self) -> bool {
        self.effort >= 6
    }

    /// Whether lost texture counts.
    pub(crate) fn looks_at_texture(self) -> bool {
        self.effort >= 4
    }
}
