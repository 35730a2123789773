//! A VP8 key frame (RFC 6386): macroblocks are decided in raster order, then both partitions are written.
//!
//! Levels wait in memory until the last macroblock, since the token probabilities stand before them in the file.

use crate::analysis::Analysis;
use crate::coded_frame::CodedFrame;
use crate::coeffs::CoeffStore;
use crate::error::Error;
use crate::filter_strength::FilterStrength;
use crate::level_cost::LevelCosts;
use crate::macroblock::Macroblock;
use crate::mb_context::{MbIterator, ReconEdges};
use crate::mb_info::{MbInfo, store_levels};
use crate::mb_row::MbRow;
use crate::mode_decision::{Search, decide};
use crate::partition0::{self, budget::ModeBudget};
use crate::segments::Segments;
use crate::settings::Settings;
use crate::tables::CoeffProbs;
use crate::tables::default_coeff_probs::DEFAULT_COEFF_PROBS;
use crate::token_partition;
use crate::token_stats::{TokenStats, bools_cost, prob_of_zero};
use crate::yuv_source::YuvSource;

/// Level costs follow the statistics at most this often a frame, and at least this many macroblocks apart.
const MAX_COST_UPDATES: usize = 64;
const MIN_UPDATE_INTERVAL: usize = 96;

#[inline(never)]
pub(crate) fn encode(
    source: &YuvSource<'_>,
    analysis: Analysis,
    settings: Settings,
) -> Result<Vec<u8>, Error> {
    let (mb_width, _) = source.mb_size();
    let mut segments = Segments::new(analysis, settings.quality, settings.weighs_texture());
    let mut search = settings.search();
    // One closure for all passes, so that `code` is compiled once.
    let ignore = |_: &ReconEdges| {};
    // If the modes do not fit into partition 0, the next attempt has fewer to choose from.
    for _ in 0..3 {
        let mut coded = code(source, &segments, search, None, ignore);
        if settings.two_passes() {
            coded = code(source, &segments, search, Some(coded.probs), ignore);
        }
        let partition0 = partition0::write(&coded, mb_width, &segments);
        if partition0.len() <= partition0::MAX_BYTES {
            let tokens = token_partition::write(&coded, mb_width);
            return assemble(source.size(), &partition0, &tokens);
        }
        if search.intra4_modes == 0 {
            search.intra16_modes = 1;
            search.may_skip = false;
            segments.merge();
        }
        search.intra4_modes = 0;
    }
    Err(Error::TooLong)
}

/// Decides all macroblocks. `probs` are those of a first pass; without them, costs follow the statistics so far.
/// `on_recon` gets the edges of each reconstructed macroblock before the loop filter, for tests.
fn code(
    source: &YuvSource<'_>,
    segments: &Segments,
    mut search: Search,
    probs: Option<CoeffProbs>,
    mut on_recon: impl FnMut(&ReconEdges),
) -> CodedFrame {
    let (mb_width, mb_height) = source.mb_size();
    let total = mb_width * mb_height;
    let interval = (total / MAX_COST_UPDATES).max(MIN_UPDATE_INTERVAL);
    let mut mb_row = MbRow::new(source);
    let mut iterator = MbIterator::new(mb_width);
    let (mut coded_stats, mut empty_stats) = (TokenStats::new(), TokenStats::new());
    let mut costs = LevelCosts::new(probs.as_ref().unwrap_or(&DEFAULT_COEFF_PROBS));
    let mut mb_infos = Vec::with_capacity(total);
    let mut coeffs = CoeffStore::new();
    let mut strengths = vec![FilterStrength::default(); segments.list.len()];
    let mut budget = ModeBudget::new(total);
    let max_intra4_mode_cost = search.max_intra4_mode_cost;
    for mb_y in 0..mb_height {
        mb_row.load(source, mb_y);
        for mb_x in 0..mb_width {
            let done = mb_infos.len();
            if probs.is_none() && done % interval == interval - 1 {
                costs.update(&coded_stats.with(&empty_stats).best_probs());
            }
            let segment = segments.segment(done);
            let macroblock = Macroblock::new(&mb_row, mb_x);
            let mut context = iterator.context();
            search.max_intra4_mode_cost = budget.bound(total - done, max_intra4_mode_cost);
            let decision = decide(&macroblock, &mut context, segment, &costs, &search);
            let nz = [&mut context.nz_top, &mut context.nz_left];
            let has_levels = store_levels(&decision, &mut coeffs, nz, |block, has_levels| {
                if has_levels { coded_stats.add(block) } else { empty_stats.add(block) }
            });
            strengths[usize::from(segments.map[done])].add(decision.dc_step);
            budget.spend(&decision);
            mb_infos.push(MbInfo {
                segment: segments.map[done],
                luma: decision.luma,
                uv_mode: decision.uv_mode,
                is_empty: !has_levels,
            });
            on_recon(&decision.recon);
            iterator.advance(&decision.recon, &context);
        }
    }
    let levels =
        segments.list.iter().zip(&strengths).map(|(segment, strength)| strength.level(segment.filter_level));
    let (probs, skip_prob) = choose_skip(&coded_stats, &empty_stats, &mb_infos, search.may_skip);
    CodedFrame { filter_levels: levels.collect(), mb_infos, coeffs, probs, skip_prob }
}

/// A macroblock without levels is coded as skipped, or each of its blocks as ended: the way that costs fewer bits.
/// `empty_stats` are the tokens of such macroblocks, `coded_stats` those of the others.
fn choose_skip(
    coded_stats: &TokenStats,
    empty_stats: &TokenStats,
    mb_infos: &[MbInfo],
    may_skip: bool,
) -> (CoeffProbs, Option<u8>) {
    let all_stats = coded_stats.with(empty_stats);
    let (with_skip, without_skip) = (coded_stats.best_probs(), all_stats.best_probs());
    let empty = mb_infos.iter().filter(|mb| mb.is_empty).count() as u32;
    let coded = mb_infos.len() as u32 - empty;
    let skip_prob = prob_of_zero(coded, empty);
    let flags = bools_cost([coded, empty], skip_prob) + 8 * 256;
    if may_skip && coded_stats.cost(&with_skip) + flags < all_stats.cost(&without_skip) {
        (with_skip, Some(skip_prob))
    } else {
        (without_skip, None)
    }
}

/// The payload of the `VP8 ` chunk: the frame tag, start code and size, then both partitions (RFC 6386, section 9.1).
fn assemble((width, height): (usize, usize), partition0: &[u8], tokens: &[u8]) -> Result<Vec<u8>, Error> {
    let len = u32::try_from(partition0.len()).map_err(|_| Error::TooLong)?;
    // A key frame (0), version 0, show_frame, first_part_size.
    let tag = (1 << 4) | (len << 5);
    let mut out = Vec::with_capacity(10 + partition0.len() + tokens.len());
    out.extend(&tag.to_le_bytes()[..3]);
    out.extend([0x9d, 0x01, 0x2a]);
    out.extend((width as u16).to_le_bytes());
    out.extend((height as u16).to_le_bytes());
    out.extend(partition0);
    out.extend(tokens);
    Ok(out)
}

#[cfg(test)]
mod tests;
