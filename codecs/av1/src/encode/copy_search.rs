//! Intra block copy: the vector of a block, and what a copy of it costs.

use super::copy_index::SIDE;
use super::copy_syntax::{code_vector_beside, is_codable};
use super::settings::Types;
use super::snapshot::Snapshot;
use super::syntax::code_mode_info;
use super::tile_encoder::TileEncoder;
use super::trial::{Choice, largest_transform};
use crate::frame::Vector;
use crate::tile::block::Block;
use crate::tile::prediction::BlockParams;

/// The places before the block that are looked at, and those before the superblock: the last ones first.
const MOST_PLACES: usize = 32;

impl<'a> TileEncoder<'a> {
    /// Tries a copy, where `before` is the state before the block. None if there is nothing to copy, or if that costs at least `limit`.
    /// The state is undefined after.
    pub(super) fn try_copy(
        &mut self,
        block: &Block,
        params: &BlockParams,
        before: &Snapshot,
        limit: f32,
    ) -> Option<Choice> {
        if block.size.width().min(block.size.height()) < SIDE {
            return None;
        }
        let mut block = block.clone();
        block.copy_from = Some(self.nearest_copy(&block, limit)?);
        block.tx_size = largest_transform(&block);
        before.restore(&mut self.tile);
        let mut trial = self.try_plane(&block, params, (0, block.tx_size), self.settings.types, limit);
        for coded in &trial.transforms {
            let transform = &coded.transform;
            let place = (transform.row, transform.col);
            self.tile.record_transform_type(&block, transform.size, place, coded.tx_type);
        }
        let planes = if block.has_chroma { 3 } else { 1 };
        for plane in 1..planes {
            let left = limit - trial.error - self.lambda * trial.bits;
            let size = self.chroma_tx_size(&block);
            trial.append(self.try_plane(&block, params, (plane, size), Types::Dct, left));
        }
        block.skip = trial.is_empty();
        if block.skip {
            trial.bits = 0.0;
        }
        let modes = self.bits(|sink, cdf, tile| code_mode_info(sink, cdf, tile, &block, None));
        let cost = trial.error + self.lambda * (trial.bits + modes);
        (cost < limit).then_some((block, trial, cost))
    }

    /// Whether nothing will be much better than a copy.
    pub(super) fn is_exact(&self, (block, trial, _): &Choice) -> bool {
        /// The error of a copy that is as good as none, in bits.
        const BITS: f32 = 4.0;
        block.skip && trial.error < BITS * self.lambda
    }

    /// The vector whose luma has the least error, with the bits of the vector.
    fn nearest_copy(&mut self, block: &Block, limit: f32) -> Option<Vector> {
        let (places, (x, y)) = self.rarest_window(block)?;
        let predicted = self.tile.predicted_vector(block);
        let weight = self.weight_of_block(block);
        let mut best = None;
        let mut least = limit;
        let stride = self.source[0].stride;
        // The nearest may lie in what is not reconstructed yet, but never those above the superblock.
        let superblock = block.row / self.tile.superblock().height4() * self.tile.superblock().height();
        let above = superblock.saturating_sub(SIDE - 1);
        let nearest = |place: usize| {
            let end = places.partition_point(|other| (*other as usize) < place);
            places[..end].iter().rev().take(MOST_PLACES)
        };
        let found = nearest(y * stride + x).chain(nearest(above * stride)).map(|place| {
            let place = *place as usize;
            [(place / stride) as i32 - y as i32, (place % stride) as i32 - x as i32]
                .map(|samples| samples * 8)
        });
        for vector in self.tile.predicted_vectors(block).into_iter().chain(found) {
            if !self.tile.allows_copy(block, vector) || !is_codable(vector, predicted) {
                continue;
            }
            let bits = self.bits(|sink, cdf, _| code_vector_beside(sink, cdf, vector, predicted));
            let most = (least - self.lambda * bits) / weight;
            let Some(error) = self.copy_error(block, vector, most) else { continue };
            least = weight * error + self.lambda * bits;
            best = Some(vector);
        }
        best
    }

    /// The window in a block that occurs least often: the places that it may have, and where it is. None if it occurs once only, or if the
    /// block has none.
    fn rarest_window(&self, block: &Block) -> Option<(&'a [u32], (usize, usize))> {
        let index = self.copies?;
        let luma = &self.source[0];
        let mut rarest: Option<(&'a [u32], (usize, usize))> = None;
        for y in (block.row * 4..block.row * 4 + block.size.height()).step_by(SIDE) {
            for x in (block.col * 4..block.col * 4 + block.size.width()).step_by(SIDE) {
                if x + SIDE > luma.width || y + SIDE > luma.height {
                    continue;
                }
                let Some(places) = index.places(luma, y * luma.stride + x) else { continue };
                if rarest.is_none_or(|(fewest, _)| places.len() < fewest.len()) {
                    rarest = Some((places, (x, y)));
                }
            }
        }
        rarest.filter(|(places, _)| places.len() > 1)
    }

    /// The squared error of the luma of a copy; None if it is at least `most`.
    fn copy_error(&self, block: &Block, [down, right]: Vector, most: f32) -> Option<f32> {
        let (source, decoded) = (&self.source[0], &self.tile.frame.planes[0]);
        let (x, y) = (block.col * 4, block.row * 4);
        let width = block.size.width().min(source.width - x);
        let (down, right) = ((down / 8) as isize, (right / 8) as isize);
        let mut sum = 0.0;
        for line in y..(y + block.size.height()).min(source.height) {
            let from = line.checked_add_signed(down)? * decoded.stride + x.checked_add_signed(right)?;
            let rows = source.data[line * source.stride + x..][..width].iter().zip(&decoded.data[from..]);
            sum += rows.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum::<u32>() as f32;
            if sum >= most {
                return None;
            }
        }
        (sum < most).then_some(sum)
    }
}
