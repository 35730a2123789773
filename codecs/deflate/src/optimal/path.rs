//! The cheapest way through the matches of a block.

use crate::cost::Costs;
use crate::optimal::match_cache::MatchCache;
use crate::symbols::Token;

#[derive(Default)]
pub(crate) struct Path {
    /// What the rest of the block costs from each place on.
    rest: Vec<u32>,
    /// The first token of the cheapest rest.
    choice: Vec<Token>,
}

impl Path {
    /// Replaces `tokens` by the cheapest ones for the bytes from `from` to `to`.
    pub(crate) fn find(
        &mut self,
        cache: &MatchCache,
        costs: &Costs,
        data: &[u8],
        from: usize,
        to: usize,
        tokens: &mut Vec<Token>,
    ) {
        let size = to - from;
        self.rest.clear();
        self.rest.resize(size + 1, 0);
        self.choice.clear();
        self.choice.resize(size, Token::literal(0));
        for at in (0..size).rev() {
            let byte = data[from + at];
            let (ahead, most) = (&self.rest[at..], size - at);
            let mut best = ahead[1] + costs.literals[usize::from(byte)];
            let mut choice = Token::literal(byte);
            let mut shorter = 2;
            for found in cache.of(from + at) {
                let length = found.length().min(most);
                let far = costs.distance(found.value());
                let lengths = costs.lengths.get(shorter + 1..=length).unwrap_or_default();
                let rests = ahead.get(shorter + 1..=length).unwrap_or_default();
                for (more, (length, rest)) in lengths.iter().zip(rests).enumerate() {
                    let cost = far + length + rest;
                    if cost < best {
                        best = cost;
                        choice = Token::matching(shorter + 1 + more, found.value());
                    }
                }
                shorter = length;
            }
            self.rest[at] = best;
            self.choice[at] = choice;
        }
        tokens.clear();
        let mut at = 0;
        while at < size {
            let token = self.choice[at];
            tokens.push(token);
            at += token.size();
        }
    }
}
