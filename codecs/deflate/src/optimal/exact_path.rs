//! The cheapest way through the matches of a block, for costs in small fractions of a bit: every length of every match is compared.

use crate::cost::Costs;
use crate::optimal::match_cache::MatchCache;
use crate::symbols::{MAX_LENGTH, MIN_LENGTH, Token};

#[derive(Default)]
pub(crate) struct ExactPath {
    /// What the rest of the block costs from each place on, modulo 2³². Within the reach of a match, differences are far smaller.
    rest: Vec<u32>,
    /// The first token of the cheapest rest from each place on.
    tokens: Vec<Token>,
}

impl ExactPath {
    /// Replaces `tokens` by the cheapest ones for the bytes from `from` to `to`.
    pub(crate) fn find(
        &mut self,
        cache: &MatchCache,
        costs: &Costs<u32>,
        data: &[u8],
        from: usize,
        to: usize,
        tokens: &mut Vec<Token>,
    ) {
        let data = &data[from..to];
        self.rest.clear();
        self.rest.resize(data.len() + 1, 0);
        self.tokens.clear();
        self.tokens.resize(data.len(), Token::literal(0));
        for (at, &byte) in data.iter().enumerate().rev() {
            let matches = cache.at(from + at).all;
            let ahead = &self.rest[at..];
            let base = ahead[1];
            let (mut best, mut token) = (costs.literals[usize::from(byte)] as i32, Token::literal(byte));
            let mut length = MIN_LENGTH;
            // Far from the end of a long repetition nothing is saved by shorter ones.
            if let Some(&last) = matches.last()
                && last.length() == MAX_LENGTH
                && self.tokens.get(at + MAX_LENGTH).is_some_and(|next| next.length() == MAX_LENGTH)
            {
                length = MAX_LENGTH;
            }
            for &found in matches {
                let far = costs.distance(found);
                while length <= found.length() && length < ahead.len() {
                    let cost =
                        ahead[length].wrapping_sub(base) as i32 + (costs.lengths[length & 511] + far) as i32;
                    if cost < best {
                        (best, token) = (cost, found.with_length(length));
                    }
                    length += 1;
                }
            }
            self.rest[at] = base.wrapping_add_signed(best);
            self.tokens[at] = token;
        }
        tokens.clear();
        let mut at = 0;
        while let Some(&token) = self.tokens.get(at) {
            tokens.push(token);
            at += token.size();
        }
    }
}
