//! Prefix codes (RFC 9649, section 3.7.2): how long the code of each symbol is, and how that is told.

use super::bits::Bits;

/// The longest code of a symbol, and of a length of such a code.
const LONGEST: usize = 15;
const LONGEST_OF_LENGTHS: usize = 7;
/// The order in which the lengths of the codes of lengths are told.
const ORDER: [usize; 19] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// By symbol: the bits of its code, the lowest first, and how many these are.
pub(super) struct Codes(Vec<(u16, u8)>);

impl Codes {
    /// For symbols that come so often, and tells them. A symbol that is alone takes no bits.
    pub(super) fn told(counts: &[u32], out: &mut Bits) -> Self {
        let mut used = counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(symbol, _)| symbol);
        let (first, second, more) = (used.next(), used.next(), used.next());
        if more.is_none() && first.max(second).is_none_or(|symbol| symbol < 256) {
            return Self::few(counts.len(), first.unwrap_or(0), second, out);
        }
        let mut counts = counts.to_vec();
        if second.is_none() {
            // A code of one symbol can not be told here; another is added.
            counts[0] = counts[0].max(1);
        }
        let lengths = lengths(&counts, LONGEST);
        tell(&lengths, out);
        Self::of_lengths(&lengths)
    }

    /// One or two symbols are told by name.
    fn few(symbols: usize, first: usize, second: Option<usize>, out: &mut Bits) -> Self {
        out.write(1, 1);
        out.write(u32::from(second.is_some()), 1);
        let is_wide = first > 1;
        out.write(u32::from(is_wide), 1);
        out.write(first as u32, if is_wide { 8 } else { 1 });
        let mut codes = vec![(0, 0); symbols];
        if let Some(second) = second {
            out.write(second as u32, 8);
            codes[first] = (0, 1);
            codes[second] = (1, 1);
        }
        Self(codes)
    }

    /// Canonical: by length, then by symbol.
    fn of_lengths(lengths: &[u8]) -> Self {
        let mut codes = vec![(0, 0); lengths.len()];
        let mut next = 0_u16;
        for length in 1..=LONGEST as u8 {
            next <<= 1;
            for (code, _) in codes.iter_mut().zip(lengths).filter(|(_, own)| **own == length) {
                *code = (next.reverse_bits() >> (16 - length), length);
                next = next.wrapping_add(1);
            }
        }
        Self(codes)
    }

    #[inline]
    pub(super) fn write(&self, symbol: usize, out: &mut Bits) {
        let (code, length) = self.0[symbol];
        out.write(u32::from(code), u32::from(length));
    }
}

/// The lengths that need the fewest bits, none above `longest`.
fn lengths(counts: &[u32], longest: usize) -> Vec<u8> {
    let mut least = 1;
    loop {
        let lengths = huffman(counts, least);
        if lengths.iter().all(|length| usize::from(*length) <= longest) {
            return lengths;
        }
        // Rare symbols have the longest codes: they count as less rare.
        least *= 2;
    }
}

/// Without a limit; what comes at all counts at least as `least`.
fn huffman(counts: &[u32], least: u32) -> Vec<u8> {
    let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    // As one number each, which takes less code to sort than two.
    let mut leaves: Vec<u64> =
        used.map(|(symbol, &count)| u64::from(count.max(least)) << 32 | symbol as u64).collect();
    leaves.sort_unstable();
    let leaves: Vec<(u32, usize)> =
        leaves.into_iter().map(|leaf| ((leaf >> 32) as u32, leaf as u32 as usize)).collect();
    // Nodes of the tree: leaves first, then pairs in the order in which they are made, which is that of their counts.
    let mut weights: Vec<u64> = leaves.iter().map(|(count, _)| u64::from(*count)).collect();
    let mut parents = vec![0; leaves.len()];
    let (mut leaf, mut pair) = (0, leaves.len());
    for _ in 1..leaves.len() {
        let made = weights.len();
        let mut weight = 0;
        for _ in 0..2 {
            let takes_leaf = leaf < leaves.len() && (pair >= made || weights[leaf] <= weights[pair]);
            let child = if takes_leaf { &mut leaf } else { &mut pair };
            weight += weights[*child];
            parents[*child] = made;
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

/// Lengths themselves are coded: each, or how often one is repeated.
fn tell(lengths: &[u8], out: &mut Bits) {
    let steps = runs(lengths);
    let mut counts = [0; 19];
    for (symbol, _, _) in &steps {
        counts[*symbol] += 1;
    }
    if counts.iter().filter(|count| **count > 0).count() < 2 {
        // A code of one symbol has no bits, which not all decoders have been known to take.
        counts[if counts[0] > 0 { 1 } else { 0 }] += 1;
    }
    let own = lengths_of_lengths(&counts);
    let codes = Codes::of_lengths(&own);
    let told = ORDER.iter().rposition(|symbol| own[*symbol] > 0).map_or(4, |last| (last + 1).max(4));
    out.write(0, 1);
    out.write(told as u32 - 4, 4);
    for symbol in &ORDER[..told] {
        out.write(u32::from(own[*symbol]), 3);
    }
    // All symbols are told.
    out.write(0, 1);
    for (symbol, extra, bits) in steps {
        codes.write(symbol, out);
        out.write(extra, bits);
    }
}

fn lengths_of_lengths(counts: &[u32; 19]) -> Vec<u8> {
    lengths(counts, LONGEST_OF_LENGTHS)
}

/// Symbols with what follows each, and in how many bits.
fn runs(lengths: &[u8]) -> Vec<(usize, u32, u32)> {
    let mut steps = Vec::new();
    let mut at = 0;
    while at < lengths.len() {
        let length = lengths[at];
        let mut run = lengths[at..].iter().take_while(|other| **other == length).count();
        at += run;
        if length > 0 {
            steps.push((usize::from(length), 0, 0));
            run -= 1;
        }
        while run > 0 {
            let (symbol, least, most, bits) = match (length, run) {
                (0, 11..) => (18, 11, 138, 7),
                (0, 3..) => (17, 3, 10, 3),
                (1.., 3..) => (16, 3, 6, 2),
                _ => (usize::from(length), 1, 1, 0),
            };
            let taken = run.min(most);
            steps.push((symbol, (taken - least) as u32, bits));
            run -= taken;
        }
    }
    steps
}
