//! The cost of a block's levels under the current token probabilities, in 256ths of a bit.

use crate::bit_cost;
use crate::coeffs::{PathSink, block_type, extra_bits, token_path};
use crate::tables::{COEFF_BANDS, CoeffProbs, DCT_CATEGORIES, MAX_LEVEL};

/// The first level of `DCT_CAT6`. From here on, costs differ in the extra bits alone, which no probability changes.
const CAT6: usize = 67;

type LevelTable = [u16; CAT6 + 1];

pub(crate) struct LevelCosts {
    /// By block type, band and context: the cost of each level, including "not end of block" where that is coded.
    levels: Box<[[[LevelTable; 3]; 8]; 4]>,
    /// The cost of "end of block" and of "not end of block".
    eob: [[[u16; 3]; 8]; 4],
    not_eob: [[[u16; 3]; 8]; 4],
    /// How much more than `CAT6` a larger level costs.
    above_cat6: Vec<u16>,
}

impl LevelCosts {
    pub(crate) fn new(probs: &CoeffProbs) -> Self {
        let cat6 = fixed_cost(CAT6 as u16);
        let mut costs = Self {
            levels: Box::new([[[[0; CAT6 + 1]; 3]; 8]; 4]),
            eob: [[[0; 3]; 8]; 4],
            not_eob: [[[0; 3]; 8]; 4],
            above_cat6: (CAT6 as u16..=MAX_LEVEL).map(|level| fixed_cost(level) - cat6).collect(),
        };
        costs.update(probs);
        costs
    }

    /// Computes all costs again for other probabilities.
    pub(crate) fn update(&mut self, probs: &CoeffProbs) {
        let bools = bit_cost::bool_costs();
        let probs = probs.as_flattened().as_flattened();
        let levels = self.levels.as_flattened_mut().as_flattened_mut().iter_mut();
        let eobs = self.eob.as_flattened_mut().as_flattened_mut().iter_mut();
        let not_eobs = self.not_eob.as_flattened_mut().as_flattened_mut().iter_mut();
        for (index, (nodes, (table, (eob, not_eob)))) in
            probs.iter().zip(levels.zip(eobs.zip(not_eobs))).enumerate()
        {
            *eob = bools[0][usize::from(nodes[0])];
            *not_eob = bools[1][usize::from(nodes[0])];
            // After a zero, which is context 0, the block cannot end and the bool is not coded.
            let go_on = if index.is_multiple_of(3) { 0 } else { *not_eob };
            for (level, cost) in (0..).zip(table) {
                *cost = go_on + token_cost(level, nodes) + fixed_cost(level);
            }
        }
    }

    /// The cost of a block. `last` is the coding position of its last non-zero level.
    #[inline]
    pub(crate) fn block(
        &self,
        block_type: usize,
        context: usize,
        last: Option<usize>,
        level_at: impl Fn(usize) -> i16,
    ) -> u32 {
        let first = usize::from(block_type == block_type::Y_AFTER_Y2);
        let Some(last) = last else { return self.end_of_block(block_type, first, context) };
        let mut cost = self.first_level(block_type, first, context);
        let mut context = context;
        for position in first..=last.min(15) {
            let level = usize::from(level_at(position).unsigned_abs());
            cost += self.level(block_type, position, context, level);
            context = level.min(2);
        }
        if last < 15 { cost + self.end_of_block(block_type, last + 1, context) } else { cost }
    }

    /// The cost of ending a block before a coding position.
    #[inline]
    pub(crate) fn end_of_block(&self, block_type: usize, position: usize, context: usize) -> u32 {
        u32::from(self.eob[block_type][COEFF_BANDS[position]][context])
    }

    /// What [`level`](Self::level) omits at the start of a block, where "not end of block" is coded in context 0 too.
    #[inline]
    pub(crate) fn first_level(&self, block_type: usize, first: usize, context: usize) -> u32 {
        if context == 0 { u32::from(self.not_eob[block_type][COEFF_BANDS[first]][0]) } else { 0 }
    }

    /// The cost of a level at a coding position.
    #[inline]
    pub(crate) fn level(&self, block_type: usize, position: usize, context: usize, level: usize) -> u32 {
        let cost = u32::from(self.levels[block_type][COEFF_BANDS[position]][context][level.min(CAT6)]);
        if level > CAT6 {
            return cost + u32::from(self.above_cat6[(level - CAT6).min(self.above_cat6.len() - 1)]);
        }
        cost
    }
}

/// The cost of a level's token, without "not end of block".
fn token_cost(level: u16, nodes: &[u8; 11]) -> u16 {
    let mut path = PathCost { bools: bit_cost::bool_costs(), nodes, sum: 0 };
    token_path(level, &mut path);
    path.sum
}

struct PathCost<'a> {
    bools: &'static [[u16; 256]; 2],
    nodes: &'a [u8; 11],
    sum: u16,
}

impl PathSink for PathCost<'_> {
    #[inline(always)]
    fn put(&mut self, node: usize, bit: bool) {
        self.sum += self.bools[usize::from(bit)][usize::from(self.nodes[node])];
    }
}

/// The cost of the sign and the extra bits.
fn fixed_cost(level: u16) -> u16 {
    if level == 0 {
        return 0;
    }
    let bools = bit_cost::bool_costs();
    let mut sum = bools[0][128];
    if level >= DCT_CATEGORIES[0].0 {
        extra_bits(level, |bit, prob| sum += bools[usize::from(bit)][usize::from(prob)]);
    }
    sum
}
