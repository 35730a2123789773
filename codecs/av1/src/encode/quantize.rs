//! Levels by rate and distortion. Coefficients are decided in the order in which they are coded, from the last to the first, so the
//! context of each is known: those after it are decided. Of each, the nearest level and the one below are tried, and whether the
//! block ends with it.
//!
//! Errors are told as what they exceed those of a transform without levels by: so what is zero anyway does not count.

use super::costs::TransformCosts;
use super::forward::SCALE;
use super::step_weights::Weights;
use crate::tile::coefficient_shape::{HORIZONTAL, MARGIN, Shape, TWO_DIMENSIONS, VERTICAL, class};
use crate::tile::coefficients::{BASE_OFFSET, GOLOMB_LEVEL, base_context, br_context};
use crate::transform::TxType;

/// The largest level that is written.
const MAX_LEVEL: i32 = 1 << 17;
/// Coefficients below this part of a step become zero without a trial.
const DEAD_ZONE: f32 = 0.45;
/// A transform never ends before coefficients that are worth so many bits.
const WORTH_BITS: f32 = 2.0;
/// From one row of levels to the next, for all sizes.
const STRIDE: usize = 32 + MARGIN;
/// The levels that a context can depend on.
const WINDOW: usize = MARGIN * STRIDE + 1;
/// The levels around the last coefficient.
const NOTHING: [u8; WINDOW] = [0; WINDOW];

/// The steps of a transform, and what a bit is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantizer<'a> {
    pub(super) dc: f32,
    pub(super) ac: f32,
    /// Factors of the steps.
    pub(super) weights: Weights<'a>,
    /// The squared error of samples that a bit must save.
    pub(super) lambda: f32,
}

/// What levels cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quantized {
    /// By how much the squared error of samples exceeds that without levels; negative.
    pub(super) error: f32,
    pub(super) bits: f32,
}

/// Levels that are decided, with what stands around them.
pub(super) struct LevelMap([u8; (32 + MARGIN) * STRIDE + 1]);

impl LevelMap {
    pub(super) fn new() -> Self {
        Self([0; (32 + MARGIN) * STRIDE + 1])
    }

    fn clear(&mut self, shape: &Shape) {
        self.0[..STRIDE * ((1 << shape.log2_h) + MARGIN)].fill(0);
    }

    /// The levels from a place on.
    #[inline(always)]
    fn window(&self, (row, col): (usize, usize)) -> &[u8; WINDOW] {
        self.0[row * STRIDE + col..].first_chunk().unwrap_or(&NOTHING)
    }
}

