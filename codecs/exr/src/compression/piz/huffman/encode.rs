//! Builds Huffman codes for words (Huffman 1952) and writes them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::bits::BitWriter;
use super::{LEAST_LONG_RUN, LONG_RUN, LONGEST, SHORT_RUN, SYMBOLS, first_codes};

/// The longest run that a code and its 8 bits say.
const LONGEST_RUN: usize = 255;

/// The stream of at least one word.
///
/// The words are fewer than 2³²: no code is longer than 46 bits then.
pub(in super::super) fn encode(words: &[u16]) -> Vec<u8> {
    let mut counts = vec![0_u64; SYMBOLS];
    words.iter().for_each(|&word| counts[usize::from(word)] += 1);
    let first = counts.iter().position(|&count| count > 0).unwrap_or(0);
    let run = counts.iter().rposition(|&count| count > 0).unwrap_or(0) + 1;
    counts[run] = 1;
    let lengths = lengths(&counts);
    let codes = codes(&lengths);

    let mut table = BitWriter::default();
    write_lengths(&lengths[first..=run], &mut table);
    let table = table.finish();
    let mut data = BitWriter::default();
    for same in words.chunk_by(|a, b| a == b) {
        for piece in same.chunks(LONGEST_RUN + 1) {
            let (symbol, times) = (usize::from(piece[0]), piece.len() - 1);
            let (length, run_length) = (u32::from(lengths[symbol]), u32::from(lengths[run]));
            data.push(codes[symbol], length);
            if run_length + 8 < length * times as u32 {
                data.push(codes[run], run_length);
                data.push(times as u64, 8);
            } else {
                (0..times).for_each(|_| data.push(codes[symbol], length));
            }
        }
    }
    let bits = data.bits();
    let mut out = Vec::new();
    for number in [first, run, table.len(), bits, 0] {
        out.extend((number as u32).to_le_bytes());
    }
    out.extend(table);
    out.extend(data.finish());
    out
}

/// The lengths of the codes of symbols that occur so often. 0 for those that do not occur.
fn lengths(counts: &[u64]) -> Vec<u8> {
    let leaves = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
    let mut heap: BinaryHeap<_> = leaves.map(|(symbol, &count)| Reverse((count, symbol))).collect();
    // Nodes follow the symbols; a node is made after those below it.
    let mut above = vec![0_u32; SYMBOLS + heap.len()];
    let mut node = SYMBOLS;
    while let (Some(Reverse((a_count, a))), Some(Reverse((b_count, b)))) = (heap.pop(), heap.pop()) {
        (above[a], above[b]) = (node as u32, node as u32);
        heap.push(Reverse((a_count + b_count, node)));
        node += 1;
    }
    let mut depths = vec![0_u8; SYMBOLS + above.len()];
    // The last node is the root.
    for below in (0..node - 1).rev() {
        if above[below] != 0 {
            depths[below] = depths[above[below] as usize] + 1;
        }
    }
    depths.truncate(SYMBOLS);
    depths
}

fn codes(lengths: &[u8]) -> Vec<u64> {
    let mut counts = [0; LONGEST + 1];
    lengths.iter().for_each(|&length| counts[usize::from(length)] += 1);
    let mut next = first_codes(&counts);
    let code = |&length: &u8| {
        let code = next[usize::from(length)];
        next[usize::from(length)] += 1;
        code
    };
    lengths.iter().map(code).collect()
}

fn write_lengths(lengths: &[u8], out: &mut BitWriter) {
    for same in lengths.chunk_by(|a, b| a == b) {
        if same[0] > 0 {
            same.iter().for_each(|&length| out.push(u64::from(length), 6));
            continue;
        }
        for run in same.chunks(LEAST_LONG_RUN as usize + 255) {
            match run.len() as u32 {
                1 => out.push(0, 6),
                run @ ..LEAST_LONG_RUN => out.push(u64::from(SHORT_RUN + run - 2), 6),
                run => {
                    out.push(u64::from(LONG_RUN), 6);
                    out.push(u64::from(run - LEAST_LONG_RUN), 8);
                }
            }
        }
    }
}
