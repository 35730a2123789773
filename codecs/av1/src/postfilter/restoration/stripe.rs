//! A copy of a stripe with the samples around it (section 7.17.6).

use super::boundaries::Boundaries;
use super::{MARGIN, MAX_SIDE};
use crate::plane::{self, Plane};
use std::collections::TryReserveError;

/// A stripe with `MARGIN` samples around it.
pub(super) struct Stripe {
    rows: Vec<u16>,
    stride: usize,
    width: usize,
}

impl Stripe {
    pub(super) fn new(width: usize) -> Result<Self, TryReserveError> {
        let stride = width + 2 * MARGIN;
        Ok(Self { rows: plane::zeros(stride * (MAX_SIDE + 2 * MARGIN))?, stride, width })
    }

    /// Copies the rows `y` to `end` of the plane, and the rows around them from `boundaries`.
    pub(super) fn load(
        &mut self,
        plane: &Plane,
        boundaries: &Boundaries,
        number: usize,
        (y, end): (usize, usize),
    ) {
        let height = end - y;
        for (row, from) in (y..end).enumerate() {
            self.set(MARGIN + row, plane.row(from));
        }
        for distance in 1..=MARGIN {
            let above = boundaries.above(number, distance).unwrap_or_else(|| plane.row(y));
            self.set(MARGIN - distance, above);
            let below = boundaries.below(number, distance).unwrap_or_else(|| plane.row(end - 1));
            self.set(MARGIN + height + distance - 1, below);
        }
    }

    fn set(&mut self, row: usize, samples: &[u16]) {
        let to = &mut self.rows[row * self.stride..][..self.stride];
        let (Some(&first), Some(&last)) = (samples.first(), samples.last()) else { return };
        to[..MARGIN].fill(first);
        to[MARGIN..MARGIN + self.width].copy_from_slice(&samples[..self.width]);
        to[MARGIN + self.width..].fill(last);
    }

    /// A row, counted from `MARGIN` rows above the stripe: `length` samples from `MARGIN` columns before `x` on.
    #[inline(always)]
    pub(super) fn row(&self, row: usize, x: usize, length: usize) -> &[u16] {
        &self.rows[row * self.stride + x..][..length]
    }
}
