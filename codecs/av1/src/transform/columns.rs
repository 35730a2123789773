//! The second pass of the two-dimensional inverse transform: columns, eight at a time, which are added to the plane
//! (sections 7.13.3 and 7.12.3).

use super::lanes::{Element, LANES, Lanes};
use super::residual::Residual;
use super::tx_size::Kind;
use super::{adst, dct, identity};
use crate::plane::Plane;

/// Bits that the results of columns are shifted by.
const COLUMN_SHIFT: u32 = 4;
/// Residuals are limited to this before they are added to samples of at most 12 bits: what is beyond is clipped anyway.
const MOST: i32 = 1 << 14;

/// Transforms `columns`, as `rows::transform` leaves them, and adds the result at (`x`, `y`).
pub(super) fn add<C: Element>(
    columns: &mut [Lanes<C>],
    plane: &mut Plane,
    (x, y): (usize, usize),
    residual: &Residual,
) {
    let (w, h) = (residual.tx_size.width(), residual.tx_size.height());
    let largest = residual.largest_of_columns();
    let kind = residual.tx_type.columns();
    for (index, run) in columns.chunks_exact_mut(h).take(w.div_ceil(LANES)).enumerate() {
        match kind {
            Kind::Dct => dct::inverse(run, largest),
            Kind::Adst => adst::inverse(run, largest),
            Kind::Identity => {}
        }
        if residual.tx_type.flips_rows() {
            run.reverse();
        }
        let samples = plane.block_rows(x + index * LANES, y, w.min(LANES), h).zip(run.iter());
        if kind == Kind::Identity {
            let scaled = |value: C| shift(identity::scale(value.widen(), h));
            samples
                .for_each(|(samples, lanes)| add_residuals(samples, lanes.map(scaled), residual.bit_depth));
        } else {
            let shifted = |value: C| shift(value.widen());
            samples
                .for_each(|(samples, lanes)| add_residuals(samples, lanes.map(shifted), residual.bit_depth));
        }
    }
}

#[inline(always)]
fn shift(value: i32) -> i16 {
    let rounded = value.wrapping_add(1 << (COLUMN_SHIFT - 1)) >> COLUMN_SHIFT;
    rounded.clamp(-MOST, MOST - 1) as i16
}

/// Adds to up to eight samples of a row.
#[inline(always)]
pub(super) fn add_residuals(samples: &mut [u16], residuals: Lanes<i16>, bit_depth: u8) {
    let largest = (1 << bit_depth) - 1;
    if let Ok(samples) = <&mut [u16; LANES]>::try_from(&mut *samples) {
        for (sample, residual) in samples.iter_mut().zip(residuals) {
            *sample = (*sample as i16 + residual).clamp(0, largest) as u16;
        }
    } else {
        for (sample, residual) in samples.iter_mut().zip(residuals) {
            *sample = (*sample as i16 + residual).clamp(0, largest) as u16;
        }
    }
}

/// Adds the same residual, before the shift, to a whole block.
pub(super) fn add_flat(value: i32, plane: &mut Plane, (x, y): (usize, usize), residual: &Residual) {
    let (w, h) = (residual.tx_size.width(), residual.tx_size.height());
    let (value, largest) = (shift(value), (1 << residual.bit_depth) - 1);
    for row in plane.block_rows(x, y, w, h) {
        for sample in row {
            *sample = (*sample as i16 + value).clamp(0, largest) as u16;
        }
    }
}
