//! The first pass of the two-dimensional inverse transform: rows (section 7.13.3), eight at a time.

use super::lanes::{Element, LANES, Lanes, round12};
use super::residual::Residual;
use super::tx_size::Kind;
use super::{adst, dct, identity};

/// The longest row.
pub(super) const MAX_LENGTH: usize = 64;

/// `Transform_Row_Shift`.
const ROW_SHIFT: [u8; 19] = [0, 1, 2, 2, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2];

/// How the values of a row become those of columns.
struct Scaling {
    /// Whether width and height differ by a factor of two.
    rectangular: bool,
    shift: u32,
    /// Results are clipped to this and to its negative less one.
    largest: i32,
}

impl Scaling {
    fn new(residual: &Residual) -> Self {
        let size = residual.tx_size;
        Self {
            rectangular: size.log2_w().abs_diff(size.log2_h()) == 1,
            shift: u32::from(ROW_SHIFT[size as usize]),
            largest: residual.largest_of_columns(),
        }
    }

    #[inline(always)]
    fn before(&self, value: i32) -> i32 {
        if self.rectangular { round12(value.wrapping_mul(2896)) } else { value }
    }

    #[inline(always)]
    fn after(&self, value: i32) -> i32 {
        let rounded = value.wrapping_add((1 << self.shift) >> 1) >> self.shift;
        rounded.clamp(-self.largest - 1, self.largest)
    }
}

/// A DC coefficient as the transform of its row takes it.
pub(super) fn scale_dc(dc: i32, residual: &Residual) -> i32 {
    Scaling::new(residual).before(dc)
}

/// A value after the transform of its row as that of its column takes it.
pub(super) fn round_row(value: i32, residual: &Residual) -> i32 {
    Scaling::new(residual).after(value)
}

/// Transforms the rows of `coefficients`. Column `j` of row `i` goes to `columns[(j / 8) * height + i][j % 8]`: for each eight columns
/// a run of `height` lanes, which the second pass transforms.
pub(super) fn transform<R: Element, C: Element>(
    row: &mut [Lanes<R>; MAX_LENGTH],
    columns: &mut [Lanes<C>],
    coefficients: &[i32],
    residual: &Residual,
) {
    let (w, h) = (residual.tx_size.width(), residual.tx_size.height());
    let (rows, cols) = residual.bounds();
    let scaling = Scaling::new(residual);
    let done = rows.next_multiple_of(LANES).min(h);
    for run in columns.chunks_exact_mut(h).take(w.div_ceil(LANES)) {
        run[done..].fill([C::default(); LANES]);
    }
    if residual.tx_type.rows() == Kind::Identity {
        return scale_rows(columns, coefficients, residual, &scaling);
    }
    let row = &mut row[..w];
    for first in (0..rows).step_by(LANES) {
        let count = LANES.min(rows - first);
        let from = &coefficients[first * w.min(32)..];
        for (j, lanes) in row[..cols].iter_mut().enumerate() {
            *lanes = [R::default(); LANES];
            for (lane, coefficients) in lanes.iter_mut().zip(from.chunks(w.min(32))).take(count) {
                *lane = R::wrap(scaling.before(coefficients[j]));
            }
        }
        row[cols..].fill([R::default(); LANES]);
        match residual.tx_type.rows() {
            Kind::Dct => dct::inverse(row, residual.largest_of_rows()),
            _ => adst::inverse(row, residual.largest_of_rows()),
        }
        if residual.tx_type.flips_columns() {
            row.reverse();
        }
        let last = (first + LANES).min(h);
        for (run, row) in columns.chunks_exact_mut(h).zip(row.chunks(LANES)) {
            transpose(row, &mut run[first..last], &scaling);
        }
    }
}

/// Turns up to eight columns of eight rows into rows of eight columns.
fn transpose<R: Element, C: Element>(from: &[Lanes<R>], to: &mut [Lanes<C>], scaling: &Scaling) {
    let mut scaled = [[C::default(); LANES]; LANES];
    for (scaled, from) in scaled.iter_mut().zip(from) {
        *scaled = from.map(|value| C::wrap(scaling.after(value.widen())));
    }
    for (i, to) in to.iter_mut().enumerate() {
        *to = scaled.map(|column| column[i]);
    }
}

/// The identity transform, whose results before scaling can exceed the range of the others.
fn scale_rows<C: Element>(
    columns: &mut [Lanes<C>],
    coefficients: &[i32],
    residual: &Residual,
    scaling: &Scaling,
) {
    let (w, h) = (residual.tx_size.width(), residual.tx_size.height());
    let (rows, cols) = residual.bounds();
    for i in 0..rows.next_multiple_of(LANES).min(h) {
        for run in columns.chunks_exact_mut(h).take(w.div_ceil(LANES)) {
            run[i] = [C::default(); LANES];
        }
    }
    for (i, row) in coefficients.chunks(w.min(32)).take(rows).enumerate() {
        for (j, &coefficient) in row[..cols].iter().enumerate() {
            let value = identity::scale(scaling.before(coefficient), w);
            columns[(j / LANES) * h + i][j % LANES] = C::wrap(scaling.after(value));
        }
    }
}
