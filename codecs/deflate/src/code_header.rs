//! The header of a dynamic block: the code lengths, run-length coded and Huffman coded (RFC 1951, 3.2.7).

use crate::bit_writer::BitWriter;
use crate::huffman;
use crate::symbols::{DISTANCES, LITLENS};

/// The order in which the lengths of the code length code are stored.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/// Repeats the length before, 3 to 6 times.
const COPY: u8 = 16;
/// Repeats zero, 3 to 10 times.
const ZEROS: u8 = 17;
/// Repeats zero, 11 to 138 times.
const MANY_ZEROS: u8 = 18;
/// Costs settle after so many rounds.
const ROUNDS: usize = 3;
/// Costs of the first round, near what they usually become: bits of lengths, and of the three repetitions.
const FIRST_COSTS: [u32; 19] = [4, 7, 7, 7, 7, 6, 5, 4, 4, 4, 4, 5, 5, 6, 6, 7, 4, 5, 5];

/// A symbol of the code length code and the value of its extra bits.
type Step = (u8, u32);

/// A coded header.
pub(crate) struct CodeHeader {
    litlens: usize,
    distances: usize,
    steps: Vec<Step>,
    lengths: [u8; 19],
    /// The number of bits, from HLIT on.
    pub(crate) bits: u64,
}

impl CodeHeader {
    /// The shortest header found: a shortest path over repetitions for the costs of the code length code, and that code for the
    /// symbols of the path, in turn.
    pub(crate) fn new(litlens: &[u8; LITLENS], distances: &[u8; DISTANCES]) -> Self {
        let last = |lengths: &[u8], least: usize| {
            lengths.iter().rposition(|length| *length > 0).map_or(least, |at| least.max(at + 1))
        };
        let (litlen_count, distance_count) = (last(litlens, 257), last(distances, 1));
        let all = [&litlens[..litlen_count], &distances[..distance_count]].concat();
        let mut costs = FIRST_COSTS;
        let mut best: Option<Self> = None;
        for _ in 0..ROUNDS {
            let steps = shortest(&all, &costs);
            let mut counts = [0; 19];
            steps.iter().for_each(|(symbol, _)| counts[usize::from(*symbol)] += 1);
            let mut lengths = [0; 19];
            huffman::lengths(&counts, 7, &mut lengths);
            let stored =
                ORDER.iter().rposition(|&symbol| lengths[symbol] > 0).map_or(4, |at| (at + 1).max(4));
            let coded: u32 = steps
                .iter()
                .map(|(symbol, _)| u32::from(lengths[usize::from(*symbol)]) + extra(*symbol))
                .sum();
            let bits = 5 + 5 + 4 + 3 * stored as u64 + u64::from(coded);
            if best.as_ref().is_some_and(|best| best.bits <= bits) {
                break;
            }
            for (cost, length) in costs.iter_mut().zip(lengths) {
                *cost = if length == 0 { 7 } else { u32::from(length) };
            }
            best = Some(Self { litlens: litlen_count, distances: distance_count, steps, lengths, bits });
        }
        best.unwrap_or(Self {
            litlens: 257,
            distances: 1,
            steps: Vec::new(),
            lengths: [0; 19],
            bits: u64::MAX,
        })
    }

    pub(crate) fn write(&self, out: &mut BitWriter) {
        out.put(self.litlens as u32 - 257, 5);
        out.put(self.distances as u32 - 1, 5);
        let stored =
            ORDER.iter().rposition(|&symbol| self.lengths[symbol] > 0).map_or(4, |at| (at + 1).max(4));
        out.put(stored as u32 - 4, 4);
        ORDER[..stored].iter().for_each(|&symbol| out.put(self.lengths[symbol].into(), 3));
        let codes = huffman::codes(&self.lengths);
        for &(symbol, value) in &self.steps {
            out.put(codes[usize::from(symbol)].into(), self.lengths[usize::from(symbol)].into());
            out.put(value, extra(symbol));
        }
    }
}

/// The number of extra bits of a symbol.
fn extra(symbol: u8) -> u32 {
    match symbol {
        COPY => 2,
        ZEROS => 3,
        MANY_ZEROS => 7,
        _ => 0,
    }
}

/// The cheapest way to write the lengths.
fn shortest(lengths: &[u8], costs: &[u32; 19]) -> Vec<Step> {
    // From the end: the cost of the rest, and the first step with the number of lengths that it covers.
    let mut rest = vec![(0_u32, (0_u8, 0_u32), 0_usize); lengths.len() + 1];
    let mut run = 0;
    for at in (0..lengths.len()).rev() {
        let length = lengths[at];
        run = if lengths.get(at + 1) == Some(&length) { run + 1 } else { 1 };
        let mut best = (costs[usize::from(length)] + rest[at + 1].0, (length, 0), 1);
        let mut offer = |symbol: u8, least: usize, most: usize| {
            let price = costs[usize::from(symbol)] + extra(symbol);
            for count in least..=most.min(run) {
                let cost = price + rest[at + count].0;
                if cost < best.0 {
                    best = (cost, (symbol, (count - least) as u32), count);
                }
            }
        };
        if length == 0 {
            offer(ZEROS, 3, 10);
            offer(MANY_ZEROS, 11, 138);
        }
        if at > 0 && lengths[at - 1] == length {
            offer(COPY, 3, 6);
        }
        rest[at] = best;
    }
    let mut steps = Vec::new();
    let mut at = 0;
    while at < lengths.len() {
        steps.push(rest[at].1);
        at += rest[at].2.max(1);
    }
    steps
}
