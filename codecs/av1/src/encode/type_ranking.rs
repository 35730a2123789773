//! Transform types by a guess at what their coefficients cost. The same guess compares modes.

use super::coefficients::code_type;
use super::forward::SCALE;
use super::settings::Types;
use super::step_weights::Weights;
use super::tile_encoder::TileEncoder;
use crate::entropy::BitCounter;
use crate::few::sort_few;
use crate::tile::block::Block;
use crate::tile::coefficient_contexts::Transform;
use crate::tile::prediction::BlockParams;
use crate::tile::transform_type::{TxSet, type_of_mode};
use crate::transform::{TxSize, TxType};
use std::ops::Range;

/// A guess at the bits of a level beside its magnitude, and of the square root of that.
const LEVEL_BITS: f32 = 2.0;
const ROOT_BITS: f32 = 2.0;
/// The squared error that a level leaves, in squared steps: about 1/12.
const LEVEL_ERROR: f32 = 0.08;

/// The types that are the identity in no direction.
const BOTH_DIRECTIONS: [TxType; 4] = [TxType::DctDct, TxType::AdstAdst, TxType::AdstDct, TxType::DctAdst];

/// A transform type whose coefficients are there.
#[derive(Clone, Debug)]
pub(super) struct RankedType {
    pub(super) tx_type: TxType,
    /// Where they are.
    pub(super) coefficients: Range<usize>,
    /// Of the type itself.
    pub(super) bits: f32,
    /// A guess at the cost, in squared steps.
    guess: f32,
}

impl TileEncoder<'_> {
    /// The transform types that are tried for luma.
    pub(super) fn luma_types(&self, block: &Block, size: TxSize, which: Types) -> &'static [TxType] {
        // Those of a copy are tried that intra blocks of the same size can have.
        let types = TxSet::of(size, false, self.tile.header.reduced_tx_set).types();
        match which {
            Types::BothDirections if types.contains(&TxType::AdstAdst) => &BOTH_DIRECTIONS,
            Types::BothDirections | Types::All => types,
            Types::Likely => likely_types(types, type_of_mode(block)),
            Types::Dct => &[TxType::DctDct],
        }
    }

    /// The types of least cost by a guess, for the residual that is loaded.
    pub(super) fn promising_types(
        &mut self,
        block: &Block,
        transform: &Transform,
        types: &[TxType],
        (step, lambda): (f32, f32),
    ) -> Vec<RankedType> {
        let mut ranked = self.rank_types(block, transform, types, (step, lambda));
        let worst = ranked[0].guess * self.settings.type_margin;
        let count = ranked.iter().take_while(|ranked| ranked.guess <= worst).count();
        ranked.truncate(count.min(self.settings.type_trials));
        ranked
    }

    /// A guess at the cost of luma, whose transform has the size of the block.
    pub(super) fn guess_transform(&mut self, block: &Block, params: &BlockParams) -> f32 {
        let Some(transform) = self.transforms(block, 0, block.tx_size).next() else { return f32::INFINITY };
        self.tile.predict(block, params, &transform);
        self.load_residual(&transform);
        let step = params.steps[0].1 as f32;
        let weight = self.weight_of(&transform);
        let types = self.luma_types(block, transform.size, Types::Likely);
        let ranked = self.rank_types(block, &transform, types, (step, self.lambda / weight));
        ranked[0].guess * weight * (step * step) / (SCALE * SCALE)
    }

    fn rank_types(
        &mut self,
        block: &Block,
        transform: &Transform,
        types: &[TxType],
        (step, lambda): (f32, f32),
    ) -> Vec<RankedType> {
        let (plane, size) = (transform.plane, transform.size);
        let count = size.width().min(32) * size.height().min(32);
        self.forward.start(size);
        // In squared steps.
        let lambda = lambda * (SCALE * SCALE) / (step * step);
        let mut ranked = Vec::with_capacity(types.len());
        for (at, &tx_type) in types.iter().enumerate() {
            let coefficients = at * count..(at + 1) * count;
            let to = &mut self.coefficients[coefficients.clone()];
            self.forward.transform(&self.residual, tx_type, to);
            let mut counter = BitCounter::default();
            if plane == 0 {
                code_type(&mut counter, &mut self.cdf, &self.tile, block, (size, tx_type));
            }
            // A single one needs no rank.
            let guess = match types.len() {
                1 if plane > 0 => 0.0,
                _ => guess_cost(to, &self.weights.of(plane, size, tx_type), step, lambda),
            };
            let bits = counter.bits;
            ranked.push(RankedType { tx_type, coefficients, bits, guess: guess + lambda * bits });
        }
        sort_few(&mut ranked, |a, b| a.guess.total_cmp(&b.guess).is_lt());
        ranked
    }
}

/// The part of a set that has DCT_DCT and another type.
fn likely_types(set: &'static [TxType], other: TxType) -> &'static [TxType] {
    let pair: &[TxType] = match other {
        TxType::AdstAdst => &[TxType::DctDct, TxType::AdstAdst],
        TxType::AdstDct => &[TxType::DctDct, TxType::AdstDct],
        TxType::DctAdst => &[TxType::DctDct, TxType::DctAdst],
        _ => &[TxType::DctDct],
    };
    if set.contains(&other) { pair } else { &pair[..1] }
}

/// A guess at what coefficients cost, in squared steps, where a bit costs `lambda`.
fn guess_cost(coefficients: &[f32], weights: &Weights<'_>, step: f32, lambda: f32) -> f32 {
    const LANES: usize = 8;
    let inverse = 1.0 / step;
    let (fixed, growing) = (LEVEL_BITS * lambda, ROOT_BITS * lambda);
    let mut sums = [0.0; LANES];
    let tables = weights.inverses.chunks_exact(LANES).zip(weights.of_steps.chunks_exact(LANES));
    for (samples, (inverses, of_steps)) in coefficients.chunks_exact(LANES).zip(tables) {
        for lane in 0..LANES {
            let ratio = samples[lane].abs() * (inverse * inverses[lane]);
            let zero = of_steps[lane] * (ratio * ratio);
            let level = (of_steps[lane] * LEVEL_ERROR + fixed) + growing * rough_root(ratio);
            sums[lane] += if zero < level { zero } else { level };
        }
    }
    sums.iter().sum()
}

/// The square root of a number from 0 on, in two operations on integers: exact for powers of four, and up to 6 % too large between them.
#[inline(always)]
fn rough_root(value: f32) -> f32 {
    // Half of the exponent with half of its bias.
    const HALF_BIAS: u32 = 127 << 22;
    f32::from_bits((value.to_bits() >> 1) + HALF_BIAS)
}
