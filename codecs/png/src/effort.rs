//! What each effort from 0 to 9 spends: the filter strategies that are tried, the DEFLATE levels of trials and of the final coding, how
//! much of a large picture a trial codes, and how many candidates are coded to the end.

use filepress_deflate::Level;

use crate::filter_strategy::Strategy;

/// The work for one effort.
pub(crate) struct Plan {
    /// The strategies by which forms are compared, and those that are tried with the best form.
    pub(crate) first: &'static [Strategy],
    pub(crate) others: &'static [Strategy],
    /// Those that are tried with the best form of a photo.
    pub(crate) photo: &'static [Strategy],
    /// How strategies are compared.
    pub(crate) trial: Level,
    /// How the best strategies of a drawing are compared once more.
    pub(crate) second: Level,
    /// How many of the bytes of a large picture a trial codes: one in so many bands.
    pub(crate) bands: usize,
    /// How the rows are coded in the end.
    pub(crate) level: Level,
    /// The same for drawings, where more matches are worth finding.
    pub(crate) drawing: Level,
    /// How many of the best candidates are coded to the end.
    pub(crate) finalists: usize,
}

const NONE: Strategy = Strategy::Fixed(0);
const SUB: Strategy = Strategy::Fixed(1);
const UP: Strategy = Strategy::Fixed(2);
const AVERAGE: Strategy = Strategy::Fixed(3);
const PAETH: Strategy = Strategy::Fixed(4);
const FEW: &[Strategy] = &[NONE, Strategy::Sums];
const FIRST: &[Strategy] = &[NONE, Strategy::Coded];
const MAIN: &[Strategy] = &[SUB, UP, PAETH, Strategy::Literals, Strategy::Bigrams];
/// What is the best for photos where `FIRST` is not.
const PHOTO: &[Strategy] = &[SUB, UP, Strategy::Literals, Strategy::Bigrams];
const ALL: &[Strategy] = &[SUB, UP, AVERAGE, PAETH, Strategy::Literals, Strategy::Bigrams, Strategy::Sums];
/// With the one that takes as long as a coding of the picture dozens of times.
const SLOW: &[Strategy] =
    &[SUB, UP, AVERAGE, PAETH, Strategy::Literals, Strategy::Bigrams, Strategy::Sums, Strategy::Blocks];

impl Plan {
    pub(crate) fn of(effort: u8) -> Self {
        let plan = |first, others, photo, trial, second, bands, level, drawing, finalists| Self {
            first,
            others,
            photo,
            trial,
            second,
            bands,
            level,
            drawing,
            finalists,
        };
        match effort {
            0 => plan(FEW, &[], &[], Level::Fast, Level::Fast, 16, Level::Fast, Level::Fast, 1),
            1 => plan(FEW, &[], &[], Level::Fast, Level::Fast, 8, Level::Lazy, Level::Lazy, 1),
            2 => plan(FIRST, &[], &[], Level::Fast, Level::Fast, 8, Level::Lazy, Level::Lazy, 1),
            3 => plan(FIRST, MAIN, MAIN, Level::Fast, Level::Lazy, 12, Level::Lazy, Level::Quick, 1),
            4 => plan(FIRST, ALL, PHOTO, Level::Lazy, Level::Quick, 8, Level::Quick, Level::Optimal, 1),
            5 => plan(FIRST, ALL, ALL, Level::Lazy, Level::Quick, 6, Level::Optimal, Level::Optimal, 1),
            6 => plan(FIRST, ALL, ALL, Level::Lazy, Level::Quick, 2, Level::Optimal, Level::Optimal, 1),
            7 => plan(FIRST, ALL, ALL, Level::Quick, Level::Quick, 2, Level::Optimal, Level::Optimal, 1),
            8 => plan(FIRST, ALL, ALL, Level::Quick, Level::Optimal, 1, Level::Optimal, Level::Optimal, 2),
            _ => plan(FIRST, SLOW, SLOW, Level::Optimal, Level::Optimal, 1, Level::Slow, Level::Slow, 3),
        }
    }

    /// Whether a second trial tells which strategies are worth coding a small picture with. Otherwise it is coded with all: at the lowest
    /// efforts a trial is no cheaper, at the highest ones bytes count more than time.
    pub(crate) fn compares_small(&self) -> bool {
        matches!(self.second, Level::Lazy | Level::Quick)
    }
}
