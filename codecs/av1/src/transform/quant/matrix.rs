//! The quantizer matrix of a transform size: samples of the matrix of 32 × 32 or 16 × 32 (section 9.5.2).

use super::matrices::MATRICES;
use crate::coverage;
use crate::transform::TxSize;

/// Weights of the triangle, before those of 16 × 32.
const TRIANGLE: usize = 32 * 33 / 2;

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
        let weights: &[u8] = MATRICES.get(2 * level + usize::from(chroma))?;
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
