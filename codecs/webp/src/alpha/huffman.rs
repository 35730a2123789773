//! Prefix codes (RFC 9649, section 3.7.2): canonical Huffman codes of limited length, and how their lengths are written.

use super::bit_writer::BitWriter;

/// The longest code of a symbol, and of a code length.
const MAX_LENGTH: usize = 15;
const MAX_LENGTH_OF_LENGTHS: usize = 7;
/// `kCodeLengthCodeOrder`.
const CODE_LENGTH_ORDER: [usize; 19] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// Code length symbols that repeat: the previous length, or zero for a short or a long run.
const REPEAT_PREVIOUS: usize = 16;
const REPEAT_ZERO_SHORT: usize = 17;
const REPEAT_ZERO_LONG: usize = 18;

/// By symbol: the bits of its code, first bit lowest, and their number.
pub(super) struct HuffmanCode(Vec<(u16, u8)>);

impl HuffmanCode {
    /// Builds the code of a histogram and writes it. The code of a single symbol takes no bits.
    pub(super) fn write_code(counts: &[u32], out: &mut BitWriter) -> Self {
        let mut used = counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(symbol, _)| symbol);
        let (first, second, third) = (used.next(), used.next(), used.next());
        if third.is_none() && first.max(second).is_none_or(|symbol| symbol < 256) {
            return Self::write_simple(counts.len(), first.unwrap_or(0), second, out);
        }
        let mut counts = counts.to_vec();
        if second.is_none() {
            // A normal code needs two symbols.
            counts[0] = counts[0].max(1);
        }
        let lengths = limited_lengths(&counts, MAX_LENGTH);
        write_lengths(&lengths, out);
        Self::canonical(&lengths)
    }

    /// A simple code length code: one or two symbols by their numbers.
    fn write_simple(alphabet: usize, first: usize, second: Option<usize>, out: &mut BitWriter) -> Self {
        out.write(1, 1);
        out.write(u32::from(second.is_some()), 1);
        let is_first_8bits = first > 1;
        out.write(u32::from(is_first_8bits), 1);
        out.write(first as u32, if is_first_8bits { 8 } else { 1 });
        let mut codes = vec![(0, 0); alphabet];
        if let Some(second) = second {
            out.write(second as u32, 8);
            codes[first] = (0, 1);
            codes[second] = (1, 1);
        }
        Self(codes)
    }

    /// Codes in the order of length, then symbol.
    fn canonical(lengths: &[u8]) -> Self {
        let mut codes = vec![(0, 0); lengths.len()];
        let mut next = 0_u16;
        for length in 1..=MAX_LENGTH as u8 {
            next <<= 1;
            for (code, _) in codes.iter_mut().zip(lengths).filter(|(_, own)| **own == length) {
                *code = (next.reverse_bits() >> (16 - length), length);
                next = next.wrapping_add(1);
            }
        }
        Self(codes)
    }

    #[inline]
    pub(super) fn write(&self, symbol: usize, out: &mut BitWriter) {
        let (code, length) = self.0[symbol];
        out.write(u32::from(code), u32::from(length));
    }
}

/// Huffman code lengths of at most `max`. Rare symbols have the longest codes, so their counts are raised until all fit.
fn limited_lengths(counts: &[u32], max: usize) -> Vec<u8> {
    let mut min_count = 1;
    loop {
        let lengths = huffman_lengths(counts, min_count);
        if lengths.iter().all(|length| usize::from(*length) <= max) {
            return lengths;
        }
        min_count *= 2;
    }
}

/// Code lengths without a limit. Symbols that occur count at least as `min_count`.
fn huffman_lengths(counts: &[u32], min_count: u32) -> Vec<u8> {
    let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    // Count and symbol in one number: sorting it takes less code than sorting pairs.
    let mut leaves: Vec<u64> =
        used.map(|(symbol, &count)| u64::from(count.max(min_count)) << 32 | symbol as u64).collect();
    leaves.sort_unstable();
    let leaves: Vec<(u32, usize)> =
        leaves.into_iter().map(|leaf| ((leaf >> 32) as u32, leaf as u32 as usize)).collect();
    // Nodes of the tree: the leaves, then inner nodes, which are created in ascending order of weight.
    let mut weights: Vec<u64> = leaves.iter().map(|(count, _)| u64::from(*count)).collect();
    let mut parents = vec![0; leaves.len()];
    let (mut leaf, mut inner) = (0, leaves.len());
    for _ in 1..leaves.len() {
        let node = weights.len();
        let mut weight = 0;
        for _ in 0..2 {
            let takes_leaf = leaf < leaves.len() && (inner >= node || weights[leaf] <= weights[inner]);
            let child = if takes_leaf { &mut leaf } else { &mut inner };
            weight += weights[*child];
            parents[*child] = node;
            *child += 1;
        }
        weights.push(weight);
        parents.push(0);
    }
    let mut depths = vec![0_u8; weights.len()];
    for node in (0..weights.len().saturating_sub(1)).rev() {
        depths[node] = depths[parents[node]].saturating_add(1);
    }
    let mut lengths = vec![0; counts.len()];
    for ((_, symbol), depth) in leaves.iter().zip(depths) {
        lengths[*symbol] = depth;
    }
    lengths
}

/// A normal code length code: the lengths, run-length coded, under a prefix code of their own.
fn write_lengths(lengths: &[u8], out: &mut BitWriter) {
    let symbols = run_lengths(lengths);
    let mut counts = [0; 19];
    for (symbol, _, _) in &symbols {
        counts[*symbol] += 1;
    }
    if counts.iter().filter(|count| **count > 0).count() < 2 {
        // A code of one symbol has no bits, which some decoders have refused.
        counts[if counts[0] > 0 { 1 } else { 0 }] += 1;
    }
    let own = limited_lengths(&counts, MAX_LENGTH_OF_LENGTHS);
    let code = HuffmanCode::canonical(&own);
    let last = CODE_LENGTH_ORDER.iter().rposition(|symbol| own[*symbol] > 0);
    let num_code_lengths = last.map_or(4, |last| (last + 1).max(4));
    out.write(0, 1);
    out.write(num_code_lengths as u32 - 4, 4);
    for symbol in &CODE_LENGTH_ORDER[..num_code_lengths] {
        out.write(u32::from(own[*symbol]), 3);
    }
    // max_symbol is the size of the alphabet.
    out.write(0, 1);
    for (symbol, extra, extra_bits) in symbols {
        code.write(symbol, out);
        out.write(extra, extra_bits);
    }
}

/// Code length symbols, each with its extra bits and their number.
fn run_lengths(lengths: &[u8]) -> Vec<(usize, u32, u32)> {
    let mut symbols = Vec::new();
    let mut at = 0;
    while at < lengths.len() {
        let length = lengths[at];
        let mut run = lengths[at..].iter().take_while(|other| **other == length).count();
        at += run;
        if length > 0 {
            symbols.push((usize::from(length), 0, 0));
            run -= 1;
        }
        while run > 0 {
            let (symbol, min, max, extra_bits) = match (length, run) {
                (0, 11..) => (REPEAT_ZERO_LONG, 11, 138, 7),
                (0, 3..) => (REPEAT_ZERO_SHORT, 3, 10, 3),
                (1.., 3..) => (REPEAT_PREVIOUS, 3, 6, 2),
                _ => (usize::from(length), 1, 1, 0),
            };
            let taken = run.min(max);
            symbols.push((symbol, (taken - min) as u32, extra_bits));
            run -= taken;
        }
    }
    symbols
}
