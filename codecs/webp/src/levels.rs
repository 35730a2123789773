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
        let all = probabilities.as_flattened().as_flattened();
        let tables = self.tables.as_flattened_mut().as_flattened_mut().iter_mut();
        let ends = self.ends.as_flattened_mut().as_flattened_mut().iter_mut();
        let starts = self.goes_on.as_flattened_mut().as_flattened_mut().iter_mut();
        for (index, (nodes, (table, (end, goes_on)))) in
            all.iter().zip(tables.zip(ends.zip(starts))).enumerate()
        {
            *end = bits[0][usize::from(nodes[0])];
            *goes_on = bits[1][usize::from(nodes[0])];
            // Behind a zero, which is context 0, nothing is said of it.
            let said = if index.is_multiple_of(3) { 0 } else { *goes_on };
            for (level, cost) in (0..).zip(table) {
                *cost = said + variable(level, nodes) + fixed(level);
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
        let Some(last) = last else { return self.end(kind, first, context) };
        let mut cost = self.start(kind, first, context);
        let mut context = context;
        for at in first..=last.min(15) {
            let level = usize::from(level_at(at).unsigned_abs());
            cost += self.level(kind, at, context, level);
            context = level.min(2);
        }
        if last < 15 { cost + self.end(kind, last + 1, context) } else { cost }
    }

    /// That a block ends before a place.
    #[inline]
    pub(crate) fn end(&self, kind: usize, at: usize, context: usize) -> u32 {
        u32::from(self.ends[kind][BANDS[at]][context])
    }

    /// What the first level of a block costs more: there it is said in every context that the block goes on.
    #[inline]
    pub(crate) fn start(&self, kind: usize, first: usize, context: usize) -> u32 {
        if context == 0 { u32::from(self.goes_on[kind][BANDS[first]][0]) } else { 0 }
    }

    /// A level at a place, behind one that makes the context.
    #[inline]
    pub(crate) fn level(&self, kind: usize, at: usize, context: usize, level: usize) -> u32 {
        let cost = u32::from(self.tables[kind][BANDS[at]][context][level.min(LAST)]);
        if level > LAST {
            return cost + u32::from(self.beyond[(level - LAST).min(self.beyond.len() - 1)]);
        }
        cost
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
