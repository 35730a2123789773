//! How much detail hides errors. The eye misses errors where neighboring samples differ anyway, so the squared errors of squares of
//! 8×8 samples have a weight that falls with the second differences of luma there: modes and levels are chosen by it, and so is
//! the quantizer of a superblock. How much of the whole picture is textured says how far that may go.

use crate::error::Error;
use crate::plane::Plane;
use crate::try_vec::filled;
use libm::{exp2f, log2f};
use std::ops::Range;

/// The side of a square.
const CELL: usize = 8;
/// The power of the activity by which weights fall.
const EXPONENT: f32 = 0.25;
/// The base 2 logarithm of the activity whose weight is 1.
const MIDDLE: f32 = 6.0;
/// What is added to the activity, in squared samples of 8 bits: below it, differences are noise.
const NOISE: f32 = 0.5;
/// The largest base 2 logarithm of a weight, and of its inverse.
const MOST: f32 = 2.0;
/// The mean logarithms of weights from which on a picture counts as smooth, and down to which it counts as textured.
const SMOOTH: f32 = 0.8;
const TEXTURED: f32 = 0.2;

/// The weights of the squares of a picture, by rows.
pub(super) struct Activity {
    columns: usize,
    rows: usize,
    /// Their base 2 logarithms.
    logarithms: Vec<f32>,
    weights: Vec<f32>,
    texture: f32,
}

impl Activity {
    pub(super) fn new(luma: &Plane, bit_depth: u8) -> Result<Self, Error> {
        let (columns, rows) = (luma.width.div_ceil(CELL), luma.height.div_ceil(CELL));
        let (mut logarithms, mut weights) = (filled(0.0, columns * rows)?, filled(0.0, columns * rows)?);
        let scale = 2.0 / f32::from(1u16 << (bit_depth - 8));
        for at in 0..columns * rows {
            let difference = scale * second_difference(luma, (at % columns * CELL, at / columns * CELL));
            let activity = log2f(NOISE + difference * difference);
            logarithms[at] = (EXPONENT * (MIDDLE - activity)).clamp(-MOST, MOST);
            weights[at] = exp2f(logarithms[at]);
        }
        let mut activity = Self { columns, rows, logarithms, weights, texture: 0.0 };
        let mean = activity.log2_weight((0, 0), (columns * CELL, rows * CELL));
        activity.texture = ((SMOOTH - mean) / (SMOOTH - TEXTURED)).clamp(0.0, 1.0);
        Ok(activity)
    }

    /// The mean weight of an area of luma: where it begins, and its width and height, in samples.
    pub(super) fn weight(&self, place: (usize, usize), extent: (usize, usize)) -> f32 {
        self.mean(&self.weights, place, extent)
    }

    /// The base 2 logarithm of the geometric mean.
    pub(super) fn log2_weight(&self, place: (usize, usize), extent: (usize, usize)) -> f32 {
        self.mean(&self.logarithms, place, extent)
    }

    /// How textured the picture is as a whole, from 0 to 1: the more, the less the loss of fine detail is seen.
    pub(super) fn texture(&self) -> f32 {
        self.texture
    }

    fn mean(&self, values: &[f32], (x, y): (usize, usize), (w, h): (usize, usize)) -> f32 {
        let cells = |start: usize, length: usize, count: usize| -> Range<usize> {
            let first = (start / CELL).min(count - 1);
            first..(start + length).div_ceil(CELL).clamp(first + 1, count)
        };
        let (columns, rows) = (cells(x, w, self.columns), cells(y, h, self.rows));
        let count = (columns.len() * rows.len()) as f32;
        let of_row = |row: usize| values[row * self.columns..][columns.clone()].iter().sum::<f32>();
        rows.map(of_row).sum::<f32>() / count
    }
}

/// The mean difference of samples of a square from their four neighbors' mean, in magnitude.
fn second_difference(luma: &Plane, (x, y): (usize, usize)) -> f32 {
    let mut sum = 0;
    for line in y..y + CELL {
        let row = |line: usize| &luma.data[line.min(luma.height - 1) * luma.stride..][..luma.stride];
        let (above, current, below) = (row(line.saturating_sub(1)), row(line), row(line + 1));
        for column in x..x + CELL {
            let left = current[column.saturating_sub(1)];
            let right = current[(column + 1).min(luma.stride - 1)];
            let around = [above[column], below[column], left, right].map(i32::from);
            sum += (4 * i32::from(current[column]) - around.iter().sum::<i32>()).abs();
        }
    }
    sum as f32 / (4 * CELL * CELL) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detail_lowers_the_weight_where_it_is() {
        let mut luma = Plane::new(32, 16, 32, 16).unwrap();
        for (at, sample) in luma.data.iter_mut().enumerate() {
            *sample = if at % 32 < 16 { 100 } else { 100 + 60 * (at as u16 % 2) };
        }
        let activity = Activity::new(&luma, 8).unwrap();
        let (flat, detailed) = (activity.weight((0, 0), (8, 8)), activity.weight((24, 8), (8, 8)));
        assert!(flat > 2.5 && detailed < 0.5, "{flat}, {detailed}");
        let mean = activity.weight((0, 0), (32, 16));
        assert!(mean > detailed && mean < flat);
        assert!((exp2f(activity.log2_weight((0, 0), (4, 4))) / flat - 1.0).abs() < 0.02);
        let smooth = Activity::new(&Plane::new(32, 16, 32, 16).unwrap(), 8).unwrap();
        assert!(activity.texture() > 0.5 && smooth.texture() == 0.0);
        // Beyond the picture the last squares count.
        assert_eq!(activity.weight((64, 64), (64, 64)), detailed);
    }
}
