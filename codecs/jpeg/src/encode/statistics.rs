//! How often each symbol would stand in each scan that a component may be coded in: all of them counted in one pass.
//!
//! A split of the frequencies changes only the run before the first coefficient behind it, and where a block ends.

use super::blocks::{BLOCK, Component, bits_to, indexed};
use super::huffman::Counts;
use crate::lanes::take_lowest;

/// After which coefficient the frequencies may be divided.
pub(crate) const SPLITS: [usize; 5] = [2, 5, 8, 12, 18];
/// Coefficients are coded at first without up to so many of their lowest bits.
pub(crate) const LEVELS: usize = 4;
/// Blocks that one symbol can say to be at their end.
pub(crate) const MAX_END_RUN: usize = 0x7FFF;
/// Correction bits that may wait for the end of a run of blocks, before those of another block.
pub(crate) const MAX_WAITING: u32 = 1000 - 63;
/// Sizes of coefficients, and that of none.
const SIZES: usize = 17;
/// Sixteen zeros.
pub(crate) const ZERO_RUN: usize = 0xF0;

/// A part of the frequencies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Band {
    All,
    /// Up to the split of this number.
    Low(usize),
    High(usize),
}

impl Band {
    /// The first and the last coefficient.
    pub(crate) fn range(self) -> (u8, u8) {
        match self {
            Self::All => (1, 63),
            Self::Low(split) => (1, SPLITS[split] as u8),
            Self::High(split) => (SPLITS[split] as u8 + 1, 63),
        }
    }
}

/// The scans of a component.
pub(crate) struct Statistics {
    /// By the bits left out.
    levels: Vec<Level>,
    /// The scans that put a bit back: the one of level n - 1 after that of n.
    refinements: Vec<Refinement>,
}

/// Splits before a coefficient: the number of its region.
const REGION: [u8; 64] = {
    let mut regions = [0; 64];
    let mut k = 0;
    while k < 64 {
        let mut split = 0;
        while split < SPLITS.len() {
            regions[k] += (SPLITS[split] < k) as u8;
            split += 1;
        }
        k += 1;
    }
    regions
};

/// Blocks one after another that are at their end, counted lazily: those from `start` on.
struct EndRun {
    start: usize,
    counts: [u32; 15],
}

impl EndRun {
    fn new() -> Self {
        Self { start: 0, counts: [0; 15] }
    }

    /// The run ends before block `at`.
    #[inline(always)]
    fn end(&mut self, at: usize) {
        let mut run = at - self.start;
        while run > MAX_END_RUN {
            self.counts[14] += 1;
            run -= MAX_END_RUN;
        }
        if run > 0 {
            self.counts[run.ilog2() as usize] += 1;
        }
    }

    fn add_to(&self, counts: &mut Counts) {
        for (size, &count) in self.counts.iter().enumerate() {
            counts[size << 4] += count;
        }
    }
}

struct Level {
    /// How often a coefficient of a size follows another one: by size, index of the one before, and its own.
    pairs: Vec<u32>,
    largest: usize,
    /// Symbols of the coefficients of each region as if nothing were divided.
    regions: [Counts; SPLITS.len() + 1],
    /// What a split adds and takes behind it; wrapping.
    moved: [Counts; SPLITS.len()],
    low: [EndRun; SPLITS.len()],
    high: [EndRun; SPLITS.len()],
    all: EndRun,
}

impl Level {
    fn new() -> Self {
        Self {
            pairs: vec![0; SIZES * BLOCK * BLOCK],
            largest: 0,
            regions: [[0; 256]; SPLITS.len() + 1],
            moved: [[0; 256]; SPLITS.len()],
            low: std::array::from_fn(|_| EndRun::new()),
            high: std::array::from_fn(|_| EndRun::new()),
            all: EndRun::new(),
        }
    }

    #[inline(always)]
    fn coefficient(&mut self, previous: usize, k: usize, size: usize) {
        self.largest = self.largest.max(size);
        if let Some(count) = self.pairs.get_mut((size * BLOCK + previous) * BLOCK + k) {
            *count += 1;
        }
    }

    /// Makes symbols of all pairs.
    fn settle(&mut self) {
        let pairs = std::mem::take(&mut self.pairs);
        let rows = pairs.chunks_exact(BLOCK).enumerate().take((self.largest + 1) * BLOCK);
        for (row, counts) in rows {
            for (k, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
                self.symbols(row % BLOCK, k, row / BLOCK, count);
            }
        }
    }

    /// So many coefficients of a size behind the one at `previous`.
    fn symbols(&mut self, previous: usize, k: usize, size: usize, count: u32) {
        let run = k - previous - 1;
        let region = usize::from(REGION[k]);
        let counts = &mut self.regions[region];
        counts[ZERO_RUN] += run as u32 / 16 * count;
        counts[((run % 16) << 4 | size) & 0xFF] += count;
        let crossed = usize::from(REGION[previous])..region;
        for (&split, moved) in SPLITS[crossed.clone()].iter().zip(&mut self.moved[crossed]) {
            let shorter = k - split.max(previous) - 1;
            let fewer = (run as u32 / 16 - shorter as u32 / 16) * count;
            moved[ZERO_RUN] = moved[ZERO_RUN].wrapping_sub(fewer);
            let (from, to) = ((run % 16) << 4 | size, (shorter % 16) << 4 | size);
            moved[from & 0xFF] = moved[from & 0xFF].wrapping_sub(count);
            moved[to & 0xFF] = moved[to & 0xFF].wrapping_add(count);
        }
    }

