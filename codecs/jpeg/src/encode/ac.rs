//! AC coefficients quantized so that bits and squared error together are least (trellis quantization).
//!
//! Costs are counted against a block without AC coefficients: what a zero costs is then nothing, and only coefficients that do
//! not round to zero need be looked at.

use super::bit_cost::Rates;
use super::blocks::{BLOCK, take_lowest};
use super::dct::SCALE;

/// The largest coefficient of a picture of 8 bits.
const MAX_COEFFICIENT: i32 = 1023;
/// Sizes of coefficients that are looked at together.
const LANES: usize = 4;
/// What a symbol costs that has no code.
const NO_CODE: f32 = 1e30;

/// What the AC coefficients of a component cost in bits.
struct AcRates {
    /// By the zeros before a coefficient and the bits of its value, less one.
    coefficient: [[f32; 3 * LANES]; BLOCK],
    end: f32,
    end_of_run: f32,
}

impl AcRates {
    fn new(rates: &Rates) -> Self {
        let code = |symbol: usize| if rates.ac[symbol] == 0 { NO_CODE } else { f32::from(rates.ac[symbol]) };
        let mut coefficient = [[NO_CODE; 3 * LANES]; BLOCK];
        for (run, costs) in coefficient.iter_mut().enumerate() {
            let zeros = if run >= 16 { code(0xF0) * (run / 16) as f32 } else { 0.0 };
            for size in 1..=10 {
                costs[size - 1] = zeros + code((run % 16) << 4 | size) + size as f32;
            }
        }
        Self { coefficient, end: rates.end, end_of_run: rates.end_of_run }
    }
}

/// Quantizes the AC coefficients of a component.
pub(crate) struct AcTrellis {
    rates: AcRates,
    /// The least raw coefficient that does not round to zero, less one.
    thresholds: [i16; BLOCK],
    /// Steps between raw coefficients.
    steps: [i32; BLOCK],
    /// 2³² divided by the step, rounded up.
    reciprocals: [u64; BLOCK],
    /// One divided by the square of the step.
    weights: [f32; BLOCK],
    /// A coefficient that rounds to so many steps is a pattern that is seen: it may become smaller, but stays whatever it costs.
    pattern: i32,
    choices: Choices,
}

/// The coefficients of a block that may stay, each with the best way to it: what a later one may follow. The first is DC.
struct Choices {
    positions: [u8; BLOCK],
    values: [i16; BLOCK],
    previous: [u8; BLOCK],
    costs: [f32; BLOCK],
}

impl AcTrellis {
    pub(crate) fn new(quantization: &[u16; BLOCK], rates: &Rates, pattern: i32) -> Self {
        let steps = quantization.map(|step| SCALE * i32::from(step));
        Self {
            rates: AcRates::new(rates),
            thresholds: steps.map(|step| (step / 2 - 1).min(i32::from(i16::MAX)) as i16),
            steps,
            reciprocals: steps.map(|step| (1_u64 << 32).div_ceil(step as u64)),
            weights: steps.map(|step| 1.0 / (step as f32 * step as f32)),
            pattern,
            choices: Choices {
                positions: [0; BLOCK],
                values: [0; BLOCK],
                previous: [0; BLOCK],
                costs: [0.0; BLOCK],
            },
        }
    }

    /// Rounds the AC coefficients to `out`, which is all zero. Returns the mask of those that are not zero.
    pub(crate) fn round(&self, raw: &[i16; BLOCK], out: &mut [i16; BLOCK]) -> u64 {
        let mask = self.candidates(raw);
        let mut rest = mask;
        while rest != 0 {
            let k = take_lowest(&mut rest);
            out[k] = signed(self.rounded(k, raw), raw[k]);
        }
        mask
    }

