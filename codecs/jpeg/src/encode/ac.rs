//! AC coefficients quantized so that bits and squared error together are least (trellis quantization).
//!
//! Costs are counted against a block without AC coefficients: what a zero costs is then nothing, and only coefficients that do
//! not round to zero need be looked at.

use std::ops::Range;

use super::bit_cost::Rates;
use super::blocks::{BLOCK, indexed};
use super::dct::SCALE;

/// The largest coefficient of a picture of 8 bits.
const MAX_COEFFICIENT: i32 = 1023;
/// Sizes of coefficients that are looked at together.
const LANES: usize = 4;
/// The groups of so many sizes, of up to ten bits.
const GROUPS: usize = 3;
/// What a symbol costs that has no code.
const NO_CODE: f32 = 1e30;

/// What the AC coefficients of a component cost in bits.
struct AcRates {
    /// By the bits of a coefficient, less one, in groups of lanes, and in a group by the zeros before it.
    coefficient: [[[f32; LANES]; BLOCK]; GROUPS],
    end: f32,
    end_of_run: f32,
}

impl AcRates {
    fn new(rates: &Rates) -> Self {
        let code = |symbol: usize| if rates.ac[symbol] == 0 { NO_CODE } else { f32::from(rates.ac[symbol]) };
        let cost = |run: usize, size: usize| {
            let zeros = if run >= 16 { code(0xF0) * (run / 16) as f32 } else { 0.0 };
            zeros + code((run % 16) << 4 | size) + size as f32
        };
        let coefficient = std::array::from_fn(|group| {
            std::array::from_fn(|run| {
                std::array::from_fn(|lane| match group * LANES + lane + 1 {
                    size @ ..=10 => cost(run, size),
                    _ => NO_CODE,
                })
            })
        });
        Self { coefficient, end: rates.end, end_of_run: rates.end_of_run }
    }
}

/// Quantizes the AC coefficients of a component.
pub(crate) struct AcTrellis {
    rates: AcRates,
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
    raw: [i16; BLOCK],
    values: [i16; BLOCK],
    /// The first of the choices that may come before, and what the way costs without the error that the value leaves: which of them
    /// it goes through is looked for at the end, for the few that stay.
    firsts: [u8; BLOCK],
    bits: [f32; BLOCK],
    costs: [f32; BLOCK],
    /// Whether several ways may cost the same.
    tied: [bool; BLOCK],
}

/// The largest magnitudes of raw coefficients that round to zero.
pub(crate) fn thresholds(quantization: &[u16; BLOCK]) -> [i16; BLOCK] {
    quantization.map(|step| (SCALE * i32::from(step) / 2 - 1).clamp(0, i32::from(i16::MAX)) as i16)
}

impl AcTrellis {
    pub(crate) fn new(quantization: &[u16; BLOCK], rates: &Rates, pattern: i32) -> Self {
        let steps = quantization.map(|step| SCALE * i32::from(step));
        Self {
            rates: AcRates::new(rates),
            thresholds: thresholds(quantization),
            steps,
            reciprocals: steps.map(|step| (1_u64 << 32).div_ceil(step as u64)),
            weights: steps.map(|step| 1.0 / (step as f32 * step as f32)),
            pattern,
            choices: Choices {
                positions: [0; BLOCK],
                raw: [0; BLOCK],
                values: [0; BLOCK],
                firsts: [0; BLOCK],
                bits: [0.0; BLOCK],
                costs: [0.0; BLOCK],
                tied: [false; BLOCK],
            },
        }
    }

    /// Rounds the raw coefficients of a block, and appends those to `out` that are not zero. Returns their mask.
    pub(crate) fn round(&self, mask: u64, raw: &[i16], out: &mut Vec<i16>) -> u64 {
        let mut kept = 0;
        for (k, raw) in indexed(mask, raw) {
            if raw.saturating_abs() > self.thresholds[k] {
                out.push(signed(self.rounded(k, raw), raw));
                kept |= 1 << k;
            }
        }
        kept
    }

    /// Chooses from the raw coefficients of a block, and appends those to `out` that are not zero. `lambda` is what a squared error
    /// of one step costs in bits. Returns the mask of what was appended.
    pub(crate) fn quantize(&mut self, mask: u64, raw: &[i16], lambda: f32, out: &mut Vec<i16>) -> u64 {
        let mut end = 1;
        for (k, raw) in indexed(mask, raw) {
            self.choices.positions[end] = k as u8;
            self.choices.raw[end] = raw;
            end += usize::from(raw.saturating_abs() > self.thresholds[k]);
        }
        // So many that hardly any run is long: those are not looked for.
        let reach = match end {
            57.. => 8,
            50.. => 16,
            _ => BLOCK,
        };
        let (mut first, mut kept) = (0, 0);
        for at in 1..end {
            let k = usize::from(self.choices.positions[at]);
            while usize::from(self.choices.positions[first]) + reach < k {
                first += 1;
            }
            let rounded = self.choose(k, lambda, first, at);
            if rounded >= self.pattern {
                (first, kept) = (at, at);
            }
        }
        if end == 1 { 0 } else { self.keep(kept, end, out) }
    }

