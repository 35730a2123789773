//! The modes and the transform size of a block's luma.

use super::palette_syntax::{code_color_map, code_palette};
use super::satd::satd;
use super::snapshot::Snapshot;
use super::syntax::{code_filter_intra, code_luma_mode, code_tx_size};
use super::tile_encoder::TileEncoder;
use super::trial::{Choice, Trial, largest_transform};
use crate::few::sort_few;
use crate::predict::IntraMode;
use crate::tile::block::Block;
use crate::tile::mode_info::{MAX_ANGLE_DELTA, has_angle};
use crate::tile::prediction::BlockParams;
use crate::tile::tx_sizes;

/// Modes of recursive filtering.
const FILTER_MODES: u8 = 5;
/// How much larger the guess at the cost of modes without a direction may be than the best, for modes of recursive filtering.
const FILTER_MARGIN: f32 = 1.2;
/// How much larger that of the first mode of recursive filtering may be, for the others.
const OTHER_FILTERS_MARGIN: f32 = 1.1;
/// How often a transform may be split.
const MAX_DEPTH: usize = 2;

/// A choice of modes.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    mode: IntraMode,
    angle_delta: i8,
    filter_intra: Option<u8>,
    /// A guess at its cost.
    cost: f32,
}

impl Candidate {
    fn apply(&self, block: &mut Block) {
        block.y_mode = self.mode;
        block.angle_delta[0] = self.angle_delta;
        block.filter_intra = self.filter_intra;
    }
}

/// Whether a mode without a direction is about as good as the best.
fn is_undirected(candidates: &[Candidate]) -> bool {
    let least = |candidate: f32, other: f32| candidate.min(other);
    let best = candidates.iter().map(|candidate| candidate.cost).fold(f32::INFINITY, least);
    let plain = candidates.iter().filter(|candidate| !candidate.mode.is_directional());
    plain.map(|candidate| candidate.cost).fold(f32::INFINITY, least) <= FILTER_MARGIN * best
}

