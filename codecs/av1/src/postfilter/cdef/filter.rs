//! The filter of one block (section 7.15.3): each sample is moved toward the samples along the direction of the block and at
//! 45 degrees to it, as far as these differ little.

use crate::coverage;

/// The mark of a sample that is not available. It is larger than any sample, and so far from it that it has no weight.
pub(super) const UNAVAILABLE: u16 = 30_000;

/// How a block is filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strengths {
    /// Primary strength, scaled to the depth.
    pub(super) primary: i16,
    /// Secondary strength, scaled to the depth.
    pub(super) secondary: i16,
    /// The direction, 0 to 7.
    pub(super) direction: usize,
    pub(super) damping: u8,
}

/// Where the samples before filtering are.
pub(super) struct Source<'a> {
    pub(super) samples: &'a [u16],
    pub(super) stride: usize,
    /// The first sample of the block.
    pub(super) start: usize,
}

/// `Cdef_Directions`: rows and columns of the nearer and the farther sample.
const DIRECTIONS: [[[isize; 2]; 2]; 8] = [
    [[-1, 1], [-2, 2]],
    [[0, 1], [-1, 2]],
    [[0, 1], [0, 2]],
    [[0, 1], [1, 2]],
    [[1, 1], [2, 2]],
    [[1, 0], [2, 1]],
    [[1, 0], [2, 0]],
    [[1, 0], [2, -1]],
];

/// `Cdef_Pri_Taps`.
const PRIMARY_TAPS: [[i16; 2]; 2] = [[4, 2], [3, 3]];
/// `Cdef_Sec_Taps`.
const SECONDARY_TAPS: [i16; 2] = [2, 1];

/// Samples of the largest block.
const MAX_SAMPLES: usize = 64;

/// A block of samples, row by row.
type Tile = [i16; MAX_SAMPLES];

/// Filters `height` rows of `W` samples into `to`, whose rows are `stride` apart.
pub(super) fn filter<const W: usize>(
    from: &Source,
    to: &mut [u16],
    stride: usize,
    height: usize,
    strengths: &Strengths,
    bit_depth: u8,
) {
    let kinds = (strengths.primary != 0, strengths.secondary != 0);
    coverage::count("cdef", usize::from(kinds.0) + 2 * usize::from(kinds.1));
    let mut block = Block::new(from.tile::<W>(height, 0), W * height);
    for distance in 0..2 {
        let tiles = |direction: usize| {
            let [rows, columns] = DIRECTIONS[direction & 7][distance];
            let offset = rows * from.stride as isize + columns;
            [from.tile::<W>(height, offset), from.tile::<W>(height, -offset)]
        };
        let direction = strengths.direction;
        if kinds.0 {
            let odd = usize::from(strengths.primary as u16 >> (bit_depth - 8)) & 1;
            let taps = Taps::new(strengths.primary, strengths.damping, PRIMARY_TAPS[odd][distance]);
            let [a, b] = tiles(direction);
            block.add([&a, &b], &taps);
        }
        if kinds.1 {
            let taps = Taps::new(strengths.secondary, strengths.damping, SECONDARY_TAPS[distance]);
            let ([a, b], [c, d]) = (tiles(direction + 6), tiles(direction + 2));
            block.add([&a, &b, &c, &d], &taps);
        }
    }
    // With one kind of taps, whose weights add up to less than one, the result is within the range anyway.
    let result = if kinds == (true, true) { block.clipped() } else { block.moved() };
    for (row, result) in to.chunks_mut(stride).zip(result.chunks_exact(W)).take(height) {
        for (sample, &result) in row[..W].iter_mut().zip(result) {
            *sample = result as u16;
        }
    }
}

impl Source<'_> {
    /// The block this far from its place.
    #[inline(always)]
    fn tile<const W: usize>(&self, height: usize, offset: isize) -> Tile {
        let mut tile = [UNAVAILABLE as i16; MAX_SAMPLES];
        let rows = self.samples.get(self.start.wrapping_add_signed(offset)..).unwrap_or_default();
        for (to, from) in tile.chunks_exact_mut(W).zip(rows.chunks(self.stride)).take(height) {
            if let Some(from) = from.first_chunk::<W>() {
                to.copy_from_slice(&from.map(|sample| sample as i16));
            }
        }
        tile
    }
}

/// The strength of samples of one kind at one distance.
struct Taps {
    strength: i16,
    shift: u32,
    weight: i16,
}

impl Taps {
    fn new(strength: i16, damping: u8, weight: i16) -> Self {
        let log2 = strength.checked_ilog2().unwrap_or(0);
        Self { strength, shift: u32::from(damping).saturating_sub(log2) & 15, weight }
    }

    /// `constrain`.
    #[inline(always)]
    fn constrain(&self, difference: i16) -> i16 {
        let magnitude = difference.abs();
        let limited = (self.strength - (magnitude >> self.shift)).max(0).min(magnitude);
        if difference < 0 { -limited } else { limited }
    }
}

/// The samples of a block with what the taps make of them. All loops run over the whole block, so that they are vectorized.
struct Block {
    samples: Tile,
    sums: Tile,
    least: Tile,
    most: Tile,
    length: usize,
}

impl Block {
    fn new(samples: Tile, length: usize) -> Self {
        Self {
            samples,
            sums: [0; MAX_SAMPLES],
            least: samples,
            most: samples,
            length: length.min(MAX_SAMPLES),
        }
    }

    /// Adds taps at which the other samples are.
    #[inline(never)]
    fn add<const N: usize>(&mut self, others: [&Tile; N], taps: &Taps) {
        for at in 0..self.length {
            let sample = self.samples[at];
            let (mut sum, mut least, mut most) = (0, self.least[at], self.most[at]);
            for other in others {
                let other = other[at];
                sum += taps.constrain(other - sample);
                least = least.min(other);
                most = most.max(if other == UNAVAILABLE as i16 { sample } else { other });
            }
            self.sums[at] += taps.weight * sum;
            (self.least[at], self.most[at]) = (least, most);
        }
    }

    fn moved(&self) -> Tile {
        let mut moved = self.samples;
        for (sample, &sum) in moved.iter_mut().zip(&self.sums) {
            *sample += (8 + sum - i16::from(sum < 0)) >> 4;
        }
        moved
    }

    fn clipped(&self) -> Tile {
        let mut clipped = self.moved();
        for (at, sample) in clipped.iter_mut().enumerate() {
            *sample = (*sample).max(self.least[at]).min(self.most[at]);
        }
        clipped
    }
}
