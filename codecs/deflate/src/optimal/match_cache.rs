//! The matches of each place of a segment.

use crate::match_finder::View;
use crate::match_finder::binary_tree::Tree;
use crate::symbols::{MAX_LENGTH, MIN_LENGTH, Token};

/// Of each place, so many lengths from the shortest match on have their distance symbols listed, so that they are compared at once.
pub(crate) const LISTED: usize = 32;
/// At so many listed symbols a segment ends: 8 MiB.
const MOST_LISTED: usize = 1 << 23;

/// Few places have more matches, on average.
const USUAL_MATCHES: usize = 5;

/// No match: a token without a length.
const NONE: Token = Token::literal(0);

/// How far matches are searched, and what is kept of them.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// At most so many places are compared for each match.
    pub(crate) depth: u32,
    /// At so many matches, of four bytes each, a segment ends.
    pub(crate) matches: usize,
    /// Whether distance symbols are listed by length.
    pub(crate) listed: bool,
}

/// The matches of places, counted from the start of the segment.
#[derive(Default)]
pub(crate) struct MatchCache {
    /// Where the matches and the listed symbols of a place begin, and at the end the numbers of all.
    starts: Vec<[u32; 2]>,
    matches: Vec<Token>,
    listed: Vec<u8>,
}

/// The matches of one place.
#[derive(Default)]
pub(crate) struct Matches<'a> {
    /// In ascending order of length and distance.
    pub(crate) all: &'a [Token],
    /// The distance symbol of the nearest match for each length, from [`MIN_LENGTH`] on, and what is behind in memory.
    pub(crate) symbols: &'a [u8],
    /// The number of lengths that are listed.
    pub(crate) listed: usize,
}

impl MatchCache {
    /// Finds the matches from `start` on. Returns where it ends: at `end`, or where the cache is full.
    pub(crate) fn fill(
        &mut self,
        tree: &mut Tree,
        limits: Limits,
        view: View<'_>,
        start: usize,
        end: usize,
    ) -> usize {
        self.starts.clear();
        self.matches.clear();
        self.listed.clear();
        // At once: a vector that grows is copied, and takes up to three times its size meanwhile.
        let places = end - start;
        self.starts.reserve(places + 1);
        self.matches.reserve((USUAL_MATCHES * places).min(limits.matches) + MAX_LENGTH);
        if limits.listed {
            self.listed.reserve((LISTED * places).min(MOST_LISTED) + 2 * LISTED);
        }
        tree.restart();
        let mut at = start;
        let mut longest = NONE;
        while at < end && self.matches.len() < limits.matches && self.listed.len() < MOST_LISTED {
            let first = self.matches.len();
            self.starts.push([first as u32, self.listed.len() as u32]);
            let matches = &mut self.matches;
            tree.find(view, at, limits.depth, |length, distance| {
                matches.push(Token::matching(length, distance))
            });
            // What is left of the longest match of the place before is a match too, even where the search does not find it.
            let left = longest.length().saturating_sub(1);
            let found = matches.get(first..).and_then(|found| found.last()).copied();
            if left >= MIN_LENGTH && found.is_none_or(|found| found.length() < left) {
                longest = longest.with_length(left);
                matches.push(longest);
            } else {
                longest = found.unwrap_or(NONE);
            }
            if limits.listed {
                self.list(first);
            }
            at += 1;
        }
        self.starts.push([self.matches.len() as u32, self.listed.len() as u32]);
        // Symbols are read in whole rows.
        self.listed.extend_from_slice(&[0; LISTED]);
        at
    }

    /// Lists the symbols for the lengths of a place whose matches are those from `first` on.
    #[inline(always)]
    fn list(&mut self, first: usize) {
        let mut row = [0; 2 * LISTED];
        let mut count = 0;
        for found in self.matches.get(first..).unwrap_or_default() {
            row[count..count + LISTED].fill(found.distance_symbol() as u8);
            count = (found.length() + 1 - MIN_LENGTH).min(LISTED);
        }
        let length = self.listed.len() + count;
        self.listed.extend_from_slice(&row[..LISTED]);
        self.listed.truncate(length);
    }

    /// The matches of a place.
    #[inline(always)]
    pub(crate) fn at(&self, place: usize) -> Matches<'_> {
        let Some(&[[from, start], [to, end]]) =
            self.starts.get(place..).and_then(|starts| starts.first_chunk())
        else {
            return Matches::default();
        };
        Matches {
            all: self.matches.get(from as usize..to as usize).unwrap_or_default(),
            symbols: self.listed.get(start as usize..).unwrap_or_default(),
            listed: (end - start) as usize,
        }
    }
}
