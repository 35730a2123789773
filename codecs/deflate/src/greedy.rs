//! The fast parse: one candidate for each place, the first match is taken.

use crate::lanes::common_length;
use crate::match_finder::{View, hash, word};
use crate::symbols::{MAX_LENGTH, Token, WINDOW};

const BITS: u32 = 15;
/// After 2 to the power of this many places without a match, every second is skipped, and so on.
const PATIENCE: u32 = 6;

pub(crate) struct Greedy {
    last: Box<[u32; 1 << BITS]>,
}

impl Greedy {
    pub(crate) fn new() -> Self {
        Self { last: Box::new([0; 1 << BITS]) }
    }

    /// Appends tokens for the bytes from `start` to `end` and perhaps beyond. Returns where they end.
    pub(crate) fn parse(
        &mut self,
        view: View<'_>,
        start: usize,
        end: usize,
        tokens: &mut Vec<Token>,
    ) -> usize {
        let data = view.data;
        let (mut at, mut misses) = (start, 0_u32);
        while at < end {
            let Some(first) = word(data, at) else {
                tokens.extend(data[at..].iter().map(|byte| Token::literal(*byte)));
                return data.len();
            };
            let position = view.position(at);
            let entry = &mut self.last[hash::<BITS>(first)];
            let distance = position.wrapping_sub(std::mem::replace(entry, position)) as usize;
            let place = at.wrapping_sub(distance);
            if distance < WINDOW && word(data, place) == Some(first) {
                let length = common_length(data, at, place, 4, (data.len() - at).min(MAX_LENGTH));
                tokens.push(Token::matching(length, distance));
                // The last places of the match are known to what follows.
                at += length;
                if let Some(word) = word(data, at - 2) {
                    self.last[hash::<BITS>(word)] = view.position(at - 2);
                }
                misses = 0;
                continue;
            }
            let skipped = (1 + (misses >> PATIENCE) as usize).min(data.len() - at);
            tokens.extend(data[at..at + skipped].iter().map(|byte| Token::literal(*byte)));
            at += skipped;
            misses += 1;
        }
        at
    }
}
