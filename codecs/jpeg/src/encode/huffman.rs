//! Huffman tables with the fewest bits for given symbols, no code longer than 16 bits (ITU-T T.81, annexes C and K.2; lengths by
//! package-merge, Larmore and Hirschberg 1990).

/// The longest code that JPEG has.
const MAX_LENGTH: usize = 16;

/// The number of a symbol that does not occur.
const LAST: usize = 256;

/// Symbols by their frequency.
pub(crate) type Counts = [u32; 256];

/// A table as DHT has it, with the code of each symbol.
#[derive(Clone)]
pub(crate) struct HuffmanTable {
    /// Codes of each length from 1 to 16.
    pub(crate) counts: [u8; MAX_LENGTH],
    /// Symbols by the length of their codes.
    pub(crate) symbols: Vec<u8>,
    /// The length of each symbol's code; 0 where there is none.
    pub(crate) lengths: [u8; 256],
    /// The code of each symbol, in its lowest bits.
    pub(crate) codes: [u16; 256],
}

impl HuffmanTable {
    /// The table that codes these symbols with the fewest bits. One symbol at least has a code.
    pub(crate) fn optimal(counts: &Counts) -> Self {
        // As one number each: the count, and behind it the symbol in falling order.
        let mut symbols: Vec<u64> = (0..256)
            .filter(|&symbol| counts[symbol] > 0)
            .map(|symbol| u64::from(counts[symbol]) << 16 | (LAST - symbol) as u64)
            .collect();
        if symbols.is_empty() {
            symbols.push(1 << 16 | LAST as u64);
        }
        // The code of ones alone is not allowed: the last of the longest, which nothing stands for.
        symbols.push(0);
        symbols.sort_unstable();
        let weights: Vec<u64> = symbols.iter().map(|symbol| symbol >> 16).collect();
        let mut lengths = [0; LAST + 1];
        for (symbol, length) in symbols.iter().zip(limited_lengths(&weights)) {
            lengths[LAST - (symbol & 0xFFFF) as usize] = length;
        }
        Self::new(&lengths)
    }

    fn new(lengths: &[u8; LAST + 1]) -> Self {
        let mut table =
            Self { counts: [0; MAX_LENGTH], symbols: Vec::new(), lengths: [0; 256], codes: [0; 256] };
        let mut code = 0_u32;
        for length in 1..=MAX_LENGTH {
            for (symbol, _) in lengths.iter().enumerate().filter(|&(_, &own)| usize::from(own) == length) {
                if symbol < LAST {
                    table.counts[length - 1] += 1;
                    table.symbols.push(symbol as u8);
                    table.lengths[symbol] = length as u8;
                    table.codes[symbol] = code as u16;
                }
                code += 1;
            }
            code <<= 1;
        }
        table
    }
}

/// A node of package-merge: a symbol, or two nodes of the list before.
#[derive(Clone, Copy)]
struct Node {
    weight: u64,
    /// Whether it is a symbol.
    leaf: bool,
}

/// The lengths of codes for weights in rising order, two at least.
fn limited_lengths(weights: &[u64]) -> Vec<u8> {
    let leaves: Vec<Node> = weights.iter().map(|&weight| Node { weight, leaf: true }).collect();
    let mut lists: Vec<Vec<Node>> = vec![leaves.clone()];
    for _ in 1..MAX_LENGTH {
        let before = lists.last().map_or(&[][..], Vec::as_slice);
        let packages =
            before.as_chunks::<2>().0.iter().map(|[a, b]| Node { weight: a.weight + b.weight, leaf: false });
        lists.push(merged(&leaves, packages));
    }
    let mut lengths = vec![0; weights.len()];
    let mut taken = 2 * (weights.len() - 1);
    for list in lists.iter().rev() {
        let leaves = list[..taken].iter().filter(|node| node.leaf).count();
        lengths[..leaves].iter_mut().for_each(|length| *length += 1);
        taken = 2 * (taken - leaves);
    }
    lengths
}

fn merged(leaves: &[Node], packages: impl Iterator<Item = Node>) -> Vec<Node> {
    let mut list = Vec::with_capacity(2 * leaves.len());
    let mut leaves = leaves.iter().copied().peekable();
    for package in packages {
        while let Some(leaf) = leaves.next_if(|leaf| leaf.weight <= package.weight) {
            list.push(leaf);
        }
        list.push(package);
    }
    list.extend(leaves);
    list
}

/// The bits of all symbols in a Huffman code: the sum of the weights of its inner nodes. That no code is longer than 16 bits is
/// left aside.
pub(crate) fn code_bits(weights: &mut [u64]) -> u64 {
    weights.sort_unstable();
    let mut inner = Vec::with_capacity(weights.len());
    let (mut leaf, mut node, mut sum) = (0, 0, 0);
    for _ in 1..weights.len() {
        let mut least = || match (weights.get(leaf), inner.get(node)) {
            (Some(&weight), other) if other.is_none_or(|&other| weight <= other) => {
                leaf += 1;
                weight
            }
            (_, Some(&weight)) => {
                node += 1;
                weight
            }
            _ => 0,
        };
        let weight = least() + least();
        inner.push(weight);
        sum += weight;
    }
    sum
}
