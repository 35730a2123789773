//! The compression levels, from fast to small: the segment size, and the match search and passes of the near-optimal parse, of each.

use crate::optimal::Settings;
use crate::symbols::MAX_LENGTH;

/// How much work is spent on a stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Level {
    /// One candidate for each place, the first match is taken.
    Fast,
    /// Hash chains; a match gives way to a longer one at the next place.
    Lazy,
    /// A shortest path over the matches of a short search, by the costs of what is before.
    Quick,
    /// A shortest path over the matches of a long search, repeated until it gains little.
    #[default]
    Optimal,
    /// The same over all matches, from several assumptions about costs, repeated many times, with blocks divided by their exact size.
    Slow,
}

impl Level {
    /// The number of bytes that are collected before they are coded.
    pub(crate) fn segment(self) -> usize {
        match self {
            Self::Fast | Self::Lazy | Self::Quick => 1 << 17,
            Self::Optimal => 3 << 16,
            Self::Slow => 1 << 20,
        }
    }

    /// The settings of the near-optimal parse; `None` for the levels that do without.
    pub(crate) fn settings(self) -> Option<Settings> {
        let settings = |depth, nice, chunk, passes, step, divisions, patience, exact| Settings {
            depth,
            nice,
            chunk,
            passes,
            step,
            divisions,
            patience,
            exact,
        };
        match self {
            Self::Fast | Self::Lazy => None,
            Self::Quick => Some(settings(20, 160, Some(1 << 15), 0, 512, 1, 9, false)),
            Self::Optimal => Some(settings(200, MAX_LENGTH, None, 5, 256, 1, 8, false)),
            Self::Slow => Some(settings(4096, MAX_LENGTH, None, 16, 256, 3, 12, true)),
        }
    }

    /// FLEVEL of zlib (RFC 1950, 2.2).
    pub(crate) fn flag(self) -> u8 {
        match self {
            Self::Fast => 0,
            Self::Lazy => 2,
            Self::Quick | Self::Optimal | Self::Slow => 3,
        }
    }
}
