//! Token statistics of a frame, and the token probabilities that code it in the fewest bits (RFC 6386, sections 13.4 and
//! 13.5).

use crate::bit_cost;
use crate::coeffs::{CoeffBlock, ProbIndex, TokenSink, walk_tokens};
use crate::tables::CoeffProbs;
use crate::tables::coeff_update_probs::COEFF_UPDATE_PROBS;
use crate::tables::default_coeff_probs::DEFAULT_COEFF_PROBS;

/// How often each bool of the token tree was 0 and 1: by block type, band, context and node.
pub(crate) struct TokenStats(Box<[BlockTypeStats; 4]>);

type BlockTypeStats = [[[[u32; 2]; 11]; 3]; 8];

impl TokenSink for BlockTypeStats {
    #[inline(always)]
    fn put(&mut self, index: ProbIndex, bit: bool) {
        self[index.band][index.context][index.node][usize::from(bit)] += 1;
    }

    #[inline(always)]
    fn put_sign(&mut self, _: i16) {}
}

impl TokenStats {
    pub(crate) fn new() -> Self {
        Self(Box::new([[[[[0; 2]; 11]; 3]; 8]; 4]))
    }

    /// Counts the bools of a block. Signs and extra bits have fixed probabilities and are not counted.
    #[inline]
    pub(crate) fn add(&mut self, block: &CoeffBlock<'_>) {
        walk_tokens(block, &mut self.0[block.block_type]);
    }

    /// The best probabilities. One differs from the default only where that saves more than the update costs.
    pub(crate) fn best_probs(&self) -> CoeffProbs {
        let mut probs = DEFAULT_COEFF_PROBS;
        let flat = probs.as_flattened_mut().as_flattened_mut().as_flattened_mut();
        for ((&counts, prob), update_prob) in self.nodes().iter().zip(flat).zip(nodes(&COEFF_UPDATE_PROBS)) {
            *prob = best_prob(counts, *prob, *update_prob);
        }
        probs
    }

    /// The cost of all counted bools and of the probability updates, in 256ths of a bit.
    pub(crate) fn cost(&self, probs: &CoeffProbs) -> u64 {
        let costs = bit_cost::bool_costs();
        let tables =
            nodes(probs).iter().zip(nodes(&DEFAULT_COEFF_PROBS).iter().zip(nodes(&COEFF_UPDATE_PROBS)));
        let each = self.nodes().iter().zip(tables).map(|(&counts, (&new, (&old, &update_prob)))| {
            let flag = u64::from(costs[usize::from(new != old)][usize::from(update_prob)]);
            bools_cost(counts, new) + flag + if new == old { 0 } else { 8 * 256 }
        });
        each.sum()
    }

    /// The sum of two statistics.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let mut sum = Self(self.0.clone());
        let all = sum.0.as_flattened_mut().as_flattened_mut().as_flattened_mut();
        for (sum, counts) in all.iter_mut().zip(other.nodes()) {
            *sum = [sum[0] + counts[0], sum[1] + counts[1]];
        }
        sum
    }

    fn nodes(&self) -> &[[u32; 2]] {
        self.0.as_flattened().as_flattened().as_flattened()
    }
}

fn nodes(table: &CoeffProbs) -> &[u8] {
    table.as_flattened().as_flattened().as_flattened()
}

/// The cost of `counts[0]` zeros and `counts[1]` ones, in 256ths of a bit.
pub(crate) fn bools_cost(counts: [u32; 2], prob: u8) -> u64 {
    let cost =
        |bit: usize| u64::from(counts[bit]) * u64::from(bit_cost::bool_costs()[bit][usize::from(prob)]);
    cost(0) + cost(1)
}

fn best_prob(counts: [u32; 2], old: u8, update_prob: u8) -> u8 {
    let costs = bit_cost::bool_costs();
    let new = prob_of_zero(counts[0], counts[1]);
    let keep = bools_cost(counts, old) + u64::from(costs[0][usize::from(update_prob)]);
    let update = bools_cost(counts, new) + u64::from(costs[1][usize::from(update_prob)]) + 8 * 256;
    if update < keep { new } else { old }
}

/// The probability of 0 among so many zeros and ones, in 256ths: 1 to 255.
pub(crate) fn prob_of_zero(zeros: u32, ones: u32) -> u8 {
    let total = u64::from(zeros) + u64::from(ones);
    let prob = (256 * u64::from(zeros) + total / 2).checked_div(total).unwrap_or(255);
    prob.clamp(1, 255) as u8
}
