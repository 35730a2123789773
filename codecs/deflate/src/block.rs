//! Blocks: stored, with the fixed code, or with a code of their own, whichever is shortest (RFC 1951, 3.2.3).

use crate::bit_writer::BitWriter;
use crate::code_header::CodeHeader;
use crate::cost::{Costs, Price};
use crate::histogram::Histogram;
use crate::huffman;
use crate::symbols::{
    DISTANCES, END_OF_BLOCK, LITLENS, MAX_BITS, Token, distance_extra, length_extra, length_symbol,
};

/// Code lengths of the fixed code (3.2.6), with the two symbols that do not occur: they precede the codewords of nine bits.
const FIXED_LITLENS: [u8; 288] = {
    let mut lengths = [8; 288];
    let mut at = 144;
    while at < 280 {
        lengths[at] = if at < 256 { 9 } else { 7 };
        at += 1;
    }
    lengths
};
/// The longest stored block.
const MAX_STORED: usize = 0xFFFF;
/// A length that a symbol which does not occur is assumed to get in the next parse.
const ABSENT: u32 = 13;

/// A code for the symbols of a block, and how long the block becomes with it.
pub(crate) struct Code {
    litlens: [u8; LITLENS],
    distances: [u8; DISTANCES],
    header: CodeHeader,
    /// The symbols and their extra bits with this code, and with the fixed code.
    body: u64,
    fixed: u64,
}

impl Code {
    /// The best code for a histogram with the end of the block.
    pub(crate) fn new(histogram: &Histogram) -> Self {
        Self::shaped(histogram, histogram)
    }

    /// The code of a histogram, or that of a flattened one if its shorter header makes up for longer codewords.
    pub(crate) fn thorough(histogram: &Histogram) -> Self {
        let plain = Self::new(histogram);
        [3, 1]
            .into_iter()
            .map(|step| Self::shaped(&flattened(histogram, step), histogram))
            .fold(plain, |best, other| if other.bits() < best.bits() { other } else { best })
    }

    fn shaped(shape: &Histogram, histogram: &Histogram) -> Self {
        let (mut litlens, mut distances) = ([0; LITLENS], [0; DISTANCES]);
        huffman::lengths(&shape.litlens, MAX_BITS, &mut litlens);
        huffman::lengths(&shape.distances, MAX_BITS, &mut distances);
        let extra = histogram.extra_bits();
        let sum = |counts: &[u32], lengths: &[u8]| -> u64 {
            counts.iter().zip(lengths).map(|(count, length)| u64::from(*count) * u64::from(*length)).sum()
        };
        let body = extra + sum(&histogram.litlens, &litlens) + sum(&histogram.distances, &distances);
        let fixed =
            extra + sum(&histogram.litlens, &FIXED_LITLENS) + sum(&histogram.distances, &[5; DISTANCES]);
        Self { litlens, distances, header: CodeHeader::new(&litlens, &distances), body, fixed }
    }

    fn dynamic(&self) -> u64 {
        self.header.bits + self.body
    }

    /// The bits of the block, unless it is stored.
    pub(crate) fn bits(&self) -> u64 {
        3 + self.dynamic().min(self.fixed)
    }

    /// The costs of a next parse.
    pub(crate) fn costs<P: Price>(&self) -> Costs<P> {
        Costs::of_code(&self.litlens, &self.distances, ABSENT)
    }

    /// Writes the block. `raw` are the bytes that the tokens stand for.
    pub(crate) fn write(&self, tokens: &[Token], raw: &[u8], is_last: bool, out: &mut BitWriter) {
        let chunks = raw.len().div_ceil(MAX_STORED).max(1) as u64;
        let padding = u64::from((8 - (out.phase() + 3) % 8) % 8);
        let stored = 3 + padding + 32 + (chunks - 1) * 40 + 8 * raw.len() as u64;
        if stored <= self.bits() {
            return store(raw, is_last, out);
        }
        out.put(is_last.into(), 1);
        if self.fixed <= self.dynamic() {
            out.put(1, 2);
            return body(tokens, &Words::new(&FIXED_LITLENS, &[5; DISTANCES]), out);
        }
        out.put(2, 2);
        self.header.write(out);
        body(tokens, &Words::new(&self.litlens, &self.distances), out);
    }
}

/// Counts whose neighbors are made equal where they are close: equal lengths are repeated in the header.
fn flattened(histogram: &Histogram, step: u32) -> Histogram {
    let mut flat = histogram.clone();
    for counts in [&mut flat.litlens[..], &mut flat.distances[..]] {
        let mut start = 0;
        while start < counts.len() {
            let first = counts[start];
            let slack = first / (4 * step).max(1) + 1;
            let mut end = start + 1;
            while end < counts.len() && first > 0 && counts[end] > 0 && counts[end].abs_diff(first) <= slack {
                end += 1;
            }
            if end - start >= 4 {
                let mean = (counts[start..end].iter().sum::<u32>() / (end - start) as u32).max(1);
                counts[start..end].fill(mean);
            }
            start = end;
        }
    }
    flat
}

/// Codewords with their lengths in the upper half.
struct Words {
    litlens: [u32; LITLENS],
    distances: [u32; DISTANCES],
}

impl Words {
    fn new<const N: usize>(litlens: &[u8; N], distances: &[u8; DISTANCES]) -> Self {
        let (codes, far) = (huffman::codes(litlens), huffman::codes(distances));
        Self {
            litlens: std::array::from_fn(|at| u32::from(codes[at]) | u32::from(litlens[at]) << 16),
            distances: std::array::from_fn(|at| u32::from(far[at]) | u32::from(distances[at]) << 16),
        }
    }
}

/// The tokens and the end of the block.
fn body(tokens: &[Token], words: &Words, out: &mut BitWriter) {
    for token in tokens {
        match token.length() {
            0 => {
                let word = words.litlens[token.value() & 0xFF];
                out.put(word & 0xFFFF, word >> 16);
            }
            length => {
                let word = words.litlens[length_symbol(length)];
                let (bits, value) = length_extra(length);
                out.put(word & 0xFFFF | value << (word >> 16), (word >> 16) + bits);
                let word = words.distances[token.distance_symbol()];
                let (bits, value) = distance_extra(token.value());
                out.put(word & 0xFFFF | value << (word >> 16), (word >> 16) + bits);
            }
        }
    }
    let word = words.litlens[END_OF_BLOCK];
    out.put(word & 0xFFFF, word >> 16);
}

/// Stored blocks (3.2.4).
pub(crate) fn store(raw: &[u8], is_last: bool, out: &mut BitWriter) {
    let mut chunks = raw.chunks(MAX_STORED).peekable();
    loop {
        let chunk = chunks.next().unwrap_or_default();
        let ends = chunks.peek().is_none();
        out.put((is_last && ends).into(), 3);
        out.align();
        let length = chunk.len() as u16;
        out.bytes(&length.to_le_bytes());
        out.bytes(&(!length).to_le_bytes());
        out.bytes(chunk);
        if ends {
            break;
        }
    }
}
