//! Hash chains: for each hash of four bytes, the earlier places that have it, the nearest first.

use crate::lanes::common_length;
use crate::match_finder::{Clock, Near, View, hash, move_on, word};
use crate::symbols::{MAX_LENGTH, WINDOW};

const BITS: u32 = 15;
const SHORT_BITS: u32 = 15;
const MASK: Near = WINDOW as Near - 1;
/// Farther matches of three bytes cost more than literals.
const NEAR: usize = 1 << 14;

pub(crate) struct Chains {
    /// The nearest place of each hash.
    heads: Box<[Near; 1 << BITS]>,
    /// The place before each place of the window.
    before: Box<[Near; WINDOW]>,
    /// The nearest place of each hash of three bytes.
    short: Box<[Near; 1 << SHORT_BITS]>,
    clock: Clock,
}

/// The length and the distance of a match.
pub(crate) type Match = (usize, usize);

impl Chains {
    pub(crate) fn new() -> Self {
        Self {
            heads: Box::new([0; 1 << BITS]),
            before: Box::new([0; WINDOW]),
            short: Box::new([0; 1 << SHORT_BITS]),
            clock: Clock::new(),
        }
    }

    /// Adds a place without a search.
    #[inline(always)]
    pub(crate) fn skip(&mut self, view: View<'_>, at: usize) {
        if let Some(word) = word(view.data, at) {
            let position = self.position(view, at);
            self.short[hash::<SHORT_BITS>(word << 8)] = position;
            let head = &mut self.heads[hash::<BITS>(word)];
            self.before[usize::from(position & MASK)] = *head;
            *head = position;
        }
    }

    #[inline(always)]
    fn position(&mut self, view: View<'_>, at: usize) -> Near {
        let (position, begins) = self.clock.tell(view.position(at));
        if begins {
            self.move_on();
        }
        position
    }

    #[cold]
    fn move_on(&mut self) {
        move_on(&mut self.heads[..]);
        move_on(&mut self.before[..]);
        move_on(&mut self.short[..]);
    }

    /// Adds a place and finds a match longer than `least`, the longest of at most `depth` candidates.
    #[inline(always)]
    pub(crate) fn find(
        &mut self,
        view: View<'_>,
        at: usize,
        least: usize,
        depth: usize,
        nice: usize,
    ) -> Option<Match> {
        let data = view.data;
        let first = word(data, at)?;
        let position = self.position(view, at);
        let end = (data.len() - at).min(MAX_LENGTH);
        let (mut best, mut found) = (least, None);
        let short = &mut self.short[hash::<SHORT_BITS>(first << 8)];
        let distance = usize::from(position.wrapping_sub(*short));
        *short = position;
        if best < 3 && distance <= NEAR {
            let place = at.wrapping_sub(distance);
            if word(data, place).is_some_and(|word| (word ^ first) << 8 == 0) {
                (best, found) = (3, Some((3, distance)));
            }
        }
        let head = &mut self.heads[hash::<BITS>(first)];
        let mut next = *head;
        *head = position;
        self.before[usize::from(position & MASK)] = next;
        for _ in 0..depth {
            let distance = usize::from(position.wrapping_sub(next));
            if distance >= WINDOW || best >= end {
                break;
            }
            let place = at.wrapping_sub(distance);
            // The bytes that would make it longer than the best so far.
            if data.get(place + best) == data.get(at + best) && word(data, place) == Some(first) {
                let length = common_length(data, at, place, 4, end);
                if length > best {
                    (best, found) = (length, Some((length, distance)));
                    if length >= nice {
                        break;
                    }
                }
            }
            let before = self.before[usize::from(next & MASK)];
            if usize::from(position.wrapping_sub(before)) <= distance {
                break;
            }
            next = before;
        }
        found
    }
}
