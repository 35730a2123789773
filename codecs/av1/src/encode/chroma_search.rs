//! The modes of a block's chroma, after its luma is reconstructed.

use super::palette_syntax::code_chroma_palette;
use super::satd::satd;
use super::settings::Types;
use super::snapshot::Snapshot;
use super::syntax::code_chroma_mode;
use super::tile_encoder::TileEncoder;
use super::trial::{Choice, Trial};
use crate::block_size::BlockSize;
use crate::few::sort_few;
use crate::predict::IntraMode;
use crate::tile::block::{Block, ChromaMode};
use crate::tile::prediction::BlockParams;
use crate::tile::tx_sizes;
use crate::transform::TxSize;

/// The largest alpha of chroma from luma.
const MAX_ALPHA: f32 = 16.0;

/// The modes that chroma mostly has beside that of luma.
const LIKELY_MODES: [IntraMode; 3] = [IntraMode::Dc, IntraMode::Smooth, IntraMode::Paeth];

impl TileEncoder<'_> {
    pub(super) fn chroma_tx_size(&self, block: &Block) -> TxSize {
        if block.lossless {
            return TxSize::Tx4x4;
        }
        let (ss_x, ss_y) = self.tile.subsampling(1);
        tx_sizes::of_chroma(block.size.subsampled(ss_x, ss_y).unwrap_or(BlockSize::B4x4))
    }

    /// Chooses the chroma modes of a block, where `before` is the state after its luma. The state is undefined after.
    pub(super) fn search_chroma(
        &mut self,
        block: &mut Block,
        params: &BlockParams,
        before: &Snapshot,
    ) -> Trial {
        let mut best: Option<Choice> = None;
        let mut candidates = self.rank_chroma(block, params);
        candidates.truncate(self.settings.chroma_trials);
        if let Some(alphas) = self.guess_alphas(block, params) {
            candidates.push((ChromaMode::FromLuma(alphas), 0, 0.0));
        }
        for (mode, angle_delta, _) in candidates {
            (block.uv_mode, block.angle_delta[1]) = (mode, angle_delta);
            before.restore(&mut self.tile);
            let modes = self.bits(|sink, cdf, tile| {
                code_chroma_mode(sink, cdf, tile, block);
                code_chroma_palette(sink, cdf, tile, block);
            });
            let size = self.chroma_tx_size(block);
            let limit = best.as_ref().map_or(f32::INFINITY, |best| best.2) - self.lambda * modes;
            let mut trial = self.try_plane(block, params, (1, size), Types::Dct, limit);
            if trial.error == f32::INFINITY {
                continue;
            }
            let of_v = self.try_plane(block, params, (2, size), Types::Dct, f32::INFINITY);
            trial.append(of_v);
            let cost = trial.error + self.lambda * (trial.bits + modes);
            if best.as_ref().is_none_or(|best| cost < best.2) {
                best = Some((block.clone(), trial, cost));
            }
        }
        match best {
            Some((chosen, trial, _)) => {
                *block = chosen;
                trial
            }
            None => Trial::default(),
        }
    }

    /// Modes with their angles, the one of least cost by [`satd`] first.
    fn rank_chroma(&mut self, block: &Block, params: &BlockParams) -> Vec<(ChromaMode, i8, f32)> {
        let mut candidates = Vec::new();
        let is_likely = |mode: &IntraMode| *mode == block.y_mode || LIKELY_MODES.contains(mode);
        let all = self.settings.all_chroma_modes;
        let mut changed = block.clone();
        for mode in IntraMode::ALL.into_iter().filter(|mode| all || is_likely(mode)) {
            // The angle of luma, where the mode is the same.
            let angle = if mode == block.y_mode { block.angle_delta[0] } else { 0 };
            (changed.uv_mode, changed.angle_delta[1]) = (ChromaMode::Intra(mode), angle);
            let bits = self.bits(|sink, cdf, tile| code_chroma_mode(sink, cdf, tile, &changed));
            let cost = self.guess_chroma(&changed, params) + self.bit_in_satd * bits;
            candidates.push((changed.uv_mode, angle, cost));
        }
        sort_few(&mut candidates, |a, b| a.2.total_cmp(&b.2).is_lt());
        candidates
    }

    fn guess_chroma(&mut self, block: &Block, params: &BlockParams) -> f32 {
        let size = self.chroma_tx_size(block);
        let mut sum = 0.0;
        for plane in 1..3 {
            for transform in self.transforms(block, plane, size) {
                self.tile.predict(block, params, &transform);
                let place = (transform.col * 4, transform.row * 4);
                let extent =
                    ((transform.col_end - transform.col) * 4, (transform.row_end - transform.row) * 4);
                sum += satd(&self.source[plane], &self.tile.frame.planes[plane], place, extent);
            }
        }
        sum
    }

    /// The factors by least squares. None if luma does not help, or is not allowed to.
    fn guess_alphas(&mut self, block: &Block, params: &BlockParams) -> Option<[i32; 2]> {
        if !self.tile.allows_cfl(block) {
            return None;
        }
        let mut block = block.clone();
        let size = self.chroma_tx_size(&block);
        let mut alphas = [0; 2];
        for plane in 1..3 {
            let transform = self.transforms(&block, plane, size).next()?;
            let (x, y) = (transform.col * 4, transform.row * 4);
            (block.uv_mode, block.angle_delta[1]) = (ChromaMode::Intra(IntraMode::Dc), 0);
            self.tile.predict(&block, params, &transform);
            let out = &self.tile.frame.planes[plane];
            let dc = f32::from(out.data[y * out.stride + x]);
            if plane == 1 {
                block.uv_mode = ChromaMode::FromLuma([1, 1]);
                self.tile.predict(&block, params, &transform);
            }
            let (differences, width) = self.tile.work.cfl.differences();
            let source = &self.source[plane];
            let (mut product, mut square) = (0.0, 0.0);
            for (line, differences) in differences.chunks_exact(width.max(1)).enumerate() {
                let samples = &source.data[(y + line) * source.stride + x..];
                for (difference, sample) in differences.iter().zip(samples) {
                    product += f32::from(*difference) * (f32::from(*sample) - dc);
                    square += f32::from(*difference) * f32::from(*difference);
                }
            }
            // Both are in eighths.
            let alpha = if square > 0.0 { 64.0 * product / square } else { 0.0 };
            alphas[plane - 1] = alpha.round().clamp(-MAX_ALPHA, MAX_ALPHA) as i32;
        }
        (alphas != [0; 2]).then_some(alphas)
    }
}
