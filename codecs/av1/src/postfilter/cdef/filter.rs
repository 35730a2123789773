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
    match kinds {
        (true, true) => filter_with::<W, true, true>(from, to, stride, height, strengths, bit_depth),
        (true, false) => filter_with::<W, true, false>(from, to, stride, height, strengths, bit_depth),
        (false, true) => filter_with::<W, false, true>(from, to, stride, height, strengths, bit_depth),
        (false, false) => {}
    }
}

fn filter_with<const W: usize, const PRIMARY: bool, const SECONDARY: bool>(
    from: &Source,
    to: &mut [u16],
    stride: usize,
    height: usize,
    strengths: &Strengths,
    bit_depth: u8,
) {
    let offsets = |direction: usize| {
        DIRECTIONS[direction & 7].map(|[rows, columns]| rows * from.stride as isize + columns)
    };
    let direction = strengths.direction;
    let (along, left, right) = (offsets(direction), offsets(direction + 6), offsets(direction + 2));
    let primary = Constraint::new(strengths.primary, strengths.damping);
    let secondary = Constraint::new(strengths.secondary, strengths.damping);
    let taps = PRIMARY_TAPS[usize::from(strengths.primary as u16 >> (bit_depth - 8)) & 1];
    for (i, row) in to.chunks_mut(stride).take(height).enumerate() {
        let start = from.start + i * from.stride;
        let at = |offset: isize| row_at::<W>(from.samples, start.wrapping_add_signed(offset));
        let mut pixel = Pixels::new(at(0));
        for k in 0..2 {
            if PRIMARY {
                for offset in [along[k], -along[k]] {
                    pixel.add(&at(offset), taps[k], &primary, PRIMARY && SECONDARY);
                }
            }
            if SECONDARY {
                for offset in [left[k], -left[k], right[k], -right[k]] {
                    pixel.add(&at(offset), SECONDARY_TAPS[k], &secondary, PRIMARY && SECONDARY);
                }
            }
        }
        // With one kind of taps, whose weights add up to less than one, the result is within the range anyway.
        let result = pixel.finish(PRIMARY && SECONDARY);
        row[..W].copy_from_slice(&result);
    }
}

#[inline(always)]
fn row_at<const W: usize>(samples: &[u16], start: usize) -> [u16; W] {
    samples.get(start..start + W).and_then(|row| row.try_into().ok()).unwrap_or([UNAVAILABLE; W])
}

/// `constrain` for one strength.
struct Constraint {
    strength: i16,
    shift: u32,
}

impl Constraint {
    fn new(strength: i16, damping: u8) -> Self {
        let log2 = strength.checked_ilog2().unwrap_or(0);
        Self { strength, shift: u32::from(damping).saturating_sub(log2) & 15 }
    }

    #[inline(always)]
    fn apply(&self, difference: i16) -> i16 {
        let magnitude = difference.abs();
        let limited = (self.strength - (magnitude >> self.shift)).max(0).min(magnitude);
        if difference < 0 { -limited } else { limited }
    }
}

/// Samples of a row with what the taps make of them.
struct Pixels<const W: usize> {
    samples: [i16; W],
    sums: [i16; W],
    least: [i16; W],
    most: [i16; W],
}

impl<const W: usize> Pixels<W> {
    #[inline(always)]
    fn new(samples: [u16; W]) -> Self {
        let samples = samples.map(|sample| sample as i16);
        Self { samples, sums: [0; W], least: samples, most: samples }
    }

    #[inline(always)]
    fn add(&mut self, other: &[u16; W], tap: i16, constraint: &Constraint, range: bool) {
        for lane in 0..W {
            let other = other[lane] as i16;
            self.sums[lane] += tap * constraint.apply(other - self.samples[lane]);
            if range {
                let available = if other == UNAVAILABLE as i16 { self.samples[lane] } else { other };
                self.least[lane] = self.least[lane].min(other);
                self.most[lane] = self.most[lane].max(available);
            }
        }
    }

    #[inline(always)]
    fn finish(&self, range: bool) -> [u16; W] {
        std::array::from_fn(|lane| {
            let sum = self.sums[lane];
            let moved = self.samples[lane] + ((8 + sum - i16::from(sum < 0)) >> 4);
            let clipped = if range { moved.clamp(self.least[lane], self.most[lane]) } else { moved };
            clipped as u16
        })
    }
}
