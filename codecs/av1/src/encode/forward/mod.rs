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

/// Groups of columns, or of rows.
const MAX_GROUPS: usize = MAX_SIDE / LANES;

/// Transforms with the buffers that they work in.
pub(super) struct ForwardTransform {
    size: TxSize,
    /// The residual after the transform of its columns, for each kind: of each eight rows a run of lanes, one for each column.
    columns: [Vec<Lanes>; 3],
    is_ready: [bool; 3],
    /// Rows or columns that are transformed. Lanes beyond them have no meaning.
    lanes: [Lanes; MAX_SIDE],
}

impl ForwardTransform {
    pub(super) fn new() -> Self {
        let columns = || vec![[0.0; LANES]; MAX_SIDE * MAX_CODED / LANES];
        Self {
            size: TxSize::Tx4x4,
            columns: [columns(), columns(), columns()],
            is_ready: [false; 3],
            lanes: [[0.0; LANES]; MAX_SIDE],
        }
    }

    /// Begins with another residual.
    pub(super) fn start(&mut self, size: TxSize) {
        self.size = size;
        self.is_ready = [false; 3];
    }

    /// Transforms `residual`, row by row, which is the same until the next start. The coefficients go to `to`, row by row,
    /// min(32, width) in a row; those beyond 32 are left out.
    pub(super) fn transform(&mut self, residual: &[f32], tx_type: TxType, to: &mut [f32]) {
        let (w, h) = (self.size.width(), self.size.height());
        let (coded_w, coded_h) = (w.min(MAX_CODED), h.min(MAX_CODED));
        let kind = tx_type.columns();
        if !std::mem::replace(&mut self.is_ready[kind as usize], true) {
            transform_columns(residual, (w, h), kind, &mut self.lanes, &mut self.columns[kind as usize]);
        }
        let lanes = &mut self.lanes;
        let runs = self.columns[kind as usize].chunks_exact(w);
        for (run, rows) in runs.zip(to[..coded_w * coded_h].chunks_mut(coded_w * LANES)) {
            lanes[..w].copy_from_slice(run);
            apply(lanes, w, tx_type.rows());
            for (group, lanes) in lanes[..coded_w].chunks(LANES).enumerate() {
                let tile = transposed(lanes);
                for (row, tile) in rows.chunks_exact_mut(coded_w).zip(tile) {
                    store(&mut row[group * LANES..], tile);
                }
            }
        }
    }
}

/// Transforms the columns of `from`, `w` of `h` samples, and keeps at most [`MAX_CODED`] rows.
fn transform_columns(
    from: &[f32],
    (w, h): (usize, usize),
    kind: Kind,
    lanes: &mut [Lanes; MAX_SIDE],
    to: &mut [Lanes],
) {
    let coded_h = h.min(MAX_CODED);
    for first in (0..w).step_by(LANES).take(MAX_GROUPS) {
        for (lanes, row) in lanes.iter_mut().zip(from.chunks_exact(w)).take(h) {
            load(lanes, &row[first..]);
        }
        apply(lanes, h, kind);
        for (run, lanes) in to.chunks_exact_mut(w).zip(lanes[..coded_h].chunks(LANES)) {
            for (to, column) in run[first..].iter_mut().zip(transposed(lanes)) {
                *to = column;
            }
        }
    }
}

fn apply(lanes: &mut [Lanes; MAX_SIDE], length: usize, kind: Kind) {
    // Both passes together scale by eight.
    let scale = SCALE.sqrt();
    match kind {
        Kind::Dct => kernels::dct(lanes, length, scale),
        Kind::Adst => kernels::adst(lanes, length, scale),
        Kind::Identity => {
            lanes[..length].iter_mut().for_each(|lanes| *lanes = kernels::scaled(*lanes, scale))
        }
    }
}

/// Up to eight samples.
#[inline(always)]
fn load(lanes: &mut Lanes, row: &[f32]) {
    match row.first_chunk() {
        Some(samples) => *lanes = *samples,
        None => lanes[..row.len()].copy_from_slice(row),
    }
}

/// Likewise.
#[inline(always)]
fn store(row: &mut [f32], lanes: Lanes) {
    match row.first_chunk_mut() {
        Some(samples) => *samples = lanes,
        None => row.copy_from_slice(&lanes[..row.len()]),
    }
}

/// Rows of up to eight columns as columns. What is missing is zero.
#[inline(always)]
fn transposed(rows: &[Lanes]) -> [Lanes; LANES] {
    let mut tile = [[0.0; LANES]; LANES];
    match rows.first_chunk::<LANES>() {
        Some(rows) => tile = *rows,
        None => tile[..rows.len()].copy_from_slice(rows),
    }
    // Each round doubles the length of runs from one column.
    interleaved(interleaved(interleaved(tile)))
}

/// The rows of each half side by side: those of the first and the second half take turns, sample by sample.
#[inline(always)]
fn interleaved(rows: [Lanes; LANES]) -> [Lanes; LANES] {
    std::array::from_fn(|at| {
        let (a, b) = (rows[at / 2], rows[at / 2 + LANES / 2]);
        match at % 2 {
            0 => [a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]],
            _ => [a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]],
        }
    })
}
