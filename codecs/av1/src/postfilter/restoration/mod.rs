//! Loop restoration (section 7.17), in place.
//!
//! The filters work on stripes of 64 luma rows, eight rows above the superblocks. Within a stripe they read samples after CDEF, but
//! of the two rows above and below it those before CDEF, which `Boundaries` keeps. So each stripe can be filtered on its own.

mod boundaries;
mod self_guided;
mod stripe;
mod stripes;
#[cfg(test)]
mod tests;
mod wiener;

use super::FrameShape;
use crate::plane::Plane;
use self_guided::SelfGuided;
use std::collections::TryReserveError;
use stripe::Stripe;
use stripes::Stripes;
use wiener::Wiener;

pub(super) use boundaries::Boundaries;

/// The largest side of an area that is filtered at once.
const MAX_SIDE: usize = 64;
/// Samples around an area that the filters read.
const MARGIN: usize = 3;

/// The filter of one restoration unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RestorationUnit {
    /// The unit stays as it is.
    #[default]
    None,
    /// The separable Wiener filter.
    Wiener {
        /// `LrWiener[..][0]`: the coded coefficients of columns.
        vertical: [i8; 3],
        /// `LrWiener[..][1]`: those of rows.
        horizontal: [i8; 3],
    },
    /// The self-guided filter.
    SelfGuided {
        /// `LrSgrSet`, 0 to 15.
        set: u8,
        /// `LrSgrXqd`.
        xqd: [i8; 2],
    },
}

/// The restoration of one plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Restoration<'a> {
    /// `LoopRestorationSize`: samples of a side of a unit, 32 to 256.
    pub(crate) unit_size: usize,
    /// The units, row by row: `units_in` of the upscaled width in each row.
    pub(crate) units: &'a [RestorationUnit],
}

/// How many units there are along a side of a plane (`count_units_in_frame`).
pub(crate) fn units_in(size: usize, unit_size: usize) -> usize {
    ((size + unit_size / 2) / unit_size.max(1)).max(1)
}

/// Part of a stripe that one filter is applied to: columns from `x`, at most 64, and rows of the plane from `y`.
#[derive(Clone, Copy, Debug)]
struct Area {
    x: usize,
    y: usize,
    w: usize,
    h: usize,
}

/// Filters a plane in place.
pub(super) fn apply(
    plane: &mut Plane,
    shape: &FrameShape,
    index: usize,
    restoration: &Restoration,
    boundaries: &Boundaries,
) -> Result<(), TryReserveError> {
    let ss_y = shape.subsampling(index).1;
    let (width, height) = (plane.width, plane.height);
    let (columns, rows) = (units_in(width, restoration.unit_size), units_in(height, restoration.unit_size));
    let mut stripe = Stripe::new(width)?;
    let (mut wiener, mut self_guided) = (Wiener::new(shape.bit_depth), SelfGuided::new(shape.bit_depth));
    for (number, (y, end)) in Stripes::new(height, ss_y).enumerate() {
        let row = ((number * 64) >> ss_y) / restoration.unit_size;
        let units = restoration.units.chunks(columns).nth(row.min(rows - 1)).unwrap_or_default();
        if units.iter().all(|unit| *unit == RestorationUnit::None) {
            continue;
        }
        stripe.load(plane, boundaries, number, (y, end));
        for x in (0..width).step_by(MAX_SIDE.min(restoration.unit_size)) {
            // The last unit has the columns that are too few for another.
            let unit = units.get((x / restoration.unit_size).min(columns - 1)).copied().unwrap_or_default();
            let w = MAX_SIDE.min(restoration.unit_size).min(width - x);
            let area = Area { x, y, w, h: end - y };
            match unit {
                RestorationUnit::None => {}
                RestorationUnit::Wiener { vertical, horizontal } => {
                    wiener.filter(plane, &stripe, area, vertical, horizontal);
                }
                RestorationUnit::SelfGuided { set, xqd } => {
                    self_guided.filter(plane, &stripe, area, set, xqd)
                }
            }
        }
    }
    Ok(())
}
