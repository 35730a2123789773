//! The cheapest way through the matches of a block.
//!
//! Only the cost of the rest of the block is kept for each place. Which token that cost is made of is found again on the way, at the
//! few places where a token begins. Costs wrap around at 2¹⁶: those within the reach of a match are compared by their differences.

use crate::cost::{Costs, MAX_COST, Price};
use crate::lanes::{STEP, SymbolCosts, least, least_listed};
use crate::optimal::match_cache::{LISTED, MatchCache, Matches};
use crate::symbols::{MAX_LENGTH, MIN_LENGTH, Token};

/// More than the rest can be cheaper behind a match than behind a literal: behind the literal, what is left of the match is a match too, and
/// of a longer one that is not tried, what is left of that. Added to differences, so that none is negative. The rest is hardly ever much
/// cheaper behind the literal, since the match goes on there; where it is, the block may become longer, but remains valid: each token is
/// one of the matches found.
const BIAS: u16 = 2 * MAX_COST;
/// What a match has to save over a literal, 1/16 bit: for less, the parse of noise would make symbols that its codes could do without.
const MATCH_GAIN: u16 = 1 << (u16::FRACTION - 4);
/// Of the lengths that are not listed, only so many of each match are tried, the longest.
const TRIED: usize = 2 * STEP;

#[derive(Default)]
pub(crate) struct Path {
    /// What the rest of the block costs from each place on, modulo 2¹⁶.
    rest: Vec<u16>,
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
        let data = &data[from..to];
        let symbols = SymbolCosts::new(&costs.distances);
        self.rest.clear();
        // Behind the end as far as a row reaches that begins within the longest match.
        self.rest.resize(data.len() + 1 + MAX_LENGTH + LISTED, 0);
        for (at, &byte) in data.iter().enumerate().rev() {
            let ahead = &self.rest[at..];
            let base = ahead[1].wrapping_sub(BIAS);
            let literal = BIAS + costs.literals[usize::from(byte)];
            let best = cheapest(&cache.at(from + at), costs, &symbols, ahead, base, data.len() - at);
            let gains = best.saturating_add(MATCH_GAIN) < literal;
            self.rest[at] = base.wrapping_add(if gains { best } else { literal });
        }
        tokens.clear();
        let mut at = 0;
        while at < data.len() {
            let token = self.choice(&cache.at(from + at), costs, &data[at..], at);
            tokens.push(token);
            at += token.size();
        }
    }

    /// The first token of the rest from a place on.
    fn choice(&self, matches: &Matches<'_>, costs: &Costs, data: &[u8], at: usize) -> Token {
        let ahead = &self.rest[at..];
        let base = ahead[1].wrapping_sub(BIAS);
        let best = ahead[0].wrapping_sub(base);
        let literal = Token::literal(data[0]);
        if best == BIAS + costs.literals[usize::from(data[0])] {
            return literal;
        }
        let mut length = MIN_LENGTH;
        for &found in matches.all {
            let far = costs.distance(found);
            while length <= found.length().min(data.len()) {
                let near = ahead[length].wrapping_sub(base).saturating_add(costs.lengths[length & 511]);
                if near.saturating_add(far) == best {
                    return found.with_length(length);
                }
                length += 1;
            }
        }
        literal
    }
}

/// The least cost with a match first, from `base` on. `ahead`: the rest from this place on. `most`: the bytes of the block from here on.
#[inline(always)]
fn cheapest(
    matches: &Matches<'_>,
    costs: &Costs,
    symbols: &SymbolCosts,
    ahead: &[u16],
    base: u16,
    most: usize,
) -> u16 {
    // Within long runs and repetitions nothing is saved by shorter ones.
    if let Some(&last) = matches.all.last()
        && last.length() == MAX_LENGTH
        && MAX_LENGTH <= most
    {
        return ahead[MAX_LENGTH]
            .wrapping_sub(base)
            .saturating_add(costs.lengths[MAX_LENGTH])
            .saturating_add(costs.distance(last));
    }
    let listed = matches.listed.min((most + 1).saturating_sub(MIN_LENGTH));
    if listed == 0 {
        return u16::MAX;
    }
    let (lengths, rest) = (&costs.lengths[MIN_LENGTH..], &ahead[MIN_LENGTH..]);
    let mut best = least_listed(lengths, rest, base, listed, symbols, matches.symbols);
    if listed < LISTED {
        return best;
    }
    let mut passed = MIN_LENGTH + LISTED;
    for &found in matches.all {
        let end = found.length().min(most) + 1;
        if end > passed {
            let start = passed.max(end.saturating_sub(TRIED));
            let near = least(&costs.lengths[start..], &ahead[start..], base, end - start);
            best = best.min(near.saturating_add(costs.distance(found)));
            passed = end;
        }
    }
    best
}
