//! Finds what stands in a picture before (RFC 9649, section 3.6.2): pixels, one by one in reading order.

/// The shortest copy; shorter ones cost about what the pixels do.
const SHORTEST: usize = 4;
/// The longest copy, and the longest way back that is looked at.
const LONGEST: usize = 4096;
const WINDOW: usize = 1 << 18;
/// How many places are looked at for each copy.
const TRIES: usize = 48;
const HASH_BITS: u32 = 15;

/// `length` pixels at `at` are as those that stand `distance` before.
pub(super) struct Copy {
    pub(super) at: usize,
    pub(super) length: usize,
    pub(super) distance: usize,
}

struct Finder<'a> {
    pixels: &'a [u8],
    width: usize,
    /// By hash of four pixels: one more than where they came last; by place, the same before that.
    last: Vec<u32>,
    before: Vec<u32>,
    /// Up to here all are in the tables.
    known: usize,
}

/// Copies in reading order; what is between them is none.
pub(super) fn find(pixels: &[u8], width: usize) -> Vec<Copy> {
    let window = WINDOW.min(pixels.len().next_power_of_two());
    let mut finder =
        Finder { pixels, width, last: vec![0; 1 << HASH_BITS], before: vec![0; window], known: 0 };
    let mut copies = Vec::new();
    let mut at = 0;
    while at < pixels.len() {
        let mut found = finder.best(at);
        if found.0 >= SHORTEST && found.0 < 64 {
            // One pixel later there may be a longer one.
            let later = finder.best(at + 1);
            if later.0 > found.0 + 1 {
                at += 1;
                found = later;
            }
        }
        let (length, distance) = found;
        if length < SHORTEST {
            at += 1;
            continue;
        }
        copies.push(Copy { at, length, distance });
        at += length;
    }
    copies
}

impl Finder<'_> {
    /// The longest copy for a place, with its distance; the nearest of these.
    fn best(&mut self, at: usize) -> (usize, usize) {
        if at + SHORTEST > self.pixels.len() {
            return (0, 0);
        }
        while self.known < at {
            self.learn(self.known);
            self.known += 1;
        }
        let mut best = (0, 0);
        // The pixel before and the one above are told in the fewest bits.
        for distance in [1, self.width] {
            self.try_at(at, distance, &mut best);
        }
        let mask = self.before.len() - 1;
        let mut next = self.last[self.hash(at)] as usize;
        for _ in 0..TRIES {
            let Some(place) = next.checked_sub(1) else { break };
            if place >= at || at - place >= self.before.len() || best.0 >= LONGEST {
                break;
            }
            self.try_at(at, at - place, &mut best);
            next = self.before[place & mask] as usize;
        }
        best
    }

    #[inline]
    fn try_at(&self, at: usize, distance: usize, best: &mut (usize, usize)) {
        let Some(from) = at.checked_sub(distance) else { return };
        let most = LONGEST.min(self.pixels.len() - at);
        if best.0 > 0 && (best.0 >= most || self.pixels[from + best.0] != self.pixels[at + best.0]) {
            return;
        }
        let same = self.pixels[at..at + most].iter().zip(&self.pixels[from..]).take_while(|(a, b)| a == b);
        let length = same.count();
        if length > best.0 {
            *best = (length, distance);
        }
    }

    fn learn(&mut self, place: usize) {
        if place + SHORTEST <= self.pixels.len() {
            let hash = self.hash(place);
            let mask = self.before.len() - 1;
            self.before[place & mask] = self.last[hash];
            self.last[hash] = place as u32 + 1;
        }
    }

    #[inline]
    fn hash(&self, at: usize) -> usize {
        let four = &self.pixels[at..at + SHORTEST];
        let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        (word.wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS)) as usize
    }
}