impl TileEncoder<'_> {
    /// Chooses the luma modes and the transform size of a block, where `before` is the state before it. The state is undefined after.
    pub(super) fn search_luma(
        &mut self,
        block: &mut Block,
        params: &BlockParams,
        before: &Snapshot,
    ) -> Trial {
        let candidates = self.rank_luma(block, params);
        let largest = largest_transform(block);
        let mut best: Option<Choice> = None;
        let worst = candidates.first().map_or(0.0, |candidate| candidate.cost) * self.settings.guess_margin;
        let promising = candidates.iter().take_while(|candidate| candidate.cost <= worst);
        let promising = &candidates[..promising.take(self.settings.luma_trials).count()];
        for candidate in self.chosen(promising, block, params) {
            candidate.apply(block);
            block.tx_size = largest;
            self.try_luma(block, params, before, &mut best);
        }
        if let Some((chosen, ..)) = &best {
            block.clone_from(chosen);
        }
        let area = (block.size.width() * block.size.height()) as f32;
        let has_detail =
            best.as_ref().is_some_and(|best| best.1.bits > self.settings.least_split_bits * area);
        if self.settings.splits_transforms && !block.lossless && has_detail {
            for _ in 0..MAX_DEPTH.min(tx_sizes::largest_depth(block.size)) {
                block.tx_size = tx_sizes::split(block.tx_size);
                if !self.try_luma(block, params, before, &mut best) {
                    break;
                }
            }
        }
        self.try_palettes(block, params, before, &mut best);
        match best {
            Some((chosen, trial, _)) => {
                *block = chosen;
                trial
            }
            None => Trial::default(),
        }
    }

    /// The candidates whose levels are chosen.
    fn chosen<'c>(
        &mut self,
        promising: &'c [Candidate],
        block: &mut Block,
        params: &BlockParams,
    ) -> &'c [Candidate] {
        if promising.len() < 2 || !self.settings.guesses_mode || block.lossless {
            return promising;
        }
        block.tx_size = largest_transform(block);
        let mut best = (f32::INFINITY, 0);
        for (at, candidate) in promising.iter().enumerate() {
            candidate.apply(block);
            let modes = self.bits(|sink, cdf, tile| {
                code_luma_mode(sink, cdf, tile, block);
                code_filter_intra(sink, cdf, tile, block);
            });
            let cost = self.guess_transform(block, params) + self.lambda * modes;
            if cost < best.0 {
                best = (cost, at);
            }
        }
        &promising[best.1..=best.1]
    }

    /// Tries the modes and the transform size of a block. Returns whether they are the best so far.
    pub(super) fn try_luma(
        &mut self,
        block: &Block,
        params: &BlockParams,
        before: &Snapshot,
        best: &mut Option<Choice>,
    ) -> bool {
        before.restore(&mut self.tile);
        let modes = self.bits(|sink, cdf, tile| {
            code_luma_mode(sink, cdf, tile, block);
            code_palette(sink, cdf, tile, block);
            code_filter_intra(sink, cdf, tile, block);
            code_color_map(sink, cdf, tile, block);
            code_tx_size(sink, cdf, tile, block);
        });
        let least = best.as_ref().map_or(f32::INFINITY, |best| best.2);
        let limit = least - self.lambda * modes;
        let mut trial = self.try_plane(block, params, (0, block.tx_size), self.settings.types, limit);
        trial.color_map = self.color_map(block);
        let cost = trial.error + self.lambda * (trial.bits + modes);
        let is_best = best.as_ref().is_none_or(|best| cost < best.2);
        if is_best {
            *best = Some((block.clone(), trial, cost));
        }
        is_best
    }

    /// All candidates, the one of least cost by [`satd`] first.
    fn rank_luma(&mut self, block: &Block, params: &BlockParams) -> Vec<Candidate> {
        let mut block = block.clone();
        block.tx_size = largest_transform(&block);
        let mut candidates = Vec::new();
        let diagonals = self.orientations.diagonals((block.row, block.col), block.size);
        let unlikely = &diagonals[self.settings.diagonals..];
        for mode in IntraMode::ALL.into_iter().filter(|mode| !unlikely.contains(mode)) {
            candidates.push(self.guess_luma(&mut block, params, (mode, 0, None)));
        }
        sort_few(&mut candidates, |a, b| a.cost.total_cmp(&b.cost).is_lt());
        let turned: Vec<IntraMode> = candidates
            .iter()
            .map(|candidate| candidate.mode)
            .filter(|mode| has_angle(block.size, *mode))
            .take(self.settings.angle_modes)
            .collect();
        for mode in turned {
            self.guess_angles(&mut block, params, mode, &mut candidates);
        }
        (block.y_mode, block.angle_delta[0]) = (IntraMode::Dc, 0);
        if self.settings.filter_intra && self.tile.may_filter(&block) && is_undirected(&candidates) {
            self.guess_filters(&mut block, params, &mut candidates);
        }
        sort_few(&mut candidates, |a, b| a.cost.total_cmp(&b.cost).is_lt());
        candidates
    }

    /// Adds modes of recursive filtering: the first, and the others if that is about as good as the best.
    fn guess_filters(&mut self, block: &mut Block, params: &BlockParams, candidates: &mut Vec<Candidate>) {
        let best = candidates.iter().map(|candidate| candidate.cost).fold(f32::INFINITY, f32::min);
        for filter in 0..FILTER_MODES {
            let candidate = self.guess_luma(block, params, (IntraMode::Dc, 0, Some(filter)));
            candidates.push(candidate);
            if filter == 0 && candidate.cost > OTHER_FILTERS_MARGIN * best {
                break;
            }
        }
    }

    /// Adds a mode with the angles on the better side of its own, as long as they get better.
    fn guess_angles(
        &mut self,
        block: &mut Block,
        params: &BlockParams,
        mode: IntraMode,
        candidates: &mut Vec<Candidate>,
    ) {
        let own = candidates.iter().find(|candidate| candidate.mode == mode);
        let mut least = own.map_or(f32::INFINITY, |candidate| candidate.cost);
        let sides = [1, -1].map(|delta| self.guess_luma(block, params, (mode, delta, None)));
        candidates.extend(sides);
        let side = if sides[0].cost <= sides[1].cost { sides[0] } else { sides[1] };
        let mut current = side;
        while current.cost < least && current.angle_delta.abs() < MAX_ANGLE_DELTA {
            least = current.cost;
            let delta = current.angle_delta + side.angle_delta;
            current = self.guess_luma(block, params, (mode, delta, None));
            candidates.push(current);
        }
    }

    fn guess_luma(
        &mut self,
        block: &mut Block,
        params: &BlockParams,
        (mode, angle_delta, filter_intra): (IntraMode, i8, Option<u8>),
    ) -> Candidate {
        let mut candidate = Candidate { mode, angle_delta, filter_intra, cost: 0.0 };
        candidate.apply(block);
        let bits = self.bits(|sink, cdf, tile| {
            code_luma_mode(sink, cdf, tile, block);
            code_filter_intra(sink, cdf, tile, block);
        });
        let mut sum = 0.0;
        for transform in self.transforms(block, 0, block.tx_size) {
            self.tile.predict(block, params, &transform);
            let place = (transform.col * 4, transform.row * 4);
            let extent = ((transform.col_end - transform.col) * 4, (transform.row_end - transform.row) * 4);
            sum += satd(&self.source[0], &self.tile.frame.planes[0], place, extent);
        }
        candidate.cost = sum + self.bit_in_satd * bits;
        candidate
    }
}
