//! The matches of each place of a segment.

use crate::match_finder::View;
use crate::match_finder::binary_tree::Tree;
use crate::symbols::{MAX_LENGTH, Token};

/// At so many matches a segment ends: 4 MiB.
const MOST: usize = 1 << 20;

/// The matches of places, counted from the start of the segment.
#[derive(Default)]
pub(crate) struct MatchCache {
    /// Where the matches of a place begin, and at the end the number of all.
    starts: Vec<u32>,
    matches: Vec<Token>,
}

impl MatchCache {
    /// Finds the matches from `start` on. Returns where it ends: at `end`, or where the cache is full.
    pub(crate) fn fill(
        &mut self,
        tree: &mut Tree,
        depth: u32,
        view: View<'_>,
        start: usize,
        end: usize,
    ) -> usize {
        self.starts.clear();
        self.matches.clear();
        let mut at = start;
        while at < end && self.matches.len() < MOST {
            self.starts.push(self.matches.len() as u32);
            let matches = &mut self.matches;
            let longest = tree
                .find(view, at, depth, |length, distance| matches.push(Token::matching(length, distance)));
            at += 1;
            if longest < MAX_LENGTH {
                continue;
            }
            // Within the longest match nothing is looked for: the path takes it.
            let covered = (at + longest - 1).min(end);
            while at < covered {
                self.starts.push(self.matches.len() as u32);
                tree.skip(view, at, depth);
                at += 1;
            }
        }
        self.starts.push(self.matches.len() as u32);
        at
    }

    /// The matches of the places from `from` to `to`, the last place first. Those of a place are in ascending order of length and
    /// distance.
    #[inline(always)]
    pub(crate) fn backwards(&self, from: usize, to: usize) -> impl Iterator<Item = &[Token]> {
        let starts = self.starts.get(from..to).unwrap_or_default();
        let end = self.starts.get(to).map_or(0, |end| *end as usize);
        let mut before = self.matches.get(..end).unwrap_or_default();
        starts.iter().rev().map(move |start| {
            let (rest, of_place) = before.split_at_checked(*start as usize).unwrap_or_default();
            before = rest;
            of_place
        })
    }
}
