//! The cheapest way through the matches of a block.

use crate::cost::Costs;
use crate::optimal::match_cache::MatchCache;
use crate::symbols::{MIN_LENGTH, Token};

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
        let places = data[from..to].iter().enumerate().rev();
        for ((at, &byte), matches) in places.zip(cache.backwards(from, to)) {
            let ahead = &self.rest[at..];
            let most = ahead.len() - 1;
            let mut best = ahead[1] + costs.literals[usize::from(byte)];
            let mut choice = Token::literal(byte);
            let mut length = MIN_LENGTH;
            for &found in matches {
                let far = costs.distance(found);
                let last = found.length().min(most);
                while length <= last {
                    let cost = far + costs.lengths[length & 511] + ahead[length];
                    if cost < best {
                        best = cost;
                        choice = found.with_length(length);
                    }
                    length += 1;
                }
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
