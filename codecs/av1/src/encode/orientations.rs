//! The directions along which the source changes least, by the gradients of its samples: of the modes that predict along diagonals,
//! only those of a block's own directions are worth a try.

use crate::block_size::BlockSize;
use crate::few::sort_few;
use crate::plane::Plane;
use crate::predict::IntraMode;

/// The side of a square whose gradients are added up.
const CELL: usize = 8;
/// Squares along a side of a superblock.
const CELLS: usize = 8;
/// The tangents of angles half-way between directions, in units of 1 / 64: of 11.25, 33.75, 56.25 and 78.75 degrees.
const BOUNDS: [i32; 4] = [13, 43, 96, 322];
/// The diagonal directions: those that rise to the right by angle, then those that fall.
const DIAGONALS: [IntraMode; 6] =
    [IntraMode::D203, IntraMode::D45, IntraMode::D67, IntraMode::D157, IntraMode::D135, IntraMode::D113];

/// The diagonal directions of the squares of a superblock.
pub(super) struct Orientations {
    /// Of each square, by rows: the magnitudes of the gradients across each of [`DIAGONALS`].
    cells: [[u32; 6]; CELLS * CELLS],
}

impl Orientations {
    pub(super) fn new() -> Self {
        Self { cells: [[0; 6]; CELLS * CELLS] }
    }

    /// Begins with the superblock at a row and a column of 4×4 blocks.
    pub(super) fn load(&mut self, luma: &Plane, (row, col): (usize, usize)) {
        for (at, cell) in self.cells.iter_mut().enumerate() {
            let (x, y) = (col * 4 + at % CELLS * CELL, row * 4 + at / CELLS * CELL);
            *cell = if x < luma.width && y < luma.height { magnitudes(luma, (x, y)) } else { [0; 6] };
        }
    }

    /// The diagonal modes of a block, the one along which it changes least first.
    pub(super) fn diagonals(&self, (row, col): (usize, usize), size: BlockSize) -> [IntraMode; 6] {
        let cell = |start: usize, length: usize| {
            let first = start / 2 % CELLS;
            first..(first + length.div_ceil(2)).min(CELLS)
        };
        let mut sums = [0; 6];
        for y in cell(row, size.height4()) {
            for x in cell(col, size.width4()) {
                for (sum, value) in sums.iter_mut().zip(self.cells[y * CELLS + x]) {
                    *sum += value;
                }
            }
        }
        let mut order = [0, 1, 2, 3, 4, 5];
        sort_few(&mut order, |a, b| sums[*a] > sums[*b]);
        order.map(|at| DIAGONALS[at])
    }
}

/// The magnitudes of the gradients of a square, by the diagonal that is across each.
fn magnitudes(luma: &Plane, (x, y): (usize, usize)) -> [u32; 6] {
    let mut sums = [0; 6];
    let (right, below) = ((x + CELL).min(luma.width - 1), (y + CELL).min(luma.height - 1));
    for line in y.max(1)..below {
        let row = |line: usize| &luma.data[line * luma.stride..][..luma.stride];
        let (above, current, next) = (row(line - 1), row(line), row(line + 1));
        for column in x.max(1)..right {
            let across = i32::from(current[column + 1]) - i32::from(current[column - 1]);
            let down = i32::from(next[column]) - i32::from(above[column]);
            // The edge is at a right angle to the gradient: as steep as the gradient is flat.
            let (run, rise) = (down.abs(), across.abs());
            let steepness = BOUNDS.iter().filter(|bound| 64 * rise > **bound * run).count();
            if let 1..=3 = steepness {
                // Down is positive: gradients of one sign are those of an edge that rises to the right.
                let falls = (across < 0) != (down < 0);
                sums[usize::from(falls) * 3 + steepness - 1] += (run + rise) as u32;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripes_are_seen_in_their_direction() {
        // Lines along which the stripes run: to the right by the first, down by the second.
        for (mode, (across, down)) in [
            (IntraMode::D45, (1, 1)),
            (IntraMode::D67, (5, 2)),
            (IntraMode::D203, (2, 5)),
            (IntraMode::D135, (1, -1)),
            (IntraMode::D113, (5, -2)),
            (IntraMode::D157, (2, -5)),
        ] {
            let mut luma = Plane::new(64, 64, 64, 64).unwrap();
            for (at, sample) in luma.data.iter_mut().enumerate() {
                let (x, y) = ((at % 64) as f32, (at / 64) as f32);
                *sample = (500.0 + 200.0 * (0.12 * (x * across as f32 + y * down as f32)).sin()) as u16;
            }
            let mut orientations = Orientations::new();
            orientations.load(&luma, (0, 0));
            assert_eq!(orientations.diagonals((2, 4), BlockSize::B16x16)[0], mode);
        }
    }
}
