//! Forward transforms: orthonormal, times eight, which is what steps of the quantizer are of for every size. Their basis functions are
//! those of the inverse transforms (AV1 specification, section 7.13), and they work on floats: only the inverse has to be exact.

mod kernels;
#[cfg(test)]
mod tests;
mod wht;

use crate::transform::{Kind, TxSize, TxType};
use kernels::{LANES, Lanes};
pub(super) use wht::wht;

/// The longest side.
const MAX_SIDE: usize = 64;
/// The most rows or columns with coefficients.
const MAX_CODED: usize = 32;
/// What orthonormal coefficients are scaled by.
pub(super) const SCALE: f32 = 8.0;

/// Transforms with the buffers that they work in.
pub(super) struct ForwardTransform {
    rows: Vec<f32>,
    columns: Vec<f32>,
}

impl ForwardTransform {
    pub(super) fn new() -> Self {
        Self { rows: vec![0.0; MAX_SIDE * MAX_SIDE], columns: vec![0.0; MAX_SIDE * MAX_SIDE] }
    }

    /// Transforms `residual`, row by row. The coefficients go to `to`, row by row, min(32, width) in a row; those beyond 32 are left out.
    pub(super) fn transform(&mut self, residual: &[f32], size: TxSize, tx_type: TxType, to: &mut [f32]) {
        let (w, h) = (size.width(), size.height());
        let (coded_w, coded_h) = (w.min(MAX_CODED), h.min(MAX_CODED));
        columns(residual, (w, h), tx_type.columns(), &mut self.rows, coded_h);
        transpose(&self.rows, (w, coded_h), &mut self.columns);
        columns(&self.columns, (coded_h, w), tx_type.rows(), &mut self.rows, coded_w);
        transpose(&self.rows, (coded_h, coded_w), to);
    }
}

/// Transforms the columns of `from`, `w` of `h` samples, and keeps the first `kept` rows.
fn columns(from: &[f32], (w, h): (usize, usize), kind: Kind, to: &mut [f32], kept: usize) {
    // Both passes together scale by eight.
    let scale = SCALE.sqrt();
    let mut lanes: [Lanes; MAX_SIDE] = [[0.0; LANES]; MAX_SIDE];
    for first in (0..w).step_by(LANES) {
        for (lanes, row) in lanes.iter_mut().zip(from.chunks_exact(w)).take(h) {
            lanes.copy_from_slice(&row[first..first + LANES]);
        }
        match kind {
            Kind::Dct => kernels::dct(&mut lanes[..h]),
            Kind::Adst => kernels::adst(&mut lanes[..h]),
            Kind::Identity => {}
        }
        for (row, lanes) in to.chunks_exact_mut(w).zip(&lanes).take(kept) {
            row[first..first + LANES].copy_from_slice(&lanes.map(|value| value * scale));
        }
    }
}

fn transpose(from: &[f32], (w, h): (usize, usize), to: &mut [f32]) {
    for (y, row) in from.chunks_exact(w).take(h).enumerate() {
        for (x, value) in row.iter().enumerate() {
            to[x * h + y] = *value;
        }
    }
}
