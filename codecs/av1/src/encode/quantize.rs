//! Levels by rate and distortion. Coefficients are decided in the order in which they are coded, from the last to the first, so the
//! context of each is known: those after it are decided. Of each, the nearest level and the one below are tried, and whether the
//! block ends with it.

use super::coefficients::{clear, code_eob, code_golomb, code_level, last_context, place};
use super::forward::SCALE;
use crate::entropy::{BitCounter, CdfContext};
use crate::tile::coefficient_shape::{HORIZONTAL, Shape, TWO_DIMENSIONS, VERTICAL, class};
use crate::tile::coefficients::GOLOMB_LEVEL;
use crate::transform::TxType;

/// The largest level that is written.
const MAX_LEVEL: i32 = 1 << 17;
/// Coefficients below this part of a step become zero without a trial.
const DEAD_ZONE: f32 = 0.45;

/// The steps of a transform, and what a bit is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantizer {
    pub(super) dc: f32,
    pub(super) ac: f32,
    /// The squared error of samples that a bit must save.
    pub(super) lambda: f32,
}

/// Buffers for levels.
pub(super) struct LevelBuffers<'a> {
    /// Levels with the margin of contexts.
    pub(super) scratch: &'a mut [u8],
    /// The levels in the order of the scan.
    pub(super) levels: &'a mut Vec<i32>,
}

impl Quantizer {
    /// Chooses levels. Returns the squared error of samples that they leave, of the coefficients that are coded.
    pub(super) fn quantize(
        &self,
        cdf: &mut CdfContext,
        shape: &Shape,
        tx_type: TxType,
        coefficients: &[f32],
        buffers: LevelBuffers<'_>,
    ) -> f32 {
        match class(tx_type) {
            TWO_DIMENSIONS => self.search::<TWO_DIMENSIONS>(cdf, shape, coefficients, buffers),
            HORIZONTAL => self.search::<HORIZONTAL>(cdf, shape, coefficients, buffers),
            _ => self.search::<VERTICAL>(cdf, shape, coefficients, buffers),
        }
    }

    fn search<const CLASS: usize>(
        &self,
        cdf: &mut CdfContext,
        shape: &Shape,
        coefficients: &[f32],
        LevelBuffers { scratch, levels }: LevelBuffers<'_>,
    ) -> f32 {
        let all_zero = self.round::<CLASS>(shape, coefficients, levels);
        clear(scratch, shape);
        // What is spent on the coefficients after the current one, how they end, and their error if all of them are zero.
        let mut after = Path { cost: f32::INFINITY, error: 0.0, level: 0 };
        let (mut end, mut ended) = (0, 0.0);
        let count = 1usize << (shape.log2_w + shape.log2_h);
        for at in levels.len()..count {
            ended += energy(coefficients[shape.position::<CLASS>(at)]);
        }
        for at in (0..levels.len()).rev() {
            let position = shape.position::<CLASS>(at);
            let here = place(shape, position);
            let coefficient = Coefficient {
                at,
                position,
                magnitude: coefficients[position].abs(),
                step: if position == 0 { self.dc } else { self.ac },
                nearest: levels[at].abs(),
            };
            let goes_on = self.go_on::<CLASS>(cdf, shape, &scratch[here..], &coefficient, &after);
            let ends = self.end::<CLASS>(cdf, shape, &coefficient, ended);
            after = goes_on;
            if ends.cost < goes_on.cost {
                clear(scratch, shape);
                (after, end) = (ends, at + 1);
            }
            levels[at] = if levels[at] < 0 { -after.level } else { after.level };
            scratch[here] = after.level.min(i32::from(GOLOMB_LEVEL)) as u8;
            ended += energy(coefficients[position]);
        }
        levels.truncate(end);
        if after.cost >= all_zero {
            levels.clear();
        }
        if levels.is_empty() { all_zero } else { after.error }
    }

