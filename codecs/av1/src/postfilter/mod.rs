//! What happens to a frame after all its blocks are decoded (section 7.4, step 1): deblocking, CDEF, upscaling and loop restoration.

mod cdef;
mod deblock;
mod restoration;
mod superres;

pub(crate) use cdef::Cdef;
pub(crate) use deblock::{Deblock, level};
pub(crate) use restoration::{Restoration, RestorationUnit, units_in};

use crate::plane::Plane;
use restoration::Boundaries;
use std::collections::TryReserveError;
use superres::Superres;

/// The size and the format of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameShape {
    /// `UpscaledWidth`: luma columns after upscaling.
    pub(crate) width: usize,
    /// `FrameWidth`: luma columns that are coded.
    pub(crate) coded_width: usize,
    /// `FrameHeight`.
    pub(crate) height: usize,
    /// `MiCols`: units of 4 luma columns that are coded; even.
    pub(crate) mi_cols: usize,
    /// `MiRows`: likewise.
    pub(crate) mi_rows: usize,
    /// 1 if chroma is subsampled horizontally.
    pub(crate) ss_x: u8,
    /// 1 if chroma is subsampled vertically.
    pub(crate) ss_y: u8,
    /// Bits of a sample: 8, 10 or 12.
    pub(crate) bit_depth: u8,
}

impl FrameShape {
    /// The subsampling of a plane, 0 or 1 horizontally and vertically.
    fn subsampling(&self, plane: usize) -> (usize, usize) {
        if plane == 0 { (0, 0) } else { (usize::from(self.ss_x), usize::from(self.ss_y)) }
    }
}

/// The filters of a frame. What is `None` is not applied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PostFilters<'a> {
    /// The frame.
    pub(crate) shape: FrameShape,
    /// The deblocking filter.
    pub(crate) deblock: Option<Deblock<'a>>,
    /// The constrained directional enhancement filter.
    pub(crate) cdef: Option<Cdef<'a>>,
    /// Loop restoration of each plane.
    pub(crate) restoration: [Option<Restoration<'a>>; 3],
}

impl PostFilters<'_> {
    /// Deblocking and CDEF of some rows alone, as if they were a frame: `mi_row` is the first unit of 4 luma rows, a multiple of 16, and
    /// `height` the luma rows, a multiple of 64 unless they end the frame.
    pub(crate) fn of_rows(&self, mi_row: usize, height: usize) -> Self {
        let FrameShape { mi_cols, ss_x, ss_y, .. } = self.shape;
        let mi_rows = height.div_ceil(8) * 2;
        let [chroma_cols, chroma_row] = [mi_cols >> ss_x, mi_row >> ss_y];
        let deblock = self.deblock.map(|deblock| Deblock {
            tx: [
                &deblock.tx[0][mi_row * mi_cols..],
                deblock.tx[1].get(chroma_row * chroma_cols..).unwrap_or_default(),
            ],
            levels: &deblock.levels[mi_row * mi_cols..],
            ..deblock
        });
        let cdef = self.cdef.map(|cdef| Cdef {
            index: &cdef.index[mi_row / 16 * mi_cols.div_ceil(16)..],
            active: &cdef.active[mi_row / 2 * (mi_cols / 2)..],
            ..cdef
        });
        let shape = FrameShape { height, mi_rows, ..self.shape };
        Self { shape, deblock, cdef, restoration: [None; 3] }
    }
}

/// Filters the planes of a frame, one or three. They are replaced by wider ones if the frame is upscaled.
///
/// # Errors
///
/// If memory cannot be allocated. The planes are then partly filtered.
pub(crate) fn apply(planes: &mut [Plane], filters: &PostFilters) -> Result<(), TryReserveError> {
    let shape = &filters.shape;
    if let Some(deblock) = &filters.deblock {
        deblock::apply(planes, shape, deblock);
    }
    // Loop restoration reads some rows as they are before CDEF.
    let mut boundaries = [const { None }; 3];
    for (index, (plane, boundary)) in planes.iter().zip(&mut boundaries).enumerate() {
        if filters.restoration[index].is_some() {
            *boundary = Some(Boundaries::save(plane, shape, index)?);
        }
    }
    if let Some(cdef) = &filters.cdef {
        cdef::apply(planes, shape, cdef)?;
    }
    for (index, plane) in planes.iter_mut().enumerate() {
        if let Some(superres) = Superres::new(shape, index) {
            *plane = superres.upscale(plane)?;
        }
        if let (Some(restoration), Some(boundaries)) = (&filters.restoration[index], &boundaries[index]) {
            restoration::apply(plane, shape, index, restoration, boundaries)?;
        }
    }
    Ok(())
}
