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
        let count = 1usize << (shape.log2_w + shape.log2_h);
        let energy = |value: f32| value * value / (SCALE * SCALE);
        levels.clear();
        let mut all_zero = 0.0;
        for at in 0..count {
            let position = shape.position::<CLASS>(at);
            let value = coefficients[position];
            let ratio = value.abs() / if position == 0 { self.dc } else { self.ac };
            let level = if ratio < DEAD_ZONE { 0 } else { ((ratio + 0.5) as i32).clamp(1, MAX_LEVEL) };
            levels.push(if value < 0.0 { -level } else { level });
            all_zero += energy(value);
        }
        let nearest = levels.iter().rposition(|level| *level != 0).map_or(0, |last| last + 1);
        levels.truncate(nearest);
        clear(scratch, shape);
        // Of the coefficients from `at` on: their cost, and where the block ends. `ended` is their cost if they are all zero.
        let (mut cost, mut end, mut ended, mut distortion) = (f32::INFINITY, 0, 0.0, 0.0);
        for at in nearest..count {
            ended += energy(coefficients[shape.position::<CLASS>(at)]);
        }
        for at in (0..nearest).rev() {
            let position = shape.position::<CLASS>(at);
            let value = coefficients[position];
            let step = if position == 0 { self.dc } else { self.ac };
            let here = place(shape, position);
            let top = levels[at].abs();
            let left_over = |level: i32| energy(value.abs() - level as f32 * step);
            // The block goes on after this coefficient.
            let mut best = (f32::INFINITY, 0, 0.0);
            for level in (top - 1).max(0)..=top {
                let bits = level_bits::<CLASS>(cdf, shape, &scratch[here..], (position, None, level));
                let error = left_over(level);
                let total = cost + error + self.lambda * bits;
                if total < best.0 {
                    best = (total, level, distortion + error);
                }
            }
            // It ends with this coefficient.
            let mut last = (f32::INFINITY, 0, 0.0);
            if top > 0 {
                let mut counter = BitCounter::default();
                code_eob(&mut counter, cdf, shape, CLASS != TWO_DIMENSIONS, at + 1);
                let context = Some(last_context(shape, at));
                // Without levels after it, the contexts of the large levels are other ones.
                const NOTHING: [u8; 37 * 5] = [0; 37 * 5];
                for level in (top - 1).max(1)..=top {
                    let bits = level_bits::<CLASS>(cdf, shape, &NOTHING, (position, context, level));
                    let error = left_over(level);
                    let total = ended + error + self.lambda * (bits + counter.bits);
                    if total < last.0 {
                        last = (total, level, ended + error);
                    }
                }
            }
            let chosen = if last.0 < best.0 {
                if end > 0 {
                    clear(scratch, shape);
                }
                end = at + 1;
                last
            } else {
                best
            };
            (cost, distortion) = (chosen.0, chosen.2);
            levels[at] = if levels[at] < 0 { -chosen.1 } else { chosen.1 };
            scratch[here] = chosen.1.min(i32::from(GOLOMB_LEVEL)) as u8;
            ended += energy(value);
        }
        levels.truncate(end);
        if cost >= all_zero {
            levels.clear();
        }
        if levels.is_empty() { all_zero } else { distortion }
    }
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
