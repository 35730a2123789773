//! Levels chosen by what they cost together: each can be the one below or above its coefficient, and the way through all
//! of them with the least of rate and distortion is taken.

use crate::levels::LevelCosts;
use crate::quant::Quantiser;
use crate::residuals::kind;
use crate::tables::{MAX_LEVEL, ZIGZAG};

/// By place: how much an error counts.
const WEIGHTS: [i64; 16] = [30, 27, 19, 11, 27, 24, 17, 10, 19, 17, 12, 8, 11, 10, 8, 6];
/// No way leads here.
const NEVER: i64 = i64::MAX / 2;

/// A block's kind, how many of its neighbours have levels, and what a bit is worth.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) kind: usize,
    pub(crate) context: usize,
    pub(crate) lambda: i64,
    pub(crate) costs: &'a LevelCosts,
}

/// One of two levels at a place.
#[derive(Clone, Copy)]
struct Step {
    level: i16,
    weight: i64,
    /// Which of the two before it leads here.
    from: usize,
}

/// Levels in the order of coding. What they stand for replaces the coefficients.
pub(crate) fn quantise(
    coefficients: &mut [i16; 16],
    quantiser: &Quantiser,
    setting: &Setting<'_>,
) -> [i16; 16] {
    let first = usize::from(setting.kind == kind::LUMA_REST);
    let mut steps = [[Step { level: 0, weight: NEVER, from: 0 }; 2]; 16];
    let rate = |cost: u32| i64::from(cost) * setting.lambda;
    // The best end so far: behind no level at all.
    let mut best = rate(setting.costs.end(setting.kind, first, setting.context));
    let mut end = None;
    for at in first..16 {
        let place = ZIGZAG[at];
        let step = i64::from(quantiser.step[place]);
        let size = i64::from(coefficients[place].unsigned_abs() + quantiser.sharpening[place]);
        let below = (size / step).min(i64::from(MAX_LEVEL) - 1);
        for choice in 0..2 {
            let level = below + choice as i64;
            // Up only where it is nearer.
            if choice == 1 && 2 * (size - below * step) < step {
                continue;
            }
            let error = size - level * step;
            let distortion = WEIGHTS[place] * (error * error - size * size);
            let (weight, from) = arrive(&steps, at, first, level as usize, setting);
            let weight = weight.saturating_add(256 * distortion);
            steps[at][choice] = Step { level: level as i16, weight, from };
            if level > 0 && weight < best {
                let behind = if at < 15 {
                    setting.costs.end(setting.kind, at + 1, (level as usize).min(2))
                } else {
                    0
                };
                if weight + rate(behind) < best {
                    best = weight + rate(behind);
                    end = Some((at, choice));
                }
            }
        }
    }
    let mut levels = [0; 16];
    if let Some((last, mut choice)) = end {
        for at in (first..=last).rev() {
            let step = steps[at][choice];
            levels[at] = if coefficients[ZIGZAG[at]] < 0 { -step.level } else { step.level };
            choice = step.from;
        }
    }
    for (level, place) in levels.iter().zip(ZIGZAG).skip(first) {
        coefficients[place] = level.wrapping_mul(quantiser.step[place] as i16);
    }
    levels
}

/// The cheaper of the ways to a level, and which of the two before it leads.
fn arrive(
    steps: &[[Step; 2]; 16],
    at: usize,
    first: usize,
    level: usize,
    setting: &Setting<'_>,
) -> (i64, usize) {
    let rate = |cost: u32| i64::from(cost) * setting.lambda;
    if at == first {
        let start = setting.costs.start(setting.kind, first, setting.context);
        return (rate(start + setting.costs.level(setting.kind, at, setting.context, level)), 0);
    }
    let ways = steps[at - 1].map(|step| {
        let context = usize::from(step.level.unsigned_abs()).min(2);
        step.weight.saturating_add(rate(setting.costs.level(setting.kind, at, context, level)))
    });
    if ways[1] < ways[0] { (ways[1], 1) } else { (ways[0], 0) }
}
