//! Backward references (RFC 9649, section 3.6.2.2): LZ77 matches of one-byte pixels in raster order, found by hash chains with one
//! step of lazy matching.

/// Shorter matches cost about as much as literals.
const MIN_LENGTH: usize = 4;
const MAX_LENGTH: usize = 4096;
const WINDOW: usize = 1 << 18;
/// Positions tried for each match.
const MAX_CHAIN: usize = 48;
/// From this length on, no longer match is looked for at the next pixel.
const GOOD_LENGTH: usize = 64;
const HASH_BITS: u32 = 15;

/// The `length` pixels at `at` equal those `distance` before.
pub(super) struct BackwardRef {
    pub(super) at: usize,
    pub(super) length: usize,
    pub(super) distance: usize,
}

struct HashChains<'a> {
    pixels: &'a [u8],
    width: usize,
    /// By hash of four pixels: the last position plus one.
    head: Vec<u32>,
    /// By position in the window: the position before with the same hash, plus one.
    previous: Vec<u32>,
    /// All positions before this one are in the chains.
    inserted: usize,
}

/// The references in raster order. Pixels between them are literals.
pub(super) fn find(pixels: &[u8], width: usize) -> Vec<BackwardRef> {
    let window = WINDOW.min(pixels.len().next_power_of_two());
    let mut chains =
        HashChains { pixels, width, head: vec![0; 1 << HASH_BITS], previous: vec![0; window], inserted: 0 };
    let mut references = Vec::new();
    let mut at = 0;
    while at < pixels.len() {
        let mut found = chains.longest_match(at);
        if found.0 >= MIN_LENGTH && found.0 < GOOD_LENGTH {
            let next = chains.longest_match(at + 1);
            if next.0 > found.0 + 1 {
                at += 1;
                found = next;
            }
        }
        let (length, distance) = found;
        if length < MIN_LENGTH {
            at += 1;
            continue;
        }
        references.push(BackwardRef { at, length, distance });
        at += length;
    }
    references
}

impl HashChains<'_> {
    /// The length and distance of the longest match; the nearest of equals.
    fn longest_match(&mut self, at: usize) -> (usize, usize) {
        if at + MIN_LENGTH > self.pixels.len() {
            return (0, 0);
        }
        while self.inserted < at {
            self.insert(self.inserted);
            self.inserted += 1;
        }
        let mut best = (0, 0);
        // The distances to the left and upper pixel have the shortest codes.
        for distance in [1, self.width] {
            self.extend(at, distance, &mut best);
        }
        let mask = self.previous.len() - 1;
        let mut next = self.head[self.hash(at)] as usize;
        for _ in 0..MAX_CHAIN {
            let Some(position) = next.checked_sub(1) else { break };
            if position >= at || at - position >= self.previous.len() || best.0 >= MAX_LENGTH {
                break;
            }
            self.extend(at, at - position, &mut best);
            next = self.previous[position & mask] as usize;
        }
        best
    }

    #[inline]
    fn extend(&self, at: usize, distance: usize, best: &mut (usize, usize)) {
        let Some(from) = at.checked_sub(distance) else { return };
        let max = MAX_LENGTH.min(self.pixels.len() - at);
        if best.0 > 0 && (best.0 >= max || self.pixels[from + best.0] != self.pixels[at + best.0]) {
            return;
        }
        let equal = self.pixels[at..at + max].iter().zip(&self.pixels[from..]).take_while(|(a, b)| a == b);
        let length = equal.count();
        if length > best.0 {
            *best = (length, distance);
        }
    }

    fn insert(&mut self, position: usize) {
        if position + MIN_LENGTH <= self.pixels.len() {
            let hash = self.hash(position);
            let mask = self.previous.len() - 1;
            self.previous[position & mask] = self.head[hash];
            self.head[hash] = position as u32 + 1;
        }
    }

    #[inline]
    fn hash(&self, at: usize) -> usize {
        let four = &self.pixels[at..at + MIN_LENGTH];
        let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        (word.wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS)) as usize
    }
}
