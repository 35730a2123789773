//! A binary search tree of the places of the window for each hash of four bytes, ordered by what follows, the nearest place at the
//! root. A walk down yields the nearest match of each length. Places within a run of one byte have trees by the length of the run
//! and what follows it.

use crate::lanes::common_length;
use crate::match_finder::runs::Runs;
use crate::match_finder::{NOWHERE, View, hash, word};
use crate::symbols::{MAX_LENGTH, MIN_LENGTH, WINDOW};

const BITS: u32 = 16;
const SHORT_BITS: u32 = 16;
const MASK: u32 = WINDOW as u32 - 1;
/// Spreads the lengths of runs over the keys of trees: an odd number.
const RUN_FACTOR: u32 = 0x85EB_CA6B;

pub(crate) struct Tree {
    roots: Box<[u32; 1 << BITS]>,
    /// Of each place, the subtree of what sorts before, then of what sorts after.
    children: Box<[u32; 2 * WINDOW]>,
    /// The two nearest places of each hash of three bytes.
    short: Box<[[u32; 2]; 1 << SHORT_BITS]>,
    runs: Runs,
}

/// The longest match of a place so far.
struct Longest<F> {
    length: usize,
    take: F,
}

impl<F: FnMut(usize, usize)> Longest<F> {
    /// Hands over a match that is longer than those before.
    #[inline(always)]
    fn offer(&mut self, length: usize, distance: usize) {
        if length > self.length {
            self.length = length;
            (self.take)(length, distance);
        }
    }
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self {
            roots: Box::new([0; 1 << BITS]),
            children: Box::new([0; 2 * WINDOW]),
            short: Box::new([[0; 2]; 1 << SHORT_BITS]),
            runs: Runs::new(),
        }
    }

    /// Forgets where in the data runs end: the data are other ones, or have moved.
    pub(crate) fn restart(&mut self) {
        self.runs.restart();
    }

    /// Adds a place, and hands over each match that is longer than all before it, the nearest of its length. At most `depth` places
    /// are compared.
    #[inline(always)]
    pub(crate) fn find(&mut self, view: View<'_>, at: usize, depth: u32, take: impl FnMut(usize, usize)) {
        let Some(first) = word(view.data, at) else { return };
        let mut longest = Longest { length: MIN_LENGTH - 1, take };
        let short = self.short_match(view, at, first);
        let key = if first == first.rotate_left(8) {
            self.run_matches(view, at, &mut longest)
        } else {
            short.into_iter().for_each(|distance| longest.offer(MIN_LENGTH, distance));
            Some(first)
        };
        if let Some(key) = key {
            self.walk(view, at, key, depth, longest);
        }
    }

    /// Adds a place within a run, and offers the run itself and the nearest run of the same length. Returns the key of its tree; `None`
    /// if no match can be longer.
    #[inline(always)]
    fn run_matches<F: FnMut(usize, usize)>(
        &mut self,
        view: View<'_>,
        at: usize,
        longest: &mut Longest<F>,
    ) -> Option<u32> {
        let data = view.data;
        let run = self.runs.length(data, at);
        if at > 0 && data[at - 1] == data[at] {
            longest.offer(run, 1);
        }
        let before = self.runs.replace(view, at, run);
        let distance = view.position(at).wrapping_sub(before) as usize;
        if distance < WINDOW {
            let end = (data.len() - at).min(MAX_LENGTH);
            longest.offer(common_length(data, at, at.wrapping_sub(distance), 0, end), distance);
        }
        if run == MAX_LENGTH {
            return None;
        }
        let last = word(data, at + run - 1)?;
        Some(last.wrapping_add((run as u32).wrapping_mul(RUN_FACTOR)))
    }

    /// Adds a place to the tree of a key, and offers the matches on the way down.
    #[inline(always)]
    fn walk<F: FnMut(usize, usize)>(
        &mut self,
        view: View<'_>,
        at: usize,
        key: u32,
        mut depth: u32,
        mut longest: Longest<F>,
    ) {
        let data = view.data;
        let end = (data.len() - at).min(MAX_LENGTH);
        let position = view.position(at);
        let mut next = std::mem::replace(&mut self.roots[hash::<BITS>(key)], position);
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
            longest.offer(length, distance as usize);
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
}