impl Quantizer<'_> {
    /// Chooses levels, and writes them to `levels` in the order of the scan. There are none where no coefficient is worth one:
    /// whether the others are worth what the transform costs beside them is up to the caller.
    pub(super) fn quantize(
        &self,
        costs: &TransformCosts<'_>,
        (shape, tx_type): (&Shape, TxType),
        coefficients: &[f32],
        map: &mut LevelMap,
        levels: &mut Vec<i32>,
    ) -> Quantized {
        match class(tx_type) {
            TWO_DIMENSIONS => self.search::<TWO_DIMENSIONS>(costs, shape, coefficients, map, levels),
            HORIZONTAL => self.search::<HORIZONTAL>(costs, shape, coefficients, map, levels),
            _ => self.search::<VERTICAL>(costs, shape, coefficients, map, levels),
        }
    }

    fn search<const CLASS: usize>(
        &self,
        costs: &TransformCosts<'_>,
        shape: &Shape,
        coefficients: &[f32],
        map: &mut LevelMap,
        levels: &mut Vec<i32>,
    ) -> Quantized {
        levels.clear();
        let Some(last) = self.last::<CLASS>(shape, coefficients) else { return Quantized::default() };
        levels.resize(last + 1, 0);
        map.clear(shape);
        let inverses = [1.0 / self.dc, 1.0 / self.ac];
        // What the coefficients after the current one cost.
        let mut after = Path { cost: f32::INFINITY, bits: 0.0, level: 0 };
        let mut end = 0;
        for at in (0..=last).rev() {
            let position = shape.position::<CLASS>(at);
            let place = (position >> shape.log2_w, position & ((1 << shape.log2_w) - 1));
            let window = map.window(place);
            let context = base_context::<CLASS>(window, STRIDE, place, &BASE_OFFSET[shape.proportion]);
            let value = coefficients[position];
            let is_ac = position != 0;
            let ratio = value.abs() * inverses[usize::from(is_ac)] * self.weights.inverses[position];
            let zero = after.followed(costs.zero(context), 0.0, self.lambda, 0);
            if ratio < DEAD_ZONE {
                after = zero;
                continue;
            }
            let br = |window| if ratio > 2.0 { br_context::<CLASS>(window, STRIDE, place) } else { 0 };
            let coefficient = Coefficient {
                at,
                magnitude: value.abs(),
                step: if is_ac { self.ac } else { self.dc } * self.weights.factors[position],
                nearest: ((ratio + 0.5) as i32).clamp(1, MAX_LEVEL),
                contexts: (context, br(window)),
                br_of_last: br(&NOTHING),
                error_weight: self.weights.of_errors[position] / (SCALE * SCALE),
            };
            let (goes_on, ends) = self.choose(costs, shape, &coefficient, (&after, zero));
            after = goes_on;
            if ends.cost < goes_on.cost {
                map.clear(shape);
                (after, end) = (ends, at + 1);
            }
            levels[at] = if value < 0.0 { -after.level } else { after.level };
            map.0[place.0 * STRIDE + place.1] = after.level.min(i32::from(GOLOMB_LEVEL)) as u8;
        }
        levels.truncate(end);
        Quantized { error: after.cost - self.lambda * after.bits, bits: after.bits }
    }

    /// The best path where others follow the coefficient, and where it is the last. `zero` is that where it becomes zero.
    #[inline(always)]
    fn choose(
        &self,
        costs: &TransformCosts<'_>,
        shape: &Shape,
        coefficient: &Coefficient,
        (after, zero): (&Path, Path),
    ) -> (Path, Path) {
        let &Coefficient { at, nearest, contexts, br_of_last, .. } = coefficient;
        let mut goes_on = zero;
        if nearest > 1 {
            goes_on.cost = f32::INFINITY;
        }
        let is_rounded_up = nearest as f32 * coefficient.step > coefficient.magnitude;
        let lowest = if is_rounded_up { (nearest - 1).max(1) } else { nearest };
        for level in lowest..=nearest {
            let error = coefficient.error(level);
            goes_on.improve(after.followed(costs.level(contexts, level), error, self.lambda, level));
        }
        let mut ends = Path { cost: f32::INFINITY, bits: 0.0, level: 0 };
        if after.cost < -WORTH_BITS * self.lambda {
            return (goes_on, ends);
        }
        let bits = costs.eob(at + 1);
        let nothing = Path { cost: self.lambda * bits, bits, level: 0 };
        for level in lowest..=nearest {
            let bits = costs.last(shape, (at, br_of_last), level);
            ends.improve(nothing.followed(bits, coefficient.error(level), self.lambda, level));
        }
        (goes_on, ends)
    }

    /// The last place in the scan with a level that is not zero.
    fn last<const CLASS: usize>(&self, shape: &Shape, coefficients: &[f32]) -> Option<usize> {
        let count = 1usize << (shape.log2_w + shape.log2_h);
        let threshold = DEAD_ZONE * self.ac;
        let least = threshold * self.weights.least;
        let exceeds = |row: &[f32]| row.iter().fold(false, |any, value| any | (value.abs() >= least));
        let dc = (coefficients[0].abs() >= DEAD_ZONE * self.dc * self.weights.factors[0]).then_some(0);
        if !coefficients[..count].chunks_exact(16).any(exceeds) {
            return dc;
        }
        let is_coded = |at: &usize| {
            let position = shape.position::<CLASS>(*at);
            coefficients[position].abs() >= threshold * self.weights.factors[position]
        };
        (1..count).rev().find(is_coded).or(dc)
    }
}

/// A coefficient whose level is chosen.
struct Coefficient {
    /// Its place in the scan.
    at: usize,
    magnitude: f32,
    step: f32,
    /// The level that leaves the least error.
    nearest: i32,
    /// Of coeff_base, and of coeff_br where the level can have it.
    contexts: (usize, usize),
    br_of_last: usize,
    /// What its squared error counts, in squared samples.
    error_weight: f32,
}

impl Coefficient {
    /// By how much the squared error of samples exceeds that of level 0.
    #[inline(always)]
    fn error(&self, level: i32) -> f32 {
        let value = level as f32 * self.step;
        value * (value - 2.0 * self.magnitude) * self.error_weight
    }
}

/// The choice for a coefficient and for those after it.
#[derive(Clone, Copy)]
struct Path {
    cost: f32,
    bits: f32,
    level: i32,
}

impl Path {
    /// The path with one more level.
    #[inline(always)]
    fn followed(&self, bits: f32, error: f32, lambda: f32, level: i32) -> Self {
        Self { cost: self.cost + (error + lambda * bits), bits: self.bits + bits, level }
    }

    #[inline(always)]
    fn improve(&mut self, other: Self) {
        if other.cost < self.cost {
            *self = other;
        }
    }
}