    /// Chooses the AC coefficients of `out`, which is all zero. `lambda` is what a squared error of one step costs in bits. Returns
    /// the mask of those that are not zero.
    pub(crate) fn quantize(&mut self, raw: &[i16; BLOCK], lambda: f32, out: &mut [i16; BLOCK]) -> u64 {
        let mut candidates = self.candidates(raw);
        if candidates == 0 {
            return 0;
        }
        // So many that hardly any run is long: those are not looked for.
        let reach = match candidates.count_ones() {
            56.. => 8,
            49.. => 16,
            _ => BLOCK,
        };
        let (mut first, mut kept) = (0, 0);
        let mut count = 1;
        while candidates != 0 {
            let k = take_lowest(&mut candidates);
            while usize::from(self.choices.positions[first]) + reach < k {
                first += 1;
            }
            let rounded = self.choose(k, raw, lambda, first, count);
            if rounded >= self.pattern {
                (first, kept) = (count, count);
            }
            count += 1;
        }
        self.keep(kept, count, raw, out)
    }

    /// A bit for each AC coefficient that does not round to zero.
    fn candidates(&self, raw: &[i16; BLOCK]) -> u64 {
        let mut mask = 0;
        let rows = raw.as_chunks::<8>().0.iter().zip(self.thresholds.as_chunks::<8>().0);
        for (row, (raw, thresholds)) in rows.enumerate() {
            let mut beyond = [0_i16; 8];
            for lane in 0..8 {
                beyond[lane] = i16::from(raw[lane].wrapping_abs() > thresholds[lane]);
            }
            if beyond == [0; 8] {
                continue;
            }
            let bits = (0..8).fold(0, |bits, lane| bits | (beyond[lane] as u64) << lane);
            mask |= bits << (8 * row);
        }
        mask & !1
    }

    #[inline(always)]
    fn rounded(&self, k: usize, raw: &[i16; BLOCK]) -> i32 {
        let level = i32::from(raw[k]).abs() + self.steps[k] / 2;
        ((level as u64 * self.reciprocals[k]) >> 32).min(MAX_COEFFICIENT as u64) as i32
    }

    /// Finds the best value of coefficient `k`, and the best of the choices from `first` to `count` to come before it. Returns the
    /// rounded value.
    #[inline(always)]
    fn choose(&mut self, k: usize, raw: &[i16; BLOCK], lambda: f32, first: usize, count: usize) -> i32 {
        let level = i32::from(raw[k]).abs();
        let step = self.steps[k];
        let weight = lambda * self.weights[k];
        let rounded = self.rounded(k, raw);
        let sizes = 32 - rounded.leading_zeros() as usize;
        let (mut best, mut value, mut previous) = (f32::MAX, 0, 0);
        for group in (0..sizes).step_by(LANES) {
            let (mut costs, mut from) = ([f32::MAX; LANES], [0_i32; LANES]);
            for choice in first..count {
                let run = (k - 1).wrapping_sub(usize::from(self.choices.positions[choice])) % BLOCK;
                let rates: &[f32; LANES] = &self.rates.coefficient[run].as_chunks().0[group / LANES];
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
    fn keep(&self, kept: usize, count: usize, raw: &[i16; BLOCK], out: &mut [i16; BLOCK]) -> u64 {
        let (mut best, mut choice) = (f32::MAX, kept);
        for last in kept..count {
            // A block with its last coefficient need not say that it ends.
            let end =
                if usize::from(self.choices.positions[last]) == BLOCK - 1 { self.rates.end } else { 0.0 };
            let cost = self.choices.costs[last] - end + if last == 0 { 0.0 } else { self.rates.end_of_run };
            if cost < best {
                (best, choice) = (cost, last);
            }
        }
        let mut mask = 0;
        while choice != 0 {
            let k = usize::from(self.choices.positions[choice]);
            out[k] = signed(i32::from(self.choices.values[choice]), raw[k]);
            mask |= 1 << k;
            choice = usize::from(self.choices.previous[choice]);
        }
        mask
    }
}

fn signed(value: i32, like: i16) -> i16 {
    (if like < 0 { -value } else { value }) as i16
}
