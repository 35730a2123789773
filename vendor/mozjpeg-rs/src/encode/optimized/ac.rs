//! AC coefficients quantised so that bits and squared error together are least (mozjpeg's `quantize_trellis`).
//!
//! Costs are counted against a block without AC coefficients: what a zero costs is then nothing, and only coefficients that do
//! not round to zero need be looked at.

use wide::{CmpGt, i16x8};

use super::blocks::{ZIGZAG, take_lowest};
use super::codes::Codes;
use crate::consts::{DCTSIZE2, JPEG_NATURAL_ORDER};
use crate::types::TrellisConfig;

/// The largest coefficient of an image of 8 bits.
const MAX_COEFFICIENT: i32 = 1023;
/// Sizes of coefficients that are looked at together.
const LANES: usize = 4;
/// A coefficient that rounds to so many steps is a pattern that is seen: it may become smaller, but stays whatever it costs.
const PATTERN: i32 = 3;
/// What a symbol costs that has no code.
const NO_CODE: f32 = 1e30;

/// What the AC coefficients of a component cost in bits.
pub(super) struct AcRates {
    /// By the zeros before a coefficient and the bits of its value, less one.
    coefficient: [[f32; 3 * LANES]; DCTSIZE2],
    end: f32,
    end_of_run: f32,
}

impl AcRates {
    pub(super) fn new(codes: &Codes) -> Self {
        let code = |symbol: usize| if codes.ac[symbol] == 0 { NO_CODE } else { f32::from(codes.ac[symbol]) };
        let mut coefficient = [[NO_CODE; 3 * LANES]; DCTSIZE2];
        for (run, rates) in coefficient.iter_mut().enumerate() {
            let zeros = if run >= 16 { code(0xF0) * (run / 16) as f32 } else { 0.0 };
            for size in 1..=10 {
                rates[size - 1] = zeros + code((run % 16) << 4 | size) + size as f32;
            }
        }
        Self { coefficient, end: codes.end, end_of_run: codes.end_of_run }
    }
}

/// Quantises the blocks of a component.
pub(super) struct AcTrellis {
    enabled: bool,
    rates: AcRates,
    /// Of coefficients in natural order: the least that does not round to zero.
    thresholds: [i16; DCTSIZE2],
    /// The others are in zigzag order. The steps are of raw coefficients, which are 8 times their value.
    steps: [i32; DCTSIZE2],
    /// 2³² divided by the step, rounded up.
    reciprocals: [u64; DCTSIZE2],
    weights: [f32; DCTSIZE2],
    choices: Choices,
}

/// The coefficients of a block that may stay, each with the best way to it: what a later one may follow. The first is DC.
struct Choices {
    positions: [u8; DCTSIZE2],
    values: [i16; DCTSIZE2],
    previous: [u8; DCTSIZE2],
    costs: [f32; DCTSIZE2],
}

impl AcTrellis {
    /// `quantization` is in natural order.
    pub(super) fn new(quantization: &[u16; DCTSIZE2], rates: AcRates, config: &TrellisConfig) -> Self {
        let steps = JPEG_NATURAL_ORDER.map(|natural| 8 * i32::from(quantization[natural]));
        Self {
            enabled: config.enabled,
            rates,
            thresholds: quantization.map(|q| (4 * i32::from(q)).min(i32::from(i16::MAX)) as i16),
            steps,
            reciprocals: steps.map(|step| (1_u64 << 32).div_ceil(step as u64)),
            weights: steps.map(|step| 64.0 / (step as f32 * step as f32)),
            choices: Choices {
                positions: [0; DCTSIZE2],
                values: [0; DCTSIZE2],
                previous: [0; DCTSIZE2],
                costs: [0.0; DCTSIZE2],
            },
        }
    }

    /// Fills in the AC coefficients of `out`, which is all zero and in zigzag order, from raw ones in natural order. `lambda` is
    /// what a squared error of one step costs in bits. Returns the mask of those that are not zero.
    pub(super) fn quantize(&mut self, raw: &[i16; DCTSIZE2], lambda: f32, out: &mut [i16; DCTSIZE2]) -> u64 {
        let mut candidates = self.candidates(raw);
        if candidates == 0 {
            return 0;
        }
        if !self.enabled {
            let mask = candidates;
            while candidates != 0 {
                let k = take_lowest(&mut candidates);
                out[k] = signed(self.rounded(k, raw), raw[JPEG_NATURAL_ORDER[k]]);
            }
            return mask;
        }
        // So many that hardly any run is long: those are not looked for, as in mozjpeg.
        let reach = match candidates.count_ones() {
            56.. => 8,
            49.. => 16,
            _ => DCTSIZE2,
        };
        let (mut first, mut kept) = (0, 0);
        let mut count = 1;
        while candidates != 0 {
            let k = take_lowest(&mut candidates);
            while usize::from(self.choices.positions[first]) + reach < k {
                first += 1;
            }
            let rounded = self.choose(k, raw, lambda, first, count);
            if rounded >= PATTERN {
                (first, kept) = (count, count);
            }
            count += 1;
        }
        self.keep(kept, count, raw, out)
    }

