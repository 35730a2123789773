//! The separable Wiener filter (sections 7.17.4 and 7.17.5).

use super::stripe::Stripe;
use super::{Area, MARGIN, MAX_SIDE};
use crate::coverage;
use crate::plane::Plane;

/// Taps in each direction.
const TAPS: usize = 7;
/// Fractional bits of taps.
const FILTER_BITS: u32 = 7;

/// The filter with the rows that it works on.
pub(super) struct Wiener {
    /// Rows after horizontal filtering.
    rows: Vec<[i16; MAX_SIDE]>,
    bit_depth: u8,
}

impl Wiener {
    pub(super) fn new(bit_depth: u8) -> Self {
        Self { rows: vec![[0; MAX_SIDE]; MAX_SIDE + 2 * MARGIN], bit_depth }
    }

    /// Filters an area of the plane, whose samples before are in the stripe.
    pub(super) fn filter(
        &mut self,
        plane: &mut Plane,
        stripe: &Stripe,
        area: Area,
        vertical: [i8; 3],
        horizontal: [i8; 3],
    ) {
        coverage::count("restoration", 0);
        // `InterRound0` and `InterRound1`.
        let (first, second) = if self.bit_depth == 12 { (5, 9) } else { (3, 11) };
        let taps = all_taps(horizontal);
        let offset = 1 << (u32::from(self.bit_depth) + FILTER_BITS - first - 1);
        let limit = (1 << (u32::from(self.bit_depth) + 1 + FILTER_BITS - first)) - 1;
        for (i, to) in self.rows[..area.h + 2 * MARGIN].iter_mut().enumerate() {
            let from = stripe.row(i, area.x, area.w + 2 * MARGIN);
            for (to, window) in to.iter_mut().zip(from.windows(TAPS)) {
                let pair =
                    |k: usize| i32::from(window[k] as i16 + window[TAPS - 1 - k] as i16) * i32::from(taps[k]);
                let sum = pair(0) + pair(1) + pair(2) + i32::from(window[3] as i16) * i32::from(taps[3]);
                *to = ((sum + (1 << (first - 1))) >> first).clamp(-offset, limit - offset) as i16;
            }
        }
        let taps = all_taps(vertical);
        let largest = (1 << self.bit_depth) - 1;
        for (rows, to) in self.rows.windows(TAPS).zip(plane.block_rows(area.x, area.y, area.w, area.h)) {
            for (x, to) in to.iter_mut().enumerate().take(MAX_SIDE) {
                let sum: i32 = (0..TAPS).map(|k| i32::from(rows[k][x]) * i32::from(taps[k])).sum();
                *to = ((sum + (1 << (second - 1))) >> second).clamp(0, largest) as u16;
            }
        }
    }
}

/// The filter is symmetric, and its taps add up to one.
fn all_taps([a, b, c]: [i8; 3]) -> [i16; TAPS] {
    let [a, b, c] = [a, b, c].map(i16::from);
    [a, b, c, (1 << FILTER_BITS) - 2 * (a + b + c), c, b, a]
}
