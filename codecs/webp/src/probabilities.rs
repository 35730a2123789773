//! Which tokens came, and the probabilities that code them with the fewest bits (RFC 6386, section 13).

use crate::cost;
use crate::residuals::{Block, Place, visit};
use crate::tables::TokenProbabilities;
use crate::tables::coefficients::{DEFAULTS, KEPT};

/// By kind of block, band, context and node: how often the bit was 0 and 1.
pub(crate) struct Counts(Box<[OfKind; 4]>);

type OfKind = [[[[u32; 2]; 11]; 3]; 8];

impl Counts {
    pub(crate) fn new() -> Self {
        Self(Box::new([[[[[0; 2]; 11]; 3]; 8]; 4]))
    }

    /// Counts the bits of a block. What has a probability of its own in the format alone is not among them.
    #[inline]
    pub(crate) fn add(&mut self, block: &Block<'_>) {
        let of_kind = &mut self.0[block.kind];
        let count = |of_kind: &mut OfKind, place: Place, bit| {
            of_kind[place.band][place.context][place.node][usize::from(bit)] += 1;
        };
        visit(block, of_kind, count, |_, _| {});
    }

    /// The probabilities for what was counted. One is only replaced where that saves more than saying so costs.
    pub(crate) fn probabilities(&self) -> TokenProbabilities {
        let mut probabilities = DEFAULTS;
        let flat = probabilities.as_flattened_mut().as_flattened_mut().as_flattened_mut();
        for ((&counts, probability), kept) in self.nodes().iter().zip(flat).zip(nodes(&KEPT)) {
            *probability = choose(counts, *probability, *kept);
        }
        probabilities
    }

    /// What all of it costs, with telling the probabilities, in 256ths of a bit.
    pub(crate) fn price(&self, probabilities: &TokenProbabilities) -> u64 {
        let costs = cost::bits();
        let tables = nodes(probabilities).iter().zip(nodes(&DEFAULTS).iter().zip(nodes(&KEPT)));
        let each = self.nodes().iter().zip(tables).map(|(&counts, (&new, (&old, &kept)))| {
            let telling = u64::from(costs[usize::from(new != old)][usize::from(kept)]);
            price(counts, new) + telling + if new == old { 0 } else { 8 * 256 }
        });
        each.sum()
    }

    /// Both together.
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

fn nodes(table: &TokenProbabilities) -> &[u8] {
    table.as_flattened().as_flattened().as_flattened()
}

/// What so many zeros and ones cost, in 256ths of a bit.
pub(crate) fn price(counts: [u32; 2], probability: u8) -> u64 {
    let of = |bit: usize| u64::from(counts[bit]) * u64::from(cost::bits()[bit][usize::from(probability)]);
    of(0) + of(1)
}

fn choose(counts: [u32; 2], old: u8, kept: u8) -> u8 {
    let costs = cost::bits();
    let new = share(counts[0], counts[1]);
    let keeping = price(counts, old) + u64::from(costs[0][usize::from(kept)]);
    let replacing = price(counts, new) + u64::from(costs[1][usize::from(kept)]) + 8 * 256;
    if replacing < keeping { new } else { old }
}

/// The probability of what came `zeros` times beside `ones` of the other: 1 to 255.
pub(crate) fn share(zeros: u32, ones: u32) -> u8 {
    let total = u64::from(zeros) + u64::from(ones);
    let share = (256 * u64::from(zeros) + total / 2).checked_div(total).unwrap_or(255);
    share.clamp(1, 255) as u8
}
