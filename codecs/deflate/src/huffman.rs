//! Huffman codes of limited length.

/// Bit lengths of an optimal prefix code whose codewords have at most `limit` bits: Huffman's algorithm, and where that is too
/// long, package-merge (Larmore and Hirschberg, "A fast algorithm for optimal length-limited Huffman codes", 1990).
///
/// Symbols that do not occur get 0. A single symbol gets 1.
pub(crate) fn lengths(counts: &[u32], limit: u32, lengths: &mut [u8]) {
    lengths.fill(0);
    let mut used: Vec<u64> = (0_u64..)
        .zip(counts)
        .filter(|(_, count)| **count > 0)
        .map(|(at, count)| u64::from(*count) << 16 | at)
        .collect();
    used.sort_unstable();
    let weights: Vec<u64> = used.iter().map(|key| key >> 16).collect();
    let depths = match weights.len() {
        0 => return,
        1 => vec![1],
        _ => unlimited(&weights)
            .filter(|depths| u32::from(depths[0]) <= limit)
            .unwrap_or_else(|| limited(&weights, limit)),
    };
    for (key, depth) in used.iter().zip(depths) {
        lengths[(key & 0xFFFF) as usize] = depth;
    }
}

/// The depths of Huffman's tree for weights in ascending order. `None` if one exceeds 255.
fn unlimited(weights: &[u64]) -> Option<Vec<u8>> {
    let leaves = weights.len();
    // Leaves first, then inner nodes, which arise in ascending order too.
    let mut nodes = weights.to_vec();
    let mut parents = vec![0_usize; 2 * leaves - 1];
    let (mut leaf, mut inner) = (0, leaves);
    while nodes.len() < 2 * leaves - 1 {
        let parent = nodes.len();
        let mut sum = 0;
        for _ in 0..2 {
            let takes_leaf = leaf < leaves && (inner >= parent || nodes[leaf] <= nodes[inner]);
            let next = if takes_leaf { &mut leaf } else { &mut inner };
            sum += nodes[*next];
            parents[*next] = parent;
            *next += 1;
        }
        nodes.push(sum);
    }
    let mut depths = vec![0_u8; 2 * leaves - 1];
    for at in (0..2 * leaves - 2).rev() {
        depths[at] = depths[parents[at]].checked_add(1)?;
    }
    depths.truncate(leaves);
    Some(depths)
}

/// Package-merge for weights in ascending order.
fn limited(weights: &[u64], limit: u32) -> Vec<u8> {
    // For each level, which entries of its sorted list are leaves; the others are pairs of the level below.
    let mut levels = vec![vec![true; weights.len()]];
    let mut list = weights.to_vec();
    for _ in 1..limit {
        let packages: Vec<u64> = list.chunks_exact(2).map(|pair| pair[0] + pair[1]).collect();
        let (mut leaves, mut pairs) = (weights.iter().peekable(), packages.iter().peekable());
        let mut flags = Vec::with_capacity(weights.len() + packages.len());
        list.clear();
        loop {
            let is_leaf = match (leaves.peek(), pairs.peek()) {
                (Some(leaf), Some(pair)) => leaf <= pair,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            list.extend(if is_leaf { leaves.next() } else { pairs.next() });
            flags.push(is_leaf);
        }
        levels.push(flags);
    }
    let mut depths = vec![0; weights.len()];
    let mut taken = 2 * weights.len() - 2;
    for flags in levels.iter().rev() {
        let leaves = flags.iter().take(taken).filter(|is_leaf| **is_leaf).count();
        depths.iter_mut().take(leaves).for_each(|depth| *depth += 1);
        taken = 2 * (taken - leaves);
    }
    depths
}

/// The codewords of these lengths (RFC 1951, 3.2.2), bit-reversed: Huffman codes start with their highest bit.
pub(crate) fn codes<const N: usize>(lengths: &[u8; N]) -> [u16; N] {
    let mut next = [0_u32; 17];
    for length in lengths.iter().filter(|length| **length > 0) {
        next[usize::from(*length) + 1] += 1;
    }
    for length in 1..17 {
        next[length] = (next[length] + next[length - 1]) << 1;
    }
    let mut codes = [0; N];
    for (code, &length) in codes.iter_mut().zip(lengths).filter(|(_, length)| **length > 0) {
        let first = &mut next[usize::from(length)];
        *code = (*first as u16).reverse_bits() >> (16 - u32::from(length));
        *first += 1;
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(counts: &[u32], lengths: &[u8]) -> u64 {
        counts.iter().zip(lengths).map(|(count, length)| u64::from(*count) * u64::from(*length)).sum()
    }

    #[test]
    fn a_limited_code_is_complete_and_within_its_limit() {
        // Fibonacci numbers make the deepest tree.
        let mut counts = vec![1_u32, 1];
        while counts.len() < 30 {
            counts.push(counts[counts.len() - 1] + counts[counts.len() - 2]);
        }
        let mut found = [0; 30];
        for limit in [5, 7, 10, 15, 29] {
            lengths(&counts, limit, &mut found);
            assert!(found.iter().all(|length| (1..=limit).contains(&u32::from(*length))));
            let kraft: u64 = found.iter().map(|length| 1 << (32 - u32::from(*length))).sum();
            assert_eq!(kraft, 1 << 32, "limit {limit}");
        }
    }

    #[test]
    fn both_algorithms_agree_where_the_limit_does_not_bind() {
        let counts: Vec<u32> = (0..200_u32).map(|at| (at * 7919 + 13) % 1009 + 1).collect();
        let mut sorted: Vec<u64> = counts.iter().map(|count| u64::from(*count)).collect();
        sorted.sort_unstable();
        let counts: Vec<u32> = sorted.iter().map(|count| *count as u32).collect();
        let free = unlimited(&sorted).expect("a shallow tree");
        assert_eq!(total(&counts, &free), total(&counts, &limited(&sorted, 15)));
    }

    #[test]
    fn codes_are_those_of_the_example_in_the_rfc() {
        let codes = codes(&[3, 3, 3, 3, 3, 2, 4, 4]);
        let expected = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111_u16];
        let lengths = [3, 3, 3, 3, 3, 2, 4, 4];
        for ((code, expected), length) in codes.iter().zip(expected).zip(lengths) {
            assert_eq!(code.reverse_bits() >> (16 - length), expected);
        }
    }
}
