//! DC coefficients of a row of blocks, chosen together so that bits and squared error are least.

use super::dct::SCALE;

/// Values of a coefficient that are tried at most.
const MOST: usize = 9;
/// As many, in whole vectors.
const LANES: usize = 12;
const MAX_COEFFICIENT: i32 = 1023;
/// Where a difference of zero stands in the table of rates, with room for every difference and for lanes that are not used.
const ZERO: i32 = 2 * (MAX_COEFFICIENT + LANES as i32);

/// What is known of a block: its raw DC coefficient, and what a squared error of one step costs in bits.
#[derive(Clone, Copy, Default)]
pub(crate) struct RawDc {
    pub(crate) level: i16,
    pub(crate) lambda: f32,
}

/// Chooses the DC coefficients of a component.
pub(crate) struct DcTrellis {
    /// What a difference costs in bits.
    rates: Vec<f32>,
    step: i32,
    weight: f32,
    candidates: usize,
    /// The coefficient of the block before.
    last: i32,
    /// For each block and candidate, the candidate before it.
    previous: Vec<[u8; LANES]>,
}

impl DcTrellis {
    /// `bits` is the length of the code of each symbol.
    pub(crate) fn new(quantization: u16, bits: &[u8; 256]) -> Self {
        let rate = |difference: i32| {
            let size = 32 - (difference - ZERO).unsigned_abs().leading_zeros() as usize;
            (if bits[size] == 0 { 2 * size + 1 } else { size + usize::from(bits[size]) }) as f32
        };
        let step = SCALE * i32::from(quantization);
        Self {
            rates: (0..=2 * ZERO).map(rate).collect(),
            step,
            weight: 1.0 / (step as f32 * step as f32),
            // More where steps are small; an odd number, so that the rounded value is in the middle.
            candidates: ((2 + 60 / usize::from(quantization.max(1))) | 1).min(MOST),
            last: 0,
            previous: Vec::new(),
        }
    }

    /// The coefficients without any choice.
    pub(crate) fn round(&self, raw: i16) -> i16 {
        let level = i32::from(raw);
        let rounded = ((level.abs() + self.step / 2) / self.step).min(MAX_COEFFICIENT);
        (if level < 0 { -rounded } else { rounded }) as i16
    }

    /// Hands over the coefficients of a row of blocks, last block first. Rows are asked for in order.
    pub(crate) fn choose(&mut self, row: &[RawDc], mut put: impl FnMut(usize, i16)) {
        let half = self.candidates as i32 / 2;
        self.previous.clear();
        let mut costs = [f32::MAX; LANES];
        let mut before = self.last + half;
        for (index, &raw) in row.iter().enumerate() {
            let rounded = i32::from(self.round(raw.level));
            let errors = self.errors(raw, rounded - half);
            let (mut next, mut from) = ([f32::MAX; LANES], [0_i32; LANES]);
            // Before the first block there is one value.
            let sources = if index == 0 { 1 } else { self.candidates };
            for (source, &cost) in costs.iter().enumerate().take(sources) {
                let cost = if index == 0 { 0.0 } else { cost };
                let base = if index == 0 { self.last } else { before - half + source as i32 };
                let at = (ZERO + rounded - half - base) as usize;
                let Some(rates) = self.rates[at..].first_chunk::<LANES>() else { continue };
                for lane in 0..LANES {
                    let cost = cost + rates[lane];
                    let less = cost < next[lane];
                    next[lane] = if less { cost } else { next[lane] };
                    from[lane] = if less { source as i32 } else { from[lane] };
                }
            }
            for lane in 0..LANES {
                costs[lane] = next[lane] + errors[lane];
            }
            self.previous.push(from.map(|source| source as u8));
            before = rounded;
        }
        let mut choice = 0;
        for candidate in 1..self.candidates {
            if costs[candidate] < costs[choice] {
                choice = candidate;
            }
        }
        for (index, &raw) in row.iter().enumerate().rev() {
            let value = i32::from(self.round(raw.level)) - half + choice as i32;
            put(index, value as i16);
            if index + 1 == row.len() {
                self.last = value;
            }
            choice = usize::from(self.previous[index][choice]);
        }
    }

    /// What the error of each candidate costs, the first of which is `lowest`.
    fn errors(&self, raw: RawDc, lowest: i32) -> [f32; LANES] {
        let weight = raw.lambda * self.weight;
        std::array::from_fn(|candidate| {
            let value = lowest + candidate as i32;
            if candidate >= self.candidates || value.abs() > MAX_COEFFICIENT {
                return f32::MAX;
            }
            let delta = (value * self.step - i32::from(raw.level)) as f32;
            delta * delta * weight
        })
    }
}