    /// The nearest levels, up to the last that is not zero. Returns the error if all are zero.
    fn round<const CLASS: usize>(&self, shape: &Shape, coefficients: &[f32], levels: &mut Vec<i32>) -> f32 {
        let count = 1usize << (shape.log2_w + shape.log2_h);
        let mut all_zero = 0.0;
        levels.clear();
        for at in 0..count {
            let position = shape.position::<CLASS>(at);
            let value = coefficients[position];
            let ratio = value.abs() / if position == 0 { self.dc } else { self.ac };
            let level = if ratio < DEAD_ZONE { 0 } else { ((ratio + 0.5) as i32).clamp(1, MAX_LEVEL) };
            levels.push(if value < 0.0 { -level } else { level });
            all_zero += energy(value);
        }
        levels.truncate(levels.iter().rposition(|level| *level != 0).map_or(0, |last| last + 1));
        all_zero
    }

    /// The best level of a coefficient that others follow. `levels` are those from it on.
    fn go_on<const CLASS: usize>(
        &self,
        cdf: &mut CdfContext,
        shape: &Shape,
        levels: &[u8],
        coefficient: &Coefficient,
        after: &Path,
    ) -> Path {
        let mut best = Path { cost: f32::INFINITY, error: 0.0, level: 0 };
        for level in (coefficient.nearest - 1).max(0)..=coefficient.nearest {
            let bits = level_bits::<CLASS>(cdf, shape, levels, (coefficient.position, None, level));
            let error = coefficient.error(level);
            let cost = after.cost + error + self.lambda * bits;
            if cost < best.cost {
                best = Path { cost, error: after.error + error, level };
            }
        }
        best
    }

    /// The best level of a coefficient that is the last, where `ended` is the error of those after it.
    fn end<const CLASS: usize>(
        &self,
        cdf: &mut CdfContext,
        shape: &Shape,
        coefficient: &Coefficient,
        ended: f32,
    ) -> Path {
        /// The levels around the last coefficient.
        const NOTHING: [u8; 37 * 5] = [0; 37 * 5];
        let mut best = Path { cost: f32::INFINITY, error: 0.0, level: 0 };
        if coefficient.nearest == 0 {
            return best;
        }
        let mut counter = BitCounter::default();
        code_eob(&mut counter, cdf, shape, CLASS != TWO_DIMENSIONS, coefficient.at + 1);
        let context = Some(last_context(shape, coefficient.at));
        for level in (coefficient.nearest - 1).max(1)..=coefficient.nearest {
            let bits = level_bits::<CLASS>(cdf, shape, &NOTHING, (coefficient.position, context, level));
            let error = ended + coefficient.error(level);
            let cost = error + self.lambda * (bits + counter.bits);
            if cost < best.cost {
                best = Path { cost, error, level };
            }
        }
        best
    }
}

/// A coefficient whose level is chosen.
struct Coefficient {
    /// Its place in the scan, and that in the transform.
    at: usize,
    position: usize,
    magnitude: f32,
    step: f32,
    /// The level that leaves the least error.
    nearest: i32,
}

impl Coefficient {
    fn error(&self, level: i32) -> f32 {
        energy(self.magnitude - level as f32 * self.step)
    }
}

/// The choice for a coefficient and for those after it.
#[derive(Clone, Copy)]
struct Path {
    cost: f32,
    error: f32,
    level: i32,
}

/// The squared error of samples that an error of a coefficient makes.
fn energy(value: f32) -> f32 {
    value * value / (SCALE * SCALE)
}

/// The bits of a level with its sign.
#[inline(always)]
fn level_bits<const CLASS: usize>(
    cdf: &mut CdfContext,
    shape: &Shape,
    levels: &[u8],
    (position, last, level): (usize, Option<usize>, i32),
) -> f32 {
    let mut counter = BitCounter::default();
    code_level::<_, CLASS>(&mut counter, cdf, shape, levels, (position, last, level as usize));
    if level > 0 {
        counter.bits += 1.0;
    }
    if level >= i32::from(GOLOMB_LEVEL) {
        code_golomb(&mut counter, (level - i32::from(GOLOMB_LEVEL)) as u32);
    }
    counter.bits
}
