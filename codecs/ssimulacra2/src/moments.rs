//! The local moments of one picture at one scale: XYB, its blurred mean, and its blurred square.

use crate::blur::{Blur, LAG};
use crate::lanes::Lanes;
use crate::xyb::xyb;

/// A pixel's XYB, and the Gaussian means of XYB and of its square around it.
pub(crate) type Moments = [Lanes; 3];

/// Rows of XYB from the one that comes in to the one that the blur puts out.
const HISTORY: usize = LAG + 1;

/// The last rows of XYB, at their row number modulo [`HISTORY`].
pub(crate) struct XybRows([Vec<Lanes>; HISTORY]);

impl XybRows {
    pub(crate) fn new(width: usize) -> Self {
        Self([0; HISTORY].map(|_| vec![Lanes::ZERO; width]))
    }

    pub(crate) fn push(&mut self, y: usize, linear_rgb: &[Lanes]) {
        for (to, rgb) in self.0[y % HISTORY].iter_mut().zip(linear_rgb) {
            *to = xyb(*rgb);
        }
    }

    pub(crate) fn row(&self, y: usize) -> &[Lanes] {
        &self.0[y % HISTORY]
    }
}

/// Computes the moments of a picture row by row.
pub(crate) struct MomentsStream {
    height: usize,
    xyb: XybRows,
    blur: Blur<2>,
    /// XYB and its square, before the blur.
    to_blur: Vec<[Lanes; 2]>,
    moments: Vec<Moments>,
}

impl MomentsStream {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self {
            height,
            xyb: XybRows::new(width),
            blur: Blur::new(width, height),
            to_blur: vec![[Lanes::ZERO; 2]; width],
            moments: vec![[Lanes::ZERO; 3]; width],
        }
    }

    /// Takes row `y`. Below the last row, `linear_rgb` is not used.
    pub(crate) fn push(&mut self, y: usize, linear_rgb: &[Lanes]) {
        if y < self.height {
            self.xyb.push(y, linear_rgb);
            for (to, xyb) in self.to_blur.iter_mut().zip(self.xyb.row(y)) {
                *to = [*xyb, xyb.mul(*xyb)];
            }
        }
        let blurred = self.blur.push(y, &self.to_blur);
        if let Some(y) = y.checked_sub(LAG) {
            let rows = self.moments.iter_mut().zip(self.xyb.row(y)).zip(blurred);
            for ((moments, xyb), [mean, square]) in rows {
                *moments = [*xyb, *mean, *square];
            }
        }
    }

    /// The XYB of a row that was pushed, at most [`LAG`] rows ago.
    pub(crate) fn xyb(&self, y: usize) -> &[Lanes] {
        self.xyb.row(y)
    }

    /// The moments of the row [`LAG`] above the last one.
    pub(crate) fn moments(&self) -> &[Moments] {
        &self.moments
    }
}
