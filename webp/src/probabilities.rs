//! Which tokens came, and the probabilities that code them with the fewest bits (RFC 6386, section 13).

use crate::cost;
use crate::residuals::{Block, Place, visit};
use crate::tables::TokenProbabilities;
use crate::tables::coefficients::{DEFAULTS, KEPT};

/// By kind of block, band, context and node: how often the bit was 0 and 1.
pub(crate) struct Counts(Box<[[[[[u32; 2]; 11]; 3]; 8]; 4]>);

impl Counts {
    pub(crate) fn new() -> Self {
        Self(Box::new([[[[[0; 2]; 11]; 3]; 8]; 4]))
    }

    /// Counts the bits of a block. What has a probability of its own in the format alone is not among them.
    #[inline]
    pub(crate) fn add(&mut self, block: &Block<'_>) {
        let of_kind = &mut self.0[block.kind];
        let count = |of_kind: &mut [[[[u32; 2]; 11]; 3]; 8], place: Place, bit| {
            of_kind[place.band][place.context][place.node][usize::from(bit)] += 1;
        };
        visit(block, of_kind, count, |_, _| {});
    }

    /// The probabilities for what was counted. One is only replaced where that saves more than saying so costs.
    pub(crate) fn probabilities(&self) -> TokenProbabilities {
        let mut probabilities = DEFAULTS;
        for (kind, bands) in self.0.iter().enumerate() {
            for (band, contexts) in bands.iter().enumerate() {
                for (context, nodes) in contexts.iter().enumerate() {
                    for (node, &counts) in nodes.iter().enumerate() {
                        let probability = &mut probabilities[kind][band][context][node];
                        *probability = choose(counts, *probability, KEPT[kind][band][context][node]);
                    }
                }
            }
        }
        probabilities
    }
}

fn choose(counts: [u32; 2], old: u8, kept: u8) -> u8 {
    let costs = cost::bits();
    let price = |probability: u8| {
        let of = |bit: usize| u64::from(counts[bit]) * u64::from(costs[bit][usize::from(probability)]);
        of(0) + of(1)
    };
    let new = share(counts[0], counts[1]);
    let keeping = price(old) + u64::from(costs[0][usize::from(kept)]);
    let replacing = price(new) + u64::from(costs[1][usize::from(kept)]) + 8 * 256;
    if replacing < keeping { new } else { old }
}

/// The probability of what came `zeros` times beside `ones` of the other: 1 to 255.
pub(crate) fn share(zeros: u32, ones: u32) -> u8 {
    let total = u64::from(zeros) + u64::from(ones);
    let share = (256 * u64::from(zeros) + total / 2).checked_div(total).unwrap_or(255);
    share.clamp(1, 255) as u8
}
