//! A binary search tree of the places of the window for each hash of four bytes, ordered by what follows, the nearest place at the
//! root. A walk down yields the nearest match of each length. Places within a run of one byte have trees by the length of the run
//! and what follows it.

use crate::lanes::common_length;
use crate::match_finder::runs::Runs;
use crate::match_finder::{Clock, Near, View, hash, move_on, word};
use crate::symbols::{MAX_LENGTH, MIN_LENGTH, WINDOW};

const BITS: u32 = 16;
const SHORT_BITS: u32 = 16;
const MASK: Near = WINDOW as Near - 1;
/// The last index of `children`.
const LAST: usize = 2 * WINDOW - 1;
/// Spreads the lengths of runs over the keys of trees: an odd number.
const RUN_FACTOR: u32 = 0x85EB_CA6B;

pub(crate) struct Tree {
    roots: Box<[Near; 1 << BITS]>,
    /// Of each place, the subtree of what sorts before, then of what sorts after.
    children: Box<[Near; 2 * WINDOW]>,
    /// The two nearest places of each hash of three bytes.
    short: Box<[[Near; 2]; 1 << SHORT_BITS]>,
    runs: Runs,
    clock: Clock,
    /// A walk ends at a match of this length.
    nice: usize,
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
    /// `nice`: places that agree in so many bytes are taken for equal.
    pub(crate) fn new(nice: usize) -> Self {
        Self {
            roots: Box::new([0; 1 << BITS]),
            children: Box::new([0; 2 * WINDOW]),
            short: Box::new([[0; 2]; 1 << SHORT_BITS]),
            runs: Runs::new(),
            clock: Clock::new(),
            nice,
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
        let (position, begins) = self.clock.tell(view.position(at));
        if begins {
            self.move_on();
        }
        let mut longest = Longest { length: MIN_LENGTH - 1, take };
        let short = self.short_match(view.data, at, position, first);
        let key = if first == first.rotate_left(8) {
            self.run_matches(view.data, at, position, &mut longest)
        } else {
            short.into_iter().for_each(|distance| longest.offer(MIN_LENGTH, distance));
            Some(first)
        };
        if let Some(key) = key {
            self.walk(view.data, at, position, key, depth, longest);
        }
    }

    #[cold]
    fn move_on(&mut self) {
        move_on(&mut self.roots[..]);
        move_on(&mut self.children[..]);
        move_on(self.short.as_flattened_mut());
        self.runs.move_on();
    }

    /// Adds a place within a run, and offers the run itself and the nearest run of the same length. Returns the key of its tree; `None`
    /// if no match can be longer.
    #[inline(always)]
    fn run_matches<F: FnMut(usize, usize)>(
        &mut self,
        data: &[u8],
        at: usize,
        position: Near,
        longest: &mut Longest<F>,
    ) -> Option<u32> {
        let run = self.runs.length(data, at);
        if at > 0 && data[at - 1] == data[at] {
            longest.offer(run, 1);
        }
        let distance = usize::from(position.wrapping_sub(self.runs.replace(data[at], run, position)));
        let end = (data.len() - at).min(MAX_LENGTH);
        if distance < WINDOW && longest.length < end {
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
        data: &[u8],
        at: usize,
        position: Near,
        key: u32,
        mut depth: u32,
        mut longest: Longest<F>,
    ) {
        let end = (data.len() - at).min(MAX_LENGTH);
        let nice = end.min(self.nice);
        let mut next = std::mem::replace(&mut self.roots[hash::<BITS>(key)], position);
        let own = 2 * usize::from(position & MASK);
        // Where the next smaller and the next larger place belong, and how much the places around have in common with this one.
        let (mut smaller, mut larger) = (own, own + 1);
        let (mut below, mut above) = (0, 0);
        loop {
            let distance = usize::from(position.wrapping_sub(next));
            if distance >= WINDOW || depth == 0 {
                self.children[smaller & LAST] = 0;
                self.children[larger & LAST] = 0;
                break;
            }
            depth -= 1;
            let place = at.wrapping_sub(distance);
            let length = common_length(data, at, place, below.min(above), end);
            let node = 2 * usize::from(next & MASK);
            longest.offer(length, distance);
            if length >= nice {
                self.children[smaller & LAST] = self.children[node];
                self.children[larger & LAST] = self.children[node + 1];
                break;
            }
            if data.get(place + length) < data.get(at + length) {
                self.children[smaller & LAST] = next;
                smaller = node + 1;
                below = length;
                next = self.children[smaller];
            } else {
                self.children[larger & LAST] = next;
                larger = node;
                above = length;
                next = self.children[larger];
            }
        }
    }

    /// Adds a place by its first three bytes. Returns the distance of the nearest that has the same, among the two nearest with
    /// their hash.
    #[inline(always)]
    fn short_match(&mut self, data: &[u8], at: usize, position: Near, first: u32) -> Option<usize> {
        let entry = &mut self.short[hash::<SHORT_BITS>(first << 8)];
        let nearest = std::mem::replace(entry, [position, entry[0]]);
        let distances = nearest.into_iter().map(|candidate| usize::from(position.wrapping_sub(candidate)));
        let mut inside = distances.take_while(|distance| *distance < WINDOW);
        inside.find(|distance| {
            word(data, at.wrapping_sub(*distance)).is_some_and(|word| (word ^ first) << 8 == 0)
        })
    }
}
