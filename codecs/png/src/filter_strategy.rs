//! How the filter of each row is chosen.

use filepress_deflate::{BlockEstimator, Estimator, LiteralCosts};

use crate::filter::{self, FILTERS};

/// The time of the strategies that take long is worth so much of the bytes: 1 / 2 to the power of this.
const WORTH: u32 = 7;

/// So many rows before a row are coded with it, or so many bytes of them.
const ROWS_BEFORE: usize = 16;
const MOST_BEFORE: usize = 1 << 15;

/// A way to choose filters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strategy {
    /// One filter for all rows.
    Fixed(u8),
    /// The least sum of absolute differences.
    Sums,
    /// The fewest different pairs of bytes.
    Bigrams,
    /// The least cost of the bytes by the frequencies in the rows before.
    Literals,
    /// The least cost of literals and matches, as a fast parse finds them.
    Coded,
    /// The fewest bits of a block of the row and those just before, by a lazy parse. Pixels of several samples are always filtered.
    Blocks,
}

impl Strategy {
    /// The compressed size of a photo, and what the time for the choice of filters is worth: with two of the strategies it takes about
    /// an eighth of the time of the coding.
    pub(crate) fn weighed(self, length: usize) -> usize {
        match self {
            Self::Coded | Self::Bigrams => length + (length >> WORTH),
            _ => length,
        }
    }
}

/// Filters rows one by one.
pub(crate) struct Filter {
    strategy: Strategy,
    pixel: usize,
    above: Vec<u8>,
    tried: Vec<u8>,
    best: Vec<u8>,
    last: u8,
    costs: LiteralCosts,
    estimator: Option<Estimator>,
    blocks: Option<BlockEstimator>,
    pairs: Vec<u32>,
    round: u32,
}

impl Filter {
    pub(crate) fn new(strategy: Strategy, row: usize, pixel: usize) -> Self {
        Self {
            strategy,
            pixel,
            above: vec![0; row],
            tried: vec![0; row + 1],
            best: vec![0; row + 1],
            last: 0,
            costs: LiteralCosts::new(),
            estimator: (strategy == Strategy::Coded).then(Estimator::new),
            blocks: (strategy == Strategy::Blocks)
                .then(|| BlockEstimator::new(MOST_BEFORE.min(ROWS_BEFORE * (row + 1)))),
            pairs: if strategy == Strategy::Bigrams { vec![0; 1 << 16] } else { Vec::new() },
            round: 0,
        }
    }

    /// The filter type and the filtered row.
    pub(crate) fn row(&mut self, row: &[u8]) -> &[u8] {
        if let Strategy::Fixed(kind) = self.strategy {
            filter::apply(kind, row, &self.above, self.pixel, &mut self.best);
        } else {
            let mut least = u64::MAX;
            for step in 0..FILTERS {
                // The filter of the row before comes first: it is kept where another saves nothing.
                let kind = match step {
                    0 => self.last,
                    step if step <= self.last => step - 1,
                    step => step,
                };
                // Samples and differences share few symbols: a block that begins with samples would go on with them.
                if kind == 0 && self.strategy == Strategy::Blocks && self.pixel >= 3 {
                    continue;
                }
                filter::apply(kind, row, &self.above, self.pixel, &mut self.tried);
                let cost = self.cost(least);
                if cost < least {
                    least = cost;
                    std::mem::swap(&mut self.tried, &mut self.best);
                }
            }
            self.last = self.best[0];
            match self.strategy {
                Strategy::Literals => self.costs.commit(&self.best),
                Strategy::Coded => {
                    self.estimator.iter_mut().for_each(|estimator| estimator.commit(&self.best))
                }
                Strategy::Blocks => self.blocks.iter_mut().for_each(|blocks| blocks.commit(&self.best)),
                _ => {}
            }
        }
        self.above.copy_from_slice(row);
        &self.best
    }

    /// Passes over a row that is not filtered: the next one is below it.
    pub(crate) fn pass(&mut self, row: &[u8]) {
        self.above.copy_from_slice(row);
    }

    /// The cost of the filtered row, or any number from `limit` on if it is not below that.
    fn cost(&mut self, limit: u64) -> u64 {
        match self.strategy {
            Strategy::Fixed(_) => 0,
            Strategy::Sums => {
                self.tried[1..].iter().map(|byte| u64::from(byte.cast_signed().unsigned_abs())).sum()
            }
            Strategy::Bigrams => {
                self.round += 1;
                let mut different = 0;
                for pair in self.tried.windows(2) {
                    let seen = &mut self.pairs[usize::from(pair[0]) << 8 | usize::from(pair[1])];
                    different += u64::from(*seen != self.round);
                    *seen = self.round;
                }
                different
            }
            Strategy::Literals => self.costs.cost(&self.tried),
            Strategy::Blocks => self.blocks.as_mut().map_or(0, |blocks| blocks.bits(&self.tried)),
            Strategy::Coded => {
                self.estimator.as_mut().map_or(0, |estimator| estimator.cost(&self.tried, limit))
            }
        }
    }
}
