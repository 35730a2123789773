//! Estimates what bytes will cost after others, without coding them: for callers who choose among several forms of the same data.
//! `filepress-png` compares the filters of a row by it (`filter_strategy.rs`).

use crate::block::Code;
use crate::cost::Costs;
use crate::histogram::Histogram;
use crate::lanes::common_length;
use crate::lazy::Lazy;
use crate::match_finder::{FIRST, View, hash, word};
use crate::symbols::{END_OF_BLOCK, LITLENS, MAX_LENGTH, Token, WINDOW};

const BITS: u32 = 14;
/// At so many symbols all counts are halved, so that recent ones weigh more.
const MEMORY: u32 = 1 << 15;
/// What is kept before it is cut to a window.
const MOST: usize = 4 * WINDOW;

/// The costs of literals by their frequencies so far, for data with few matches.
pub struct LiteralCosts {
    counts: [u32; 256],
    costs: [u16; 256],
}

impl Default for LiteralCosts {
    fn default() -> Self {
        let counts = std::array::from_fn(|byte| prior(byte as u8));
        Self { counts, costs: literals(&counts) }
    }
}

/// Small differences are frequent.
fn prior(byte: u8) -> u32 {
    1 + 64 / (1 + u32::from(byte.cast_signed().unsigned_abs()))
}

fn literals(counts: &[u32; 256]) -> [u16; 256] {
    let mut histogram = Histogram::EMPTY;
    histogram.litlens[..256].copy_from_slice(counts);
    Costs::of(&histogram).literals
}

impl LiteralCosts {
    /// Assumes that small differences are frequent.
    pub fn new() -> Self {
        Self::default()
    }

    /// The cost of bytes, in 1/256 bit.
    pub fn cost(&self, bytes: &[u8]) -> u64 {
        let blocks = bytes.chunks(1 << 16);
        blocks
            .map(|block| {
                u64::from(block.iter().map(|byte| u32::from(self.costs[usize::from(*byte)])).sum::<u32>())
            })
            .sum()
    }

    /// Adds bytes to the frequencies.
    pub fn commit(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.counts[usize::from(*byte)] += 1);
        while self.counts.iter().sum::<u32>() > 2 * MEMORY {
            self.counts.iter_mut().for_each(|count| *count -= *count / 2);
        }
        self.costs = literals(&self.counts);
    }
}

/// The costs of bytes as literals and matches of a fast parse, after those before.
pub struct Estimator {
    last: Box<[u32; 1 << BITS]>,
    /// Entries of `last` that a trial has overwritten.
    undo: Vec<(u16, u32)>,
    buffer: Vec<u8>,
    base: u32,
    histogram: Histogram,
    costs: Costs,
}

impl Default for Estimator {
    fn default() -> Self {
        let mut histogram = Histogram::EMPTY;
        for byte in 0..=u8::MAX {
            histogram.litlens[usize::from(byte)] = prior(byte);
        }
        histogram.litlens[END_OF_BLOCK + 1..LITLENS].fill(4);
        histogram.distances.fill(4);
        Self {
            last: Box::new([0; 1 << BITS]),
            undo: Vec::new(),
            buffer: Vec::new(),
            base: FIRST,
            costs: Costs::of(&histogram),
            histogram,
        }
    }
}

impl Estimator {
    /// Starts without bytes before.
    pub fn new() -> Self {
        Self::default()
    }

    /// The cost of bytes, in 1/256 bit, or any number from `limit` on if it is not below that.
    pub fn cost(&mut self, bytes: &[u8], limit: u64) -> u64 {
        let start = self.buffer.len();
        self.buffer.extend_from_slice(bytes);
        let mut cost = 0;
        self.parse(start, |costs, token| {
            cost += price(costs, token);
            cost < limit
        });
        self.buffer.truncate(start);
        while let Some((at, before)) = self.undo.pop() {
            self.last[usize::from(at)] = before;
        }
        cost
    }

    /// Adds bytes to those before.
    pub fn commit(&mut self, bytes: &[u8]) {
        if self.buffer.len() > MOST {
            let passed = self.buffer.len() - WINDOW;
            self.buffer.drain(..passed);
            self.base = self.base.wrapping_add(passed as u32);
        }
        let start = self.buffer.len();
        self.buffer.extend_from_slice(bytes);
        let mut histogram = std::mem::replace(&mut self.histogram, Histogram::EMPTY);
        self.parse(start, |_, token| {
            histogram.add(token);
            true
        });
        self.undo.clear();
        if histogram.litlens.iter().sum::<u32>() > MEMORY {
            histogram.halve();
        }
        self.costs = Costs::of(&histogram);
        self.histogram = histogram;
    }

    /// Hands over tokens for the bytes from `start` on until `take` says that it has enough.
    fn parse(&mut self, start: usize, mut take: impl FnMut(&Costs, Token) -> bool) {
        let view = View { data: &self.buffer, base: self.base };
        let data = view.data;
        let (mut at, mut goes_on) = (start, true);
        while goes_on && at < data.len() {
            let literal = Token::literal(data[at]);
            let Some(first) = word(data, at) else {
                goes_on = take(&self.costs, literal);
                at += 1;
                continue;
            };
            let (position, slot) = (view.position(at), hash::<BITS>(first));
            let before = std::mem::replace(&mut self.last[slot], position);
            self.undo.push((slot as u16, before));
            let distance = position.wrapping_sub(before) as usize;
            let place = at.wrapping_sub(distance);
            if distance < WINDOW && word(data, place) == Some(first) {
                let length = common_length(data, at, place, 4, (data.len() - at).min(MAX_LENGTH));
                goes_on = take(&self.costs, Token::matching(length, distance));
                at += length;
            } else {
                goes_on = take(&self.costs, literal);
                at += 1;
            }
        }
    }
}

/// The size of the last bytes and of those that may follow, as one block of a lazy parse: what [`Estimator`] guesses, and how statistics
/// that differ from place to place are coded.
pub struct BlockEstimator {
    /// How many of the last bytes count.
    most: usize,
    buffer: Vec<u8>,
    tokens: Vec<Token>,
}

impl BlockEstimator {
    /// Starts without bytes before. Later, the last `most` bytes count.
    pub fn new(most: usize) -> Self {
        Self { most, buffer: Vec::new(), tokens: Vec::new() }
    }

    /// The bits of the block if it goes on with these bytes.
    pub fn bits(&mut self, bytes: &[u8]) -> u64 {
        let start = self.buffer.len();
        self.buffer.reserve_exact(bytes.len());
        self.buffer.extend_from_slice(bytes);
        let view = View { data: &self.buffer, base: FIRST };
        let (mut lazy, mut histogram, mut at) = (Lazy::new(), Histogram::EMPTY, 0);
        while at < view.data.len() {
            self.tokens.clear();
            at = lazy.parse(view, at, view.data.len().min(at + WINDOW), &mut self.tokens);
            self.tokens.iter().for_each(|token| histogram.add(*token));
        }
        self.buffer.truncate(start);
        Code::new(&histogram.ended()).bits()
    }

    /// Adds bytes to those before.
    pub fn commit(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        let passed = self.buffer.len().saturating_sub(self.most);
        self.buffer.drain(..passed);
    }
}

#[inline(always)]
fn price(costs: &Costs, token: Token) -> u64 {
    u64::from(match token.length() {
        0 => costs.literals[token.value() & 0xFF],
        length => costs.lengths[length] + costs.distance(token),
    })
}