    /// A bit for each AC coefficient, in zigzag order, that does not round to zero.
    fn candidates(&self, raw: &[i16; DCTSIZE2]) -> u64 {
        let mut natural = 0;
        for (row, (raw, thresholds)) in
            raw.as_chunks::<8>().0.iter().zip(self.thresholds.as_chunks::<8>().0).enumerate()
        {
            let below = i16x8::new(*thresholds).simd_gt(i16x8::new(*raw).abs());
            natural |= u64::from(!below.to_bitmask() as u8) << (8 * row);
        }
        natural &= !1;
        let mut zigzag = 0;
        while natural != 0 {
            zigzag |= 1 << ZIGZAG[take_lowest(&mut natural)];
        }
        zigzag
    }

    fn rounded(&self, k: usize, raw: &[i16; DCTSIZE2]) -> i32 {
        let level = i32::from(raw[JPEG_NATURAL_ORDER[k]]).abs() + self.steps[k] / 2;
        ((level as u64 * self.reciprocals[k]) >> 32).min(MAX_COEFFICIENT as u64) as i32
    }

    /// Finds the best value of coefficient `k`, and the best of the choices from `first` to `count` to come before it. Returns the rounded
    /// value.
    #[inline(always)]
    fn choose(&mut self, k: usize, raw: &[i16; DCTSIZE2], lambda: f32, first: usize, count: usize) -> i32 {
        let level = i32::from(raw[JPEG_NATURAL_ORDER[k]]).abs();
        let step = self.steps[k];
        let weight = lambda * self.weights[k];
        let rounded = self.rounded(k, raw);
        let sizes = 32 - rounded.leading_zeros() as usize;
        let (mut best, mut value, mut previous) = (f32::MAX, 0, 0);
        for group in (0..sizes).step_by(LANES) {
            let (mut costs, mut from) = ([f32::MAX; LANES], [0_i32; LANES]);
            for choice in first..count {
                let run = (k - 1).wrapping_sub(usize::from(self.choices.positions[choice])) % DCTSIZE2;
                let rates = &self.rates.coefficient[run];
                let rates: &[f32; LANES] = &rates.as_chunks().0[group / LANES];
                for lane in 0..LANES {
                    let cost = self.choices.costs[choice] + rates[lane];
                    let less = cost < costs[lane];
                    costs[lane] = if less { cost } else { costs[lane] };
                    from[lane] = if less { choice as i32 } else { from[lane] };
                }
            }
            // Of each size the largest value, which is closest; of the last the rounded one.
            for lane in 0..LANES.min(sizes - group) {
                let size = group + lane + 1;
                let candidate = if size < sizes { (1 << size) - 1 } else { rounded };
                let scaled = candidate * step;
                let cost = costs[lane] + (scaled * (scaled - 2 * level)) as f32 * weight;
                if cost < best {
                    (best, value, previous) = (cost, candidate, from[lane]);
                }
            }
        }
        self.choices.positions[count] = k as u8;
        self.choices.values[count] = value as i16;
        self.choices.previous[count] = previous as u8;
        self.choices.costs[count] = best;
        rounded
    }

    /// Finds the best last coefficient, no choice before `kept`, and writes it and those on the way to it.
    fn keep(&self, kept: usize, count: usize, raw: &[i16; DCTSIZE2], out: &mut [i16; DCTSIZE2]) -> u64 {
        let (mut best, mut choice) = (f32::MAX, kept);
        for last in kept..count {
            // A block with its last coefficient need not say that it ends.
            let end = if usize::from(self.choices.positions[last]) == DCTSIZE2 - 1 { self.rates.end } else { 0.0 };
            let cost = self.choices.costs[last] - end + if last == 0 { 0.0 } else { self.rates.end_of_run };
            if cost < best {
                (best, choice) = (cost, last);
            }
        }
        let mut mask = 0;
        while choice != 0 {
            let k = usize::from(self.choices.positions[choice]);
            out[k] = signed(i32::from(self.choices.values[choice]), raw[JPEG_NATURAL_ORDER[k]]);
            mask |= 1 << k;
            choice = usize::from(self.choices.previous[choice]);
        }
        mask
    }
}

fn signed(value: i32, like: i16) -> i16 {
    (if like < 0 { -value } else { value }) as i16
}