    /// Where the block of this mask, which is not zero, is at its end in each band.
    #[inline(always)]
    fn ends(&mut self, mask: u64, index: usize) {
        for (split, &last) in SPLITS.iter().enumerate() {
            let bits = bits_to(last);
            let (low, high) = (mask & bits, mask & !bits);
            if low != 0 {
                self.low[split].end(index);
                self.low[split].start = index + (low >> last) as usize;
            }
            if high != 0 {
                self.high[split].end(index);
                self.high[split].start = index + (high >> 63) as usize;
            }
        }
        self.all.end(index);
        self.all.start = index + (mask >> 63) as usize;
    }
}

struct Refinement {
    counts: Counts,
    ends: EndRun,
    /// Bits of coefficients that had been coded before, and those of them that wait for the end of a run of blocks.
    corrections: u64,
    waiting: u32,
}

impl Refinement {
    fn new() -> Self {
        Self { counts: [0; 256], ends: EndRun::new(), corrections: 0, waiting: 0 }
    }

    /// `coded` had been coded before, `new` are coded for the first time.
    #[inline(always)]
    fn block(&mut self, coded: u64, new: u64, index: usize) {
        while index - self.ends.start >= MAX_END_RUN {
            self.ends.end(self.ends.start + MAX_END_RUN);
            self.ends.start += MAX_END_RUN;
            self.waiting = 0;
        }
        self.corrections += u64::from(coded.count_ones());
        let zeros = !(coded | new);
        let mut rest = new;
        let mut previous = 0;
        while rest != 0 {
            let k = take_lowest(&mut rest);
            let run = (zeros & bits_to(k) & !bits_to(previous)).count_ones() as usize;
            self.counts[ZERO_RUN] += run as u32 / 16;
            self.counts[(run % 16) << 4 | 1] += 1;
            previous = k;
        }
        if new != 0 {
            self.ends.end(index);
            self.ends.start = index + previous / 63;
            self.waiting = 0;
        }
        self.waiting += (coded & !bits_to(previous)).count_ones();
        if self.waiting > MAX_WAITING {
            self.ends.end(index + 1);
            self.ends.start = index + 1;
            self.waiting = 0;
        }
    }
}

impl Statistics {
    /// Counts the scans that leave out up to `LEVELS` - 1 bits; `levels` says how many of them.
    pub(crate) fn of(component: &Component, levels: usize) -> Self {
        let mut all = Self {
            levels: (0..levels).map(|_| Level::new()).collect(),
            refinements: (1..levels).map(|_| Refinement::new()).collect(),
        };
        for (index, (values, mask)) in component.scan().enumerate() {
            if mask != 0 {
                all.block(values, mask, index);
            }
        }
        let count = component.count();
        for level in &mut all.levels {
            level.settle();
            level.low.iter_mut().chain(&mut level.high).for_each(|run| run.end(count));
            level.all.end(count);
        }
        all.refinements.iter_mut().for_each(|refinement| refinement.ends.end(count));
        all
    }

    #[inline(always)]
    fn block(&mut self, values: &[i16], mask: u64, index: usize) {
        let (mut masks, mut previous) = ([0_u64; LEVELS + 1], [0; LEVELS]);
        for (k, value) in indexed(mask, values) {
            let size = 16 - value.unsigned_abs().leading_zeros() as usize;
            for (left_out, level) in self.levels.iter_mut().enumerate().take(size) {
                level.coefficient(previous[left_out], k, size - left_out);
                previous[left_out] = k;
                masks[left_out] |= 1 << k;
            }
        }
        for (level, &mask) in self.levels.iter_mut().zip(&masks) {
            if mask == 0 {
                break;
            }
            level.ends(mask, index);
        }
        for (refinement, masks) in self.refinements.iter_mut().zip(masks.windows(2)) {
            if masks[0] == 0 {
                break;
            }
            refinement.block(masks[1], masks[0] & !masks[1], index);
        }
    }

    /// Of the first scan of a band, without its lowest `left_out` bits.
    pub(crate) fn first(&self, band: Band, left_out: usize) -> Counts {
        let level = &self.levels[left_out];
        let (regions, run) = match band {
            Band::All => (0..SPLITS.len() + 1, &level.all),
            Band::Low(split) => (0..split + 1, &level.low[split]),
            Band::High(split) => (split + 1..SPLITS.len() + 1, &level.high[split]),
        };
        let mut counts = [0; 256];
        for region in &level.regions[regions] {
            counts.iter_mut().zip(region).for_each(|(count, more)| *count += more);
        }
        if let Band::High(split) = band {
            counts
                .iter_mut()
                .zip(&level.moved[split])
                .for_each(|(count, &more)| *count = count.wrapping_add(more));
        }
        run.add_to(&mut counts);
        counts
    }

    /// Of the scan that puts bit `left_out` back, and how many correction bits go with its symbols.
    pub(crate) fn refinement(&self, left_out: usize) -> (Counts, u64) {
        let refinement = &self.refinements[left_out];
        let mut counts = refinement.counts;
        refinement.ends.add_to(&mut counts);
        (counts, refinement.corrections)
    }
}
