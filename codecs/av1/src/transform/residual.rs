//! What is to be transformed: the kind of a block, and the ranges that follow from it (section 7.13.3).

use super::tx_size::{TxSize, TxType};

/// What the coefficients of a block are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Residual {
    /// The size of the block.
    pub(crate) tx_size: TxSize,
    /// The transforms. Those of 64 samples are DCTs; those of 32 samples are DCTs or identities.
    pub(crate) tx_type: TxType,
    /// Whether the block is lossless: 4 × 4, by the Walsh–Hadamard transform.
    pub(crate) lossless: bool,
    /// Bits of a sample: 8, 10 or 12.
    pub(crate) bit_depth: u8,
    /// Coefficients from this row on are zero.
    pub(crate) rows: usize,
    /// Coefficients from this column on are zero.
    pub(crate) cols: usize,
}

impl Residual {
    /// Rows and columns that can have coefficients, at least 1 each.
    pub(super) fn bounds(&self) -> (usize, usize) {
        let most = |side: usize| side.min(32);
        let (w, h) = (most(self.tx_size.width()), most(self.tx_size.height()));
        (self.rows.clamp(1, h), self.cols.clamp(1, w))
    }

    /// The largest value while rows are transformed (`rowClampRange`).
    pub(super) fn largest_of_rows(&self) -> i32 {
        (1 << (self.bit_depth + 7)) - 1
    }

    /// The largest value while columns are transformed (`colClampRange`).
    pub(super) fn largest_of_columns(&self) -> i32 {
        (1 << (self.bit_depth + 5).max(15)) - 1
    }
}
