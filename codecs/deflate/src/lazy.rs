//! The lazy parse: a match is taken unless the next place has a longer one.

use crate::match_finder::View;
use crate::match_finder::hash_chains::Chains;
use crate::symbols::Token;

/// The candidates that are compared at a place, and after a match that a longer one might replace.
const DEPTH: usize = 24;
const LAZY_DEPTH: usize = 8;
/// A match of this length is taken at once.
const NICE: usize = 96;
/// A match of this length is not replaced.
const GOOD: usize = 32;

pub(crate) struct Lazy {
    chains: Chains,
}

impl Lazy {
    pub(crate) fn new() -> Self {
        Self { chains: Chains::new() }
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
        let mut at = start;
        while at < end {
            let Some((mut length, mut distance)) = self.chains.find(view, at, 2, DEPTH, NICE) else {
                tokens.push(Token::literal(data[at]));
                at += 1;
                continue;
            };
            let mut known = at + 1;
            while length < GOOD && known < data.len() {
                let Some(better) = self.chains.find(view, known, length, LAZY_DEPTH, NICE) else {
                    known += 1;
                    break;
                };
                tokens.push(Token::literal(data[at]));
                at = known;
                known += 1;
                (length, distance) = better;
            }
            tokens.push(Token::matching(length, distance));
            let next = at + length;
            (known..next).for_each(|place| self.chains.skip(view, place));
            at = next;
        }
        at
    }
}
