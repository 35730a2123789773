//! A binary search tree of the places of the window for each hash of four bytes, ordered by what follows, the nearest place at the
//! root. A walk down yields the nearest match of each length.

use crate::lanes::common_length;
use crate::match_finder::{NOWHERE, View, hash, word};
use crate::symbols::{MAX_LENGTH, WINDOW};

const BITS: u32 = 16;
const SHORT_BITS: u32 = 16;
const MASK: u32 = WINDOW as u32 - 1;

pub(crate) struct Tree {
    roots: Box<[u32; 1 << BITS]>,
    /// Of each place, the subtree of what sorts before, then of what sorts after.
    children: Box<[u32; 2 * WINDOW]>,
    /// The two nearest places of each hash of three bytes.
    short: Box<[[u32; 2]; 1 << SHORT_BITS]>,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self {
            roots: Box::new([0; 1 << BITS]),
            children: Box::new([0; 2 * WINDOW]),
            short: Box::new([[0; 2]; 1 << SHORT_BITS]),
        }
    }

    /// Adds a place, and hands over each match that is longer than all before it, the nearest of its length. Returns the longest.
    /// At most `depth` places are compared.
    #[inline(always)]
    pub(crate) fn find(
        &mut self,
        view: View<'_>,
        at: usize,
        mut depth: u32,
        mut take: impl FnMut(usize, usize),
    ) -> usize {
        let data = view.data;
        let Some(first) = word(data, at) else { return 0 };
        let end = (data.len() - at).min(MAX_LENGTH);
        let position = view.position(at);
        let mut best = 2;
        if let Some(distance) = self.short_match(view, at, first) {
            best = 3;
            take(3, distance);
        }
        let mut next = std::mem::replace(&mut self.roots[hash::<BITS>(first)], position);
        let own = 2 * (position & MASK);
        // Where the next smaller and the next larger place belong, and how much the places around have in common with this one.
        let (mut smaller, mut larger) = (own, own + 1);
        let (mut below, mut above) = (0, 0);
        loop {
            let distance = position.wrapping_sub(next);
            if distance >= WINDOW as u32 || depth == 0 {
                let nowhere = position.wrapping_sub(NOWHERE);
                self.children[(smaller & (2 * MASK + 1)) as usize] = nowhere;
                self.children[(larger & (2 * MASK + 1)) as usize] = nowhere;
                break;
            }
            depth -= 1;
            let place = at.wrapping_sub(distance as usize);
            let length = common_length(data, at, place, below.min(above), end);
            let node = 2 * (next & MASK);
            if length > best {
                best = length;
                take(length, distance as usize);
            }
            if length >= end {
                self.children[(smaller & (2 * MASK + 1)) as usize] = self.children[node as usize];
                self.children[(larger & (2 * MASK + 1)) as usize] = self.children[node as usize + 1];
                break;
            }
            if data.get(place + length) < data.get(at + length) {
                self.children[(smaller & (2 * MASK + 1)) as usize] = next;
                smaller = node + 1;
                below = length;
                next = self.children[smaller as usize];
            } else {
                self.children[(larger & (2 * MASK + 1)) as usize] = next;
                larger = node;
                above = length;
                next = self.children[larger as usize];
            }
        }
        if best < 3 { 0 } else { best }
    }

    /// Adds a place by its first three bytes. Returns the distance of the nearest that has the same, among the two nearest with
    /// their hash.
    #[inline(always)]
    fn short_match(&mut self, view: View<'_>, at: usize, first: u32) -> Option<usize> {
        let position = view.position(at);
        let entry = &mut self.short[hash::<SHORT_BITS>(first << 8)];
        let nearest = std::mem::replace(entry, [position, entry[0]]);
        let distances = nearest.into_iter().map(|candidate| position.wrapping_sub(candidate) as usize);
        let mut inside = distances.take_while(|distance| *distance < WINDOW);
        inside.find(|distance| {
            word(view.data, at.wrapping_sub(*distance)).is_some_and(|word| (word ^ first) << 8 == 0)
        })
    }

    /// Adds a place without looking for matches.
    #[inline(always)]
    pub(crate) fn skip(&mut self, view: View<'_>, at: usize, depth: u32) {
        self.find(view, at, depth, |_, _| {});
    }
}
