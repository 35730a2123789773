//! DC coefficients of a row of blocks, chosen together so that bits and squared error are least.

use super::dct::SCALE;

/// Values of a coefficient that are tried at most.
const MOST: usize = 9;
/// Values that are looked at together.
const LANES: usize = 4;
/// As many as are tried, in whole vectors.
const GROUPS: usize = MOST.div_ceil(LANES);
const MAX_COEFFICIENT: i32 = 1023;
/// Where a difference of zero stands in the table of rates, with room for every difference and for lanes that are not used.
const ZERO: i32 = 2 * (MAX_COEFFICIENT + (GROUPS * LANES) as i32);

/// What is known of a block: its raw DC coefficient, what that rounds to, and what a squared error of one step costs in bits.
#[derive(Clone, Copy, Default)]
pub(crate) struct RawDc {
    pub(crate) level: i16,
    pub(crate) rounded: i16,
    pub(crate) lambda: f32,
}

/// What the candidates of a block cost, in whole vectors.
type Costs = [[f32; LANES]; GROUPS];

/// Chooses the DC coefficients of a component.
pub(crate) struct DcTrellis {
    /// What a difference costs in bits.
    rates: Vec<f32>,
    step: i32,
    weight: f32,
    candidates: usize,
    /// The coefficient of the block before.
    last: i32,
    /// For each block, what its candidates cost with the best ones before them: which those are is looked for on the way back, for the
    /// candidate that is chosen.
    costs: Vec<Costs>,
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
            costs: Vec::new(),
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
        self.costs.clear();
        let (mut costs, mut lowest) = (Costs::default(), self.last);
        for (index, raw) in row.iter().enumerate() {
            // Before the first block there is one value, which costs nothing.
            let sources = if index == 0 { 1 } else { self.candidates };
            let first = self.lowest(raw);
            costs = self.next(&costs.as_flattened()[..sources], first - lowest);
            self.add_errors(raw, first, &mut costs);
            self.costs.push(costs);
            lowest = first;
        }
        let mut choice = least(costs.as_flattened()[..self.candidates].iter().copied());
        for (index, raw) in row.iter().enumerate().rev() {
            let value = self.lowest(raw) + choice as i32;
            put(index, value as i16);
            if index + 1 == row.len() {
                self.last = value;
            }
            if index > 0 {
                let costs = self.costs[index - 1].as_flattened()[..self.candidates].iter();
                let rates = self.rates(value - self.lowest(&row[index - 1]), self.candidates, 1);
                choice = least(costs.zip(rates.iter().rev()).map(|(cost, rate)| cost + rate));
            }
        }
    }

    /// The first candidate of a block.
    #[inline(always)]
    fn lowest(&self, raw: &RawDc) -> i32 {
        i32::from(raw.rounded) - self.candidates as i32 / 2
    }

    /// The rates of so many `values`, the first of which is by `difference` above the first of so many `sources`: each source has as
    /// many, and begins one before that of the source before it.
    #[inline(always)]
    fn rates(&self, difference: i32, sources: usize, values: usize) -> &[f32] {
        let end = (ZERO + difference) as usize + values;
        self.rates.get(end + 1 - sources - values..end).unwrap_or_default()
    }

    /// What the candidates of a block cost in bits, behind the best of `sources` of the block before, whose first value is smaller by
    /// `difference`.
    #[inline(always)]
    fn next(&self, sources: &[f32], difference: i32) -> Costs {
        let mut next = [[f32::MAX; LANES]; GROUPS];
        for (group, next) in next.iter_mut().enumerate().take(self.candidates.div_ceil(LANES)) {
            let rates = self.rates(difference + (group * LANES) as i32, sources.len(), LANES);
            for (&cost, rates) in sources.iter().zip(rates.windows(LANES).rev()) {
                for (next, rate) in next.iter_mut().zip(rates) {
                    let cost = cost + rate;
                    *next = if cost < *next { cost } else { *next };
                }
            }
        }
        next
    }

    /// Adds what the error of each candidate costs, the first of which is `lowest`.
    #[inline(always)]
    fn add_errors(&self, raw: &RawDc, lowest: i32, costs: &mut Costs) {
        let weight = raw.lambda * self.weight;
        let lowest_error = lowest * self.step - i32::from(raw.level);
        for (candidate, cost) in costs.as_flattened_mut().iter_mut().enumerate() {
            let delta = (lowest_error + candidate as i32 * self.step) as f32;
            let value = lowest + candidate as i32;
            let error = if value.abs() > MAX_COEFFICIENT { f32::MAX } else { delta * delta * weight };
            *cost += error;
        }
    }
}

/// The index of the first of the least costs.
#[inline(always)]
fn least(costs: impl Iterator<Item = f32>) -> usize {
    let (mut least, mut at) = (f32::MAX, 0);
    for (index, cost) in costs.enumerate() {
        if cost < least {
            (least, at) = (cost, index);
        }
    }
    at
}
