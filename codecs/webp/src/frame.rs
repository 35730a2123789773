//! A key frame of VP8 (RFC 6386): analysed, decided macroblock by macroblock, then written.

use crate::analysis::Analysis;
use crate::band::Band;
use crate::blocky::Blocky;
use crate::budget::Budget;
use crate::decide::{Search, decide};
use crate::error::Error;
use crate::levels::LevelCosts;
use crate::probabilities::{Counts, price, share};
use crate::record::{Record, keep};
use crate::residuals::Residuals;
use crate::rows::Rows;
use crate::segments::Segments;
use crate::settings::Settings;
use crate::source::Macroblock;
use crate::surroundings::{Follower, Trace};
use crate::tables::TokenProbabilities;
use crate::tables::coefficients::DEFAULTS;
use crate::{header, tokens};

/// Costs follow the levels so far at most this often, and at least after so many macroblocks.
const REFRESHES: usize = 64;
const LEAST_BETWEEN: usize = 96;

/// What ends up in the frame.
pub(crate) struct Coded {
    pub(crate) records: Vec<Record>,
    pub(crate) residuals: Residuals,
    pub(crate) probabilities: TokenProbabilities,
    /// The loop filter's strength, by segment.
    pub(crate) filters: Vec<i32>,
    /// How probable it is that a macroblock has levels, where each says so.
    pub(crate) has_levels: Option<u8>,
}

#[inline(never)]
pub(crate) fn encode(rows: &Rows<'_>, analysis: Analysis, settings: Settings) -> Result<Vec<u8>, Error> {
    let (across, _) = rows.macroblocks();
    let mut segments = Segments::new(analysis, settings.quality, settings.looks_at_texture());
    let mut search = settings.search();
    // One closure for both, so that there is one function.
    let unseen = |_: &Trace| {};
    // The first partition has an end. Where modes do not fit, there are ever fewer to choose from.
    for _ in 0..3 {
        let mut coded = code(rows, &segments, search, None, unseen);
        if settings.passes_twice() {
            coded = code(rows, &segments, search, Some(coded.probabilities), unseen);
        }
        let modes = header::write(&coded, across, &segments);
        if modes.len() <= header::MOST {
            let levels = tokens::write(&coded, across);
            return assemble(rows.size(), &modes, &levels);
        }
        if search.small_modes == 0 {
            search.whole_modes = 1;
            search.may_skip = false;
            segments.join();
        }
        search.small_modes = 0;
    }
    Err(Error::TooLong)
}

/// `known` are the probabilities of a pass before; without them they are found on the way. `seen` is told the pixels that each macroblock leaves, as they are before the loop filter: tests hold them against
/// what decoders make.
fn code(
    rows: &Rows<'_>,
    segments: &Segments,
    mut search: Search,
    known: Option<TokenProbabilities>,
    mut seen: impl FnMut(&Trace),
) -> Coded {
    let (across, down) = rows.macroblocks();
    let total = across * down;
    let between = (total / REFRESHES).max(LEAST_BETWEEN);
    let mut band = Band::new(rows);
    let mut follower = Follower::new(across);
    let (mut counts, mut ends) = (Counts::new(), Counts::new());
    let mut costs = LevelCosts::new(known.as_ref().unwrap_or(&DEFAULTS));
    let mut records = Vec::with_capacity(total);
    let mut residuals = Residuals::new();
    let mut blocky = vec![Blocky::default(); segments.list.len()];
    let mut budget = Budget::new(total);
    let most_header = search.small_header;
    for row in 0..down {
        band.load(rows, row);
        for column in 0..across {
            let done = records.len();
            if known.is_none() && done % between == between - 1 {
                costs.refresh(&counts.with(&ends).probabilities());
            }
            let segment = segments.segment(done);
            let macroblock = Macroblock::new(&band, column);
            let mut around = follower.around();
            search.small_header = budget.allows(total - done, most_header);
            let decision = decide(&macroblock, &mut around, segment, &costs, &search);
            let filled = [&mut around.filled_above, &mut around.filled_left];
            let has_levels = keep(&decision, &mut residuals, filled, |block, has_levels| {
                if has_levels { counts.add(block) } else { ends.add(block) }
            });
            blocky[usize::from(segments.of[done])].add(decision.blockiness, segment);
            budget.spend(&decision);
            records.push(Record {
                segment: segments.of[done],
                luma: decision.luma,
                chroma_mode: decision.chroma_mode,
                is_empty: !has_levels,
            });
            seen(&decision.trace);
            follower.advance(&decision.trace, &around);
        }
    }
    let filters = segments.list.iter().zip(&blocky).map(|(segment, blocky)| blocky.filter(segment)).collect();
    let (probabilities, has_levels) = choose_skipping(&counts, &ends, &records, search.may_skip);
    Coded { records, residuals, probabilities, filters, has_levels }
}

/// Macroblocks without levels either say so, or that each of their blocks ends: what takes fewer bits. `ends` has counted
/// the latter, `counts` the blocks of the others.
fn choose_skipping(
    counts: &Counts,
    ends: &Counts,
    records: &[Record],
    may_skip: bool,
) -> (TokenProbabilities, Option<u8>) {
    let all = counts.with(ends);
    let (skipping, telling) = (counts.probabilities(), all.probabilities());
    let empty = records.iter().filter(|record| record.is_empty).count() as u32;
    let filled = records.len() as u32 - empty;
    let has_levels = share(filled, empty);
    let flags = price([filled, empty], has_levels) + 8 * 256;
    if may_skip && counts.price(&skipping) + flags < all.price(&telling) {
        (skipping, Some(has_levels))
    } else {
        (telling, None)
    }
}

/// The chunk "VP8 ": the frame's own header, then both partitions (RFC 6386, section 9.1).
fn assemble((width, height): (usize, usize), modes: &[u8], levels: &[u8]) -> Result<Vec<u8>, Error> {
    let length = u32::try_from(modes.len()).map_err(|_| Error::TooLong)?;
    // A key frame of version 0 that is shown.
    let tag = (1 << 4) | (length << 5);
    let mut out = Vec::with_capacity(10 + modes.len() + levels.len());
    out.extend(&tag.to_le_bytes()[..3]);
    out.extend([0x9d, 0x01, 0x2a]);
    out.extend((width as u16).to_le_bytes());
    out.extend((height as u16).to_le_bytes());
    out.extend(modes);
    out.extend(levels);
    Ok(out)
}

#[cfg(test)]
mod tests;
