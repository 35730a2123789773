//! Chroma from luma: the differences of luma samples from their mean, scaled, are added to the DC prediction (section 7.11.5).

use crate::coverage;
use crate::plane::Plane;

/// The largest side of a block with this mode, in chroma samples.
const MAX_SIDE: usize = 32;

/// A chroma block that is predicted from luma.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CflBlock {
    /// Column of the first chroma sample.
    pub(crate) x: usize,
    /// Row of the first chroma sample.
    pub(crate) y: usize,
    /// Base 2 logarithm of the width, 2 to 5.
    pub(crate) log2_w: u8,
    /// Base 2 logarithm of the height, 2 to 5.
    pub(crate) log2_h: u8,
    /// 1 if chroma is subsampled horizontally.
    pub(crate) ss_x: u8,
    /// 1 if chroma is subsampled vertically.
    pub(crate) ss_y: u8,
    /// `MaxLumaW`: the columns of luma that are decoded.
    pub(crate) max_luma_w: usize,
    /// `MaxLumaH`: the rows of luma that are decoded.
    pub(crate) max_luma_h: usize,
}

/// The luma of a block as chroma prediction needs it: at the resolution of chroma, with three fractional bits, less its mean.
#[derive(Debug)]
pub(crate) struct CflLuma {
    differences: [i16; MAX_SIDE * MAX_SIDE],
    w: usize,
    h: usize,
}

impl CflLuma {
    /// An empty buffer.
    pub(crate) fn new() -> Self {
        Self { differences: [0; MAX_SIDE * MAX_SIDE], w: 0, h: 0 }
    }

    /// Loads the reconstructed luma of a block. The same serves both chroma planes.
    pub(crate) fn load(&mut self, luma: &Plane, block: &CflBlock) {
        let (w, h) = (1 << block.log2_w.min(5), 1 << block.log2_h.min(5));
        let (ss_x, ss_y) = (usize::from(block.ss_x), usize::from(block.ss_y));
        coverage::count("cfl", 2 * ss_x + ss_y);
        (self.w, self.h) = (w, h);
        let (x, last_x) = (block.x << ss_x, block.max_luma_w.saturating_sub(1 << ss_x));
        let (y, last_y) = (block.y << ss_y, block.max_luma_h.saturating_sub(1 << ss_y));
        // Columns that are decoded; the last of them stands for the others.
        let columns = (last_x.saturating_sub(x) >> ss_x).min(w - 1) + 1;
        let x = x.min(last_x);
        let shift = 3 - block.ss_x - block.ss_y;
        let mut sum = 0_i32;
        for (i, to) in self.differences.chunks_exact_mut(w).take(h).enumerate() {
            let start = (y + (i << ss_y)).min(last_y) * luma.stride + x;
            let upper = &luma.data[start..][..columns << ss_x];
            let (decoded, beyond) = to.split_at_mut(columns);
            match (ss_x, ss_y) {
                (0, 0) => copy(decoded, upper, shift),
                (_, 0) => add_pairs(decoded, upper, shift),
                _ => {
                    let lower = &luma.data[start + luma.stride..][..columns << ss_x];
                    add_squares(decoded, upper, lower, shift);
                }
            }
            beyond.fill(decoded[columns - 1]);
            sum += to.iter().map(|&value| i32::from(value)).sum::<i32>();
        }
        let bits = block.log2_w.min(5) + block.log2_h.min(5);
        let mean = ((sum + (1 << (bits - 1))) >> bits) as i16;
        self.differences[..w * h].iter_mut().for_each(|value| *value -= mean);
    }

    /// The differences of luma from its mean, in eighths of a sample, row by row, and the length of a row.
    pub(crate) fn differences(&self) -> (&[i16], usize) {
        (&self.differences[..self.w * self.h], self.w)
    }

    /// Adds `alpha` (in units of 1/8) times the loaded luma to the DC prediction that the block at (`x`, `y`) holds.
    pub(crate) fn predict(&self, plane: &mut Plane, x: usize, y: usize, alpha: i32, bit_depth: u8) {
        let largest = (1 << bit_depth) - 1;
        let rows = plane.block_rows(x, y, self.w, self.h);
        for (row, differences) in rows.zip(self.differences.chunks_exact(self.w.max(1))) {
            // The prediction is the same everywhere.
            let dc = row.first().map_or(0, |&sample| i32::from(sample));
            for (sample, &difference) in row.iter_mut().zip(differences) {
                let scaled = alpha * i32::from(difference);
                // Rounds half away from zero, as `Round2Signed` does.
                let rounded = (scaled + 32 + (scaled >> 31)) >> 6;
                *sample = (dc + rounded).clamp(0, largest) as u16;
            }
        }
    }
}

fn copy(to: &mut [i16], from: &[u16], shift: u8) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = (from << shift) as i16;
    }
}

fn add_pairs(to: &mut [i16], from: &[u16], shift: u8) {
    for (to, from) in to.iter_mut().zip(from.chunks_exact(2)) {
        *to = ((from[0] + from[1]) << shift) as i16;
    }
}

fn add_squares(to: &mut [i16], upper: &[u16], lower: &[u16], shift: u8) {
    for ((to, upper), lower) in to.iter_mut().zip(upper.chunks_exact(2)).zip(lower.chunks_exact(2)) {
        *to = ((upper[0] + upper[1] + lower[0] + lower[1]) << shift) as i16;
    }
}
