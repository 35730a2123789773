//! The two-dimensional inverse transform of a block, added to the plane (sections 7.12.3 and 7.13.3).

use super::lanes::{LANES, Lanes, round12};
use super::residual::Residual;
use super::rows::{self, MAX_LENGTH};
use super::tx_size::TxType;
use super::{columns, wht};
use crate::coverage;
use crate::plane::Plane;

/// Lanes of the largest block.
const MAX_LANES: usize = MAX_LENGTH * MAX_LENGTH / LANES;

/// Inverse transforms with the buffers that they work in: of 16 bits where the clamping ranges of the specification are 16 bits,
/// else of 32.
#[derive(Debug)]
pub(crate) struct InverseTransform {
    row_16: [Lanes<i16>; MAX_LENGTH],
    row_32: [Lanes<i32>; MAX_LENGTH],
    columns_16: [Lanes<i16>; MAX_LANES],
    columns_32: [Lanes<i32>; MAX_LANES],
}

impl InverseTransform {
    /// Empty buffers.
    pub(crate) fn new() -> Self {
        Self {
            row_16: [[0; LANES]; MAX_LENGTH],
            row_32: [[0; LANES]; MAX_LENGTH],
            columns_16: [[0; LANES]; MAX_LANES],
            columns_32: [[0; LANES]; MAX_LANES],
        }
    }

    /// Adds the residual of a block to the prediction at (`x`, `y`).
    ///
    /// `coefficients` are dequantized, row by row, min(32, width) in a row. They are set to zero.
    pub(crate) fn add(
        &mut self,
        plane: &mut Plane,
        x: usize,
        y: usize,
        coefficients: &mut [i32],
        residual: &Residual,
    ) {
        let (rows, cols) = residual.bounds();
        coverage::count("tx_size", residual.tx_size as usize);
        coverage::count("tx_type", residual.tx_type as usize);
        if residual.lossless {
            coverage::count("lossless", usize::from(residual.bit_depth));
            wht::add(plane, x, y, coefficients, residual.bit_depth);
        } else if (rows, cols) == (1, 1) && residual.tx_type == TxType::DctDct {
            columns::add_flat(flat(coefficients[0], residual), plane, (x, y), residual);
        } else {
            self.transform(plane, (x, y), coefficients, residual);
        }
        for row in coefficients.chunks_mut(residual.tx_size.width().min(32)).take(rows) {
            row[..cols].fill(0);
        }
    }

    fn transform(
        &mut self,
        plane: &mut Plane,
        position: (usize, usize),
        coefficients: &[i32],
        residual: &Residual,
    ) {
        match residual.bit_depth {
            8 => {
                rows::transform(&mut self.row_16, &mut self.columns_16, coefficients, residual);
                columns::add(&mut self.columns_16, plane, position, residual);
            }
            10 => {
                rows::transform(&mut self.row_32, &mut self.columns_16, coefficients, residual);
                columns::add(&mut self.columns_16, plane, position, residual);
            }
            _ => {
                rows::transform(&mut self.row_32, &mut self.columns_32, coefficients, residual);
                columns::add(&mut self.columns_32, plane, position, residual);
            }
        }
    }
}

/// The value of all samples where the DC coefficient is the only one, before the last shift.
fn flat(dc: i32, residual: &Residual) -> i32 {
    /// `cos128(32)`.
    const HALF_SQRT: i32 = 2896;
    let row = round12(rows::scale_dc(dc, residual).wrapping_mul(HALF_SQRT));
    round12(rows::round_row(row, residual).wrapping_mul(HALF_SQRT))
}
