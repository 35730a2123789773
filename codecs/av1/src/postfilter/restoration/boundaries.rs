//! The rows around the boundaries of stripes as they are before CDEF, upscaled.

use super::stripes::Stripes;
use crate::plane::{self, Plane};
use crate::postfilter::FrameShape;
use crate::postfilter::superres::Superres;
use std::collections::TryReserveError;

/// Rows on each side of a boundary.
const ROWS: usize = 2;

/// Two rows above and two below each boundary between stripes of a plane.
#[derive(Debug)]
pub(in crate::postfilter) struct Boundaries {
    rows: Vec<u16>,
    width: usize,
}

impl Boundaries {
    /// Copies the rows of a plane that is not upscaled yet.
    pub(in crate::postfilter) fn save(
        plane: &Plane,
        shape: &FrameShape,
        index: usize,
    ) -> Result<Self, TryReserveError> {
        let superres = Superres::new(shape, index);
        let width = superres.map_or(plane.width, |superres| superres.width());
        let stripes = || Stripes::new(plane.height, shape.subsampling(index).1).skip(1);
        let mut rows = plane::zeros(stripes().count() * 2 * ROWS * width)?;
        let mut scratch = Vec::new();
        // Beyond the last row, it is repeated.
        let wanted = stripes().flat_map(|(boundary, _)| boundary - ROWS..boundary + ROWS);
        for (to, y) in rows.chunks_exact_mut(width.max(1)).zip(wanted) {
            let from = &plane.data[y.min(plane.height - 1) * plane.stride..][..plane.stride];
            match superres {
                Some(superres) => superres.upscale_row(from, to, &mut scratch)?,
                None => to.copy_from_slice(&from[..width]),
            }
        }
        Ok(Self { rows, width })
    }

    /// The row this far above the first of a stripe, 1 to 3; none above the first stripe.
    pub(super) fn above(&self, stripe: usize, distance: usize) -> Option<&[u16]> {
        self.row(stripe.checked_sub(1)?, ROWS - distance.min(ROWS))
    }

    /// The row this far below the last of a stripe; none below the last stripe.
    pub(super) fn below(&self, stripe: usize, distance: usize) -> Option<&[u16]> {
        self.row(stripe, ROWS - 1 + distance.min(ROWS))
    }

    fn row(&self, boundary: usize, row: usize) -> Option<&[u16]> {
        self.rows.chunks_exact(self.width.max(1)).nth(boundary * 2 * ROWS + row)
    }
}
