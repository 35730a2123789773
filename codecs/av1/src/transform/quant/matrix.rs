//! The quantizer matrix of a transform size: samples of the matrix of 32 × 32 or 16 × 32 (section 9.5.2).

use super::matrices::DIFFERENCES;
use crate::coverage;
use crate::transform::TxSize;
use std::sync::OnceLock;

/// Weights of the triangle, before those of 16 × 32.
const TRIANGLE: usize = 32 * 33 / 2;
/// Weights of a level.
const WEIGHTS: usize = TRIANGLE + 16 * 32;

/// The weights of the levels that were used.
static WEIGHTS_OF_LEVELS: [OnceLock<[u8; WEIGHTS]>; DIFFERENCES.len()] =
    [const { OnceLock::new() }; DIFFERENCES.len()];

/// One matrix, and where in it the weights of the transform size are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix {
    weights: &'static [u8],
    /// Base 2 logarithm of the columns of coefficients.
    log2_columns: u8,
    /// Base 2 logarithm of the distance of two columns of the transform in the matrix, and of two rows.
    ratio: [u8; 2],
    shape: Shape,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Square,
    Tall,
    Wide,
}

impl Matrix {
    /// The matrix of a level; none above 14.
    pub(super) fn new(level: usize, chroma: bool, tx_size: TxSize) -> Option<Self> {
        let weights = weights(2 * level + usize::from(chroma))?;
        coverage::count("quantizer_matrix", level);
        let (log2_w, log2_h) = (tx_size.log2_w(), tx_size.log2_h());
        let [columns, rows] = [log2_w.min(5), log2_h.min(5)];
        let (weights, shape) = match log2_w.cmp(&log2_h) {
            // 64 × 32 has as many coefficients as 32 × 32, and its matrix.
            _ if columns == rows => (&weights[..TRIANGLE], Shape::Square),
            std::cmp::Ordering::Less => (&weights[TRIANGLE..], Shape::Tall),
            _ => (&weights[TRIANGLE..], Shape::Wide),
        };
        let ratio = match shape {
            Shape::Square => [5 - columns, 5 - rows],
            Shape::Tall => [4 - columns, 5 - rows],
            Shape::Wide => [5 - columns, 4 - rows],
        };
        Some(Self { weights, log2_columns: columns, ratio, shape })
    }

    /// The weight of the coefficient at a position, in 1/32.
    #[inline]
    pub(super) fn weight(&self, position: usize) -> i32 {
        let sample = |index: usize, log2: u8| (index << log2) + ((1 << log2) >> 1) - usize::from(log2 > 0);
        let column = sample(position & ((1 << self.log2_columns) - 1), self.ratio[0]);
        let row = sample(position >> self.log2_columns, self.ratio[1]);
        let index = match self.shape {
            Shape::Square => {
                let (larger, smaller) = (row.max(column), row.min(column));
                larger * (larger + 1) / 2 + smaller
            }
            Shape::Tall => row * 16 + column,
            Shape::Wide => column * 16 + row,
        };
        i32::from(self.weights.get(index).copied().unwrap_or(32))
    }
}

/// The weights of luma or chroma of a level.
fn weights(index: usize) -> Option<&'static [u8]> {
    let differences = DIFFERENCES.get(index)?;
    let weights = WEIGHTS_OF_LEVELS[index].get_or_init(|| {
        let mut weights = *differences;
        let (triangle, rectangle) = weights.split_at_mut(TRIANGLE);
        add_predictions(triangle, |row| row + 1);
        add_predictions(rectangle, |_| 16);
        weights
    });
    Some(weights)
}

/// Turns differences into weights. `length` tells how long a row is.
fn add_predictions(weights: &mut [u8], length: impl Fn(usize) -> usize) {
    let mut start = 0;
    for row in 0..32_usize {
        let (before, current) = weights.split_at_mut(start);
        let above = row.checked_sub(1).map_or(&[][..], |row| &before[start - length(row)..]);
        for column in 0..length(row) {
            let left = column.checked_sub(1).map(|before| current[before]);
            let prediction = match (left, above.get(column)) {
                (Some(left), Some(above_it)) => left.wrapping_add(*above_it).wrapping_sub(above[column - 1]),
                (left, above) => left.or(above.copied()).unwrap_or(0),
            };
            current[column] = current[column].wrapping_add(prediction);
        }
        start += length(row);
    }
}