    #[inline(always)]
    fn rounded(&self, k: usize, raw: i16) -> i32 {
        let level = i32::from(raw).abs() + self.steps[k] / 2;
        ((level as u64 * self.reciprocals[k]) >> 32).min(MAX_COEFFICIENT as u64) as i32
    }

    /// Finds the best value of choice `count`, which is coefficient `k`, behind the best of the choices from `first` on. Returns the
    /// rounded value.
    #[inline(always)]
    fn choose(&mut self, k: usize, lambda: f32, first: usize, count: usize) -> i32 {
        let raw = self.choices.raw[count];
        let level = i32::from(raw).abs();
        let step = self.steps[k];
        let weight = lambda * self.weights[k];
        let rounded = self.rounded(k, raw);
        let sizes = 32 - rounded.leading_zeros() as usize;
        let (mut best, mut value, mut bits, mut tied) = (f32::MAX, 0, f32::MAX, false);
        for (group, rates) in self.rates.coefficient.iter().enumerate().take(sizes.div_ceil(LANES)) {
            let (costs, ties) = self.choices.least(k, first..count, rates);
            // Of each size the largest value, which is closest; of the last the rounded one.
            for (lane, &least) in costs.iter().enumerate().take(sizes - group * LANES) {
                let size = group * LANES + lane + 1;
                let candidate = if size < sizes { (1 << size) - 1 } else { rounded };
                let scaled = candidate * step;
                let cost = least + (scaled * (scaled - 2 * level)) as f32 * weight;
                if cost < best {
                    (best, value, bits, tied) = (cost, candidate, least, ties[lane] != 0);
                }
            }
        }
        self.choices.values[count] = value as i16;
        self.choices.firsts[count] = first as u8;
        self.choices.bits[count] = bits;
        self.choices.costs[count] = best;
        self.choices.tied[count] = tied;
        rounded
    }

    /// Finds the best last coefficient, no choice before `kept`, and appends it and those on the way to it.
    fn keep(&self, kept: usize, end: usize, out: &mut Vec<i16>) -> u64 {
        let (mut best, mut choice) = (f32::MAX, kept);
        for last in kept..end {
            // A block with its last coefficient need not say that it ends.
            let end =
                if usize::from(self.choices.positions[last]) == BLOCK - 1 { self.rates.end } else { 0.0 };
            let cost = self.choices.costs[last] - end + if last == 0 { 0.0 } else { self.rates.end_of_run };
            if cost < best {
                (best, choice) = (cost, last);
            }
        }
        let (mut mask, mut values, mut begin) = (0, [0; BLOCK], BLOCK);
        while choice != 0 {
            begin -= 1;
            values[begin] = signed(i32::from(self.choices.values[choice]), self.choices.raw[choice]);
            mask |= 1 << self.choices.positions[choice];
            choice = self.previous(choice);
        }
        out.extend_from_slice(&values[begin..]);
        mask
    }

    /// The choice before this one: the first of those that cost as little.
    fn previous(&self, choice: usize) -> usize {
        let choices = &self.choices;
        let size = 32 - i32::from(choices.values[choice]).leading_zeros() as usize;
        let (group, lane) = (size.saturating_sub(1) / LANES, size.saturating_sub(1) % LANES);
        let (k, bits) = (usize::from(choices.positions[choice]), choices.bits[choice]);
        let mut previous = 0;
        // It is mostly close.
        for before in (usize::from(choices.firsts[choice])..choice).rev() {
            let rate = self.rates.coefficient[group][run(choices.positions[before], k)][lane];
            if choices.costs[before] + rate == bits {
                previous = before;
                if !choices.tied[choice] {
                    break;
                }
            }
        }
        previous
    }
}

impl Choices {
    /// The least cost of coefficient `k` of each size, of which these are the rates, behind any of some choices.
    #[inline(always)]
    fn least(
        &self,
        k: usize,
        before: Range<usize>,
        rates: &[[f32; LANES]; BLOCK],
    ) -> ([f32; LANES], [u32; LANES]) {
        let (mut least, mut ties) = ([f32::MAX; LANES], [0; LANES]);
        for (&position, &cost) in self.positions[before.clone()].iter().zip(&self.costs[before]) {
            let rates = &rates[run(position, k)];
            for lane in 0..LANES {
                let cost = cost + rates[lane];
                ties[lane] |= u32::from(cost == least[lane]);
                least[lane] = if cost < least[lane] { cost } else { least[lane] };
            }
        }
        (least, ties)
    }
}

/// The zeros between coefficients.
#[inline(always)]
fn run(position: u8, k: usize) -> usize {
    (k - 1).wrapping_sub(usize::from(position)) % BLOCK
}

fn signed(value: i32, like: i16) -> i16 {
    (if like < 0 { -value } else { value }) as i16
}
