//! What the levels of a block cost under the probabilities of now, in 256ths of a bit.

use crate::cost;
use crate::residuals::{extra_bits, kind, token};
use crate::tables::{BANDS, CATEGORIES, MAX_LEVEL, TokenProbabilities};

/// From this level on only the bits behind the category differ.
const LAST: usize = 67;

type Table = [u16; LAST + 1];

pub(crate) struct LevelCosts {
    /// By kind of block, band and context: of each level, with that the block goes on where that is said.
    tables: Box<[[[Table; 3]; 8]; 4]>,
    /// The same: that the block ends, and that it goes on.
    ends: [[[u16; 3]; 8]; 4],
    goes_on: [[[u16; 3]; 8]; 4],
    /// What a level costs more than `LAST`.
    beyond: Vec<u16>,
}

impl LevelCosts {
    pub(crate) fn new(probabilities: &TokenProbabilities) -> Self {
        let beyond = (LAST as u16..=MAX_LEVEL).map(|level| fixed(level) - fixed(LAST as u16)).collect();
        let mut costs = Self {
            tables: Box::new([[[[0; 68]; 3]; 8]; 4]),
            ends: [[[0; 3]; 8]; 4],
            goes_on: [[[0; 3]; 8]; 4],
            beyond,
        };
        costs.refresh(probabilities);
        costs
    }

    /// For other probabilities.
    pub(crate) fn refresh(&mut self, probabilities: &TokenProbabilities) {
        let bits = cost::bits();
        for (kind, bands) in probabilities.iter().enumerate() {
            for (band, contexts) in bands.iter().enumerate() {
                for (context, nodes) in contexts.iter().enumerate() {
                    self.ends[kind][band][context] = bits[0][usize::from(nodes[0])];
                    let goes_on = bits[1][usize::from(nodes[0])];
                    self.goes_on[kind][band][context] = goes_on;
                    // Behind a zero nothing is said of it.
                    let said = if context > 0 { goes_on } else { 0 };
                    for (level, cost) in self.tables[kind][band][context].iter_mut().enumerate() {
                        *cost = said + variable(level as u16, nodes) + fixed(level as u16);
                    }
                }
            }
        }
    }

    /// `last` is the place of the last level that is not zero, if any.
    #[inline]
    pub(crate) fn of_block(
        &self,
        kind: usize,
        context: usize,
        last: Option<usize>,
        level_at: impl Fn(usize) -> i16,
    ) -> u32 {
        let first = usize::from(kind == kind::LUMA_REST);
        let tables = &self.tables[kind];
        let Some(last) = last else { return u32::from(self.ends[kind][BANDS[first]][context]) };
        let mut context = context;
        // At its start it is said in every context.
        let mut cost = if context == 0 { u32::from(self.goes_on[kind][BANDS[first]][0]) } else { 0 };
        for at in first..=last.min(15) {
            let level = usize::from(level_at(at).unsigned_abs());
            let table = &tables[BANDS[at]][context];
            cost += u32::from(table[level.min(LAST)]);
            if level > LAST {
                cost += u32::from(self.beyond[(level - LAST).min(self.beyond.len() - 1)]);
            }
            context = level.min(2);
        }
        if last < 15 { cost + u32::from(self.ends[kind][BANDS[last + 1]][context]) } else { cost }
    }
}

/// The way through the tree of tokens, behind the bit that says that the block goes on.
fn variable(level: u16, nodes: &[u8; 11]) -> u16 {
    let bits = cost::bits();
    let mut sum = 0;
    token(level, |node, bit| sum += bits[usize::from(bit)][usize::from(nodes[node])]);
    sum
}

/// The sign, and the bits behind a category.
fn fixed(level: u16) -> u16 {
    if level == 0 {
        return 0;
    }
    let bits = cost::bits();
    let mut sum = bits[0][128];
    if level >= CATEGORIES[0].0 {
        extra_bits(level, |bit, probability| sum += bits[usize::from(bit)][usize::from(probability)]);
    }
    sum
}
