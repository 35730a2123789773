//! The LZW compression of GIF89a (appendix F). Some pixels may have one of two indices: the encoder takes the one that
//! continues the longer match.
//!
//! The format allows a full table to be kept. It is reset when it compresses worse than the table did on average.

/// The indices that a pixel may have. Both are equal if there is no choice.
pub(crate) type IndexChoice = [u8; 2];

const MAX_WIDTH: u32 = 12;
const FULL: u16 = 1 << MAX_WIDTH;
/// The number of matches that are followed at a time if pixels have a choice.
const MAX_MATCHES: usize = 8;
/// The number of codes after which a full table is judged. It is reset if it needs more bits per pixel than the average
/// since the last reset.
const WINDOW: usize = 32;

/// Appends the minimum code size, the codes of `choices` in sub-blocks, and the terminator. `width` is at least 2, and no
/// index has more bits. If pixels have a choice, the result is compared with always taking the first index: long runs
/// of it may be shorter.
pub(crate) fn compress(choices: &[IndexChoice], width: u32, out: &mut Vec<u8>) {
    let mut shortest = codes(choices, width);
    if choices.iter().any(|[one, other]| one != other) {
        let firsts: Vec<_> = choices.iter().map(|[one, _]| [*one; 2]).collect();
        let coded = codes(&firsts, width);
        if coded.len() < shortest.len() {
            shortest = coded;
        }
    }
    out.push(width as u8);
    out.append(&mut shortest);
}

/// Writes the codes in sub-blocks, and the terminator.
fn codes(choices: &[IndexChoice], width: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let mut blocks = Blocks::new(&mut out);
    let mut table = Table::new(width);
    let clear = 1 << width;
    blocks.put(clear, table.width);

    let mut at = 0;
    let mut first = choices.first().map(|choice| choice[0]);
    while let Some(start) = first {
        let (code, length) = table.longest(u16::from(start), &choices[at..]);
        blocks.put(code, table.width);
        at += length;
        first = choices.get(at).map(|choice| choice[0]);
        let Some(next) = first else { break };
        if !table.add(code, next, length) {
            blocks.put(clear, table.width);
            table.reset();
        }
    }
    // Decoders add an entry after the last code too.
    table.widen();
    blocks.put(clear + 1, table.width);
    blocks.end();
    out
}

/// The strings that have a code, each as the code of its prefix and its last index.
struct Table {
    /// Prefix code and index in the high bits, the code of both in the low bits. A free slot has all bits set.
    slots: Vec<u32>,
    least: u32,
    /// The number of bits of the next code.
    width: u32,
    next: u16,
    /// The number of bits written since the table was reset, and the number of pixels that they stand for.
    bits: usize,
    pixels: usize,
    /// The number of codes in the current window since the table is full, and the number of pixels that they stand for.
    recent: (usize, usize),
}

const HASH_BITS: u32 = 14;
const FREE: u32 = u32::MAX;

impl Table {
    fn new(least: u32) -> Self {
        let mut table = Self {
            slots: vec![FREE; 1 << HASH_BITS],
            least,
            width: 0,
            next: 0,
            bits: 0,
            pixels: 0,
            recent: (0, 0),
        };
        table.reset();
        table
    }

    fn reset(&mut self) {
        self.slots.fill(FREE);
        self.width = self.least + 1;
        self.next = (1 << self.least) + 2;
        (self.bits, self.pixels, self.recent) = (0, 0, (0, 0));
    }

    /// The slot of a string: where it is, or where it would be inserted.
    fn slot(&self, prefix: u16, index: u8) -> usize {
        let key = u32::from(prefix) << 8 | u32::from(index);
        let mut slot = (key.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize;
        // At most a quarter of the slots is used, so a free one is always found.
        while self.slots[slot] != FREE && self.slots[slot] >> MAX_WIDTH != key {
            slot = (slot + 1) & ((1 << HASH_BITS) - 1);
        }
        slot
    }

    fn find(&self, prefix: u16, index: u8) -> Option<u16> {
        let found = self.slots[self.slot(prefix, index)];
        (found != FREE).then_some((found & u32::from(FULL - 1)) as u16)
    }

    /// The code and the length of the longest string that begins with `root` and matches `choices`.
    fn longest(&self, root: u16, choices: &[IndexChoice]) -> (u16, usize) {
        let mut matches = [root; MAX_MATCHES];
        let mut count = 1;
        for (length, &[one, other]) in choices.iter().enumerate().skip(1) {
            let mut longer = [0; MAX_MATCHES];
            let mut found = 0;
            for &code in &matches[..count] {
                let also = (one != other).then(|| self.find(code, other)).flatten();
                for code in self.find(code, one).into_iter().chain(also) {
                    if found < MAX_MATCHES {
                        longer[found] = code;
                        found += 1;
                    }
                }
            }
            if found == 0 {
                return (matches[0], length);
            }
            (matches, count) = (longer, found);
        }
        (matches[0], choices.len())
    }

    /// The code width grows when all codes of the width are assigned.
    fn widen(&mut self) {
        if self.next == 1 << self.width && self.width < MAX_WIDTH {
            self.width += 1;
        }
    }

    /// Adds a string, after `prefix` was written for `length` pixels. Returns false if the table should be reset.
    fn add(&mut self, prefix: u16, index: u8, length: usize) -> bool {
        self.bits += self.width as usize;
        self.pixels += length;
        self.widen();
        if self.next < FULL {
            let slot = self.slot(prefix, index);
            let key = u32::from(prefix) << 8 | u32::from(index);
            self.slots[slot] = key << MAX_WIDTH | u32::from(self.next);
            self.next += 1;
            return true;
        }
        let (codes, pixels) = (self.recent.0 + 1, self.recent.1 + length);
        self.recent = if codes == WINDOW { (0, 0) } else { (codes, pixels) };
        codes < WINDOW || pixels * self.bits >= self.pixels * codes * MAX_WIDTH as usize
    }
}

/// Packs codes into bits, the lowest first, in sub-blocks of up to 255 bytes.
struct Blocks<'a> {
    out: &'a mut Vec<u8>,
    /// The position of the current sub-block's length.
    start: usize,
    bits: u32,
    pending: u32,
}

impl<'a> Blocks<'a> {
    fn new(out: &'a mut Vec<u8>) -> Self {
        let start = out.len();
        out.push(0);
        Self { out, start, bits: 0, pending: 0 }
    }

    fn put(&mut self, code: u16, width: u32) {
        self.pending |= u32::from(code) << self.bits;
        self.bits += width;
        while self.bits >= 8 {
            self.byte();
        }
    }

    fn byte(&mut self) {
        if self.out[self.start] == u8::MAX {
            self.start = self.out.len();
            self.out.push(0);
        }
        self.out.push(self.pending as u8);
        self.out[self.start] += 1;
        self.pending >>= 8;
        self.bits = self.bits.saturating_sub(8);
    }

    fn end(mut self) {
        if self.bits > 0 {
            self.byte();
        }
        if self.out[self.start] > 0 {
            self.out.push(0);
        }
    }
}
