//! The inverse transform of a block to as many samples as it has coefficients, or to half as many in a direction: the means of two.
//!
//! In IEEE 754 additions and multiplications in a fixed order: the same samples on every machine.

use crate::coefficients::Block;
use crate::encode::COSINES;
use crate::lanes::{beyond, take_lowest};
use crate::zigzag::ZIGZAG;

/// By frequency, the weight of its coefficient in each sample.
type Basis = [[f32; 8]; 8];

static FULL: Basis = basis(1);
static HALF: Basis = basis(2);

/// cos((2x + 1) k π / 16) / 2, and the square root of a half of it for DC, or the means of so many of them.
const fn basis(means: usize) -> Basis {
    let mut basis = [[0.0; 8]; 8];
    let mut k = 0;
    while k < 8 {
        let mut x = 0;
        while x < 8 {
            // π / 16 is a 32nd of a turn.
            let angle = (2 * x + 1) * k % 32;
            let angle = if angle > 16 { 32 - angle } else { angle };
            let cosine = match angle {
                8 => 0.0,
                ..8 => COSINES[angle],
                _ => -COSINES[16 - angle],
            };
            basis[k][x / means] += if k == 0 { COSINES[4] } else { cosine } / means as f32;
            x += 1;
        }
        k += 1;
    }
    basis
}

/// Samples about zero: rows of as many samples as `size` says, 4 or 8 across and down.
pub(super) fn inverse(block: &Block, steps: &[f32; 64], size: (usize, usize)) -> [[f32; 8]; 8] {
    let dc = f32::from(block[0]) * steps[0];
    let mut mask = beyond(block, &[0; 64]);
    if mask == 0 {
        return [[dc * 0.125; 8]; 8];
    }
    let mut rows = [[0.0; 8]; 8];
    rows[0][0] = dc;
    // Rows and columns that are not all zero.
    let (mut down, mut across) = (1_u8, 1_u8);
    while mask != 0 {
        let k = take_lowest(&mut mask);
        let (row, column) = (usize::from(ZIGZAG[k] / 8 % 8), usize::from(ZIGZAG[k] % 8));
        rows[row][column] = f32::from(block[k]) * steps[k];
        down |= 1 << row;
        across |= 1 << column;
    }
    let basis = if size.1 == 4 { &HALF } else { &FULL };
    let mut columns = [[0.0; 8]; 8];
    for (k, row) in rows.iter().enumerate().filter(|(k, _)| down >> k & 1 != 0) {
        for (column, &weight) in columns.iter_mut().zip(&basis[k]).take(size.1) {
            (0..8).for_each(|lane| column[lane] += weight * row[lane]);
        }
    }
    match size.0 {
        4 => rows_of::<4>(&columns, &HALF, across, size.1),
        _ => rows_of::<8>(&columns, &FULL, across, size.1),
    }
}

/// The second dimension: `height` rows of `W` samples.
#[inline(always)]
fn rows_of<const W: usize>(columns: &[[f32; 8]; 8], basis: &Basis, used: u8, height: usize) -> [[f32; 8]; 8] {
    let mut samples = [[0.0; 8]; 8];
    for (k, weights) in basis.iter().enumerate().filter(|(k, _)| used >> k & 1 != 0) {
        for (samples, column) in samples.iter_mut().zip(columns).take(height) {
            (0..W).for_each(|lane| samples[lane] += column[k] * weights[lane]);
        }
    }
    samples
}
