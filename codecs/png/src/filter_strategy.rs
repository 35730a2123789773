//! How the filter of each row is chosen.

use filepress_deflate::{Estimator, LiteralCosts};

use crate::filter::{self, FILTERS};

/// The time of the strategies that take long is worth so much of the bytes: 1 / 2 to the power of this.
const WORTH: u32 = 7;

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
                filter::apply(kind, row, &self.above, self.pixel, &mut self.tried);
                let cost = self.cost(least);
                if cost < least {
                    least = cost;
                    std::mem::swap(&mut self.tried, &mut self.best);
                }
            }
            self.last = self.best[0];
            match &mut self.estimator {
                Some(estimator) => estimator.commit(&self.best),
                None if self.strategy == Strategy::Literals => self.costs.commit(&self.best),
                None => {}
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
            Strategy::Coded => {
                self.estimator.as_mut().map_or(0, |estimator| estimator.cost(&self.tried, limit))
            }
        }
    }
}
