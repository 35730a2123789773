//! The constrained directional enhancement filter (section 7.15), in place.
//!
//! The planes are filtered in bands of 8 luma rows. The rows that a band reads are copied before it is written, so the band below
//! still finds the two rows above it as they were.

mod band;
mod direction;
mod filter;
#[cfg(test)]
mod tests;

use super::FrameShape;
use crate::plane::Plane;
use band::Band;
use direction::Direction;
use filter::Strengths;
use std::collections::TryReserveError;

/// Samples of a side of the blocks that are filtered, in luma.
const BLOCK: usize = 8;

/// What the filter depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cdef<'a> {
    /// `CdefDamping`, 3 to 6.
    pub(crate) damping: u8,
    /// Primary and secondary strength of luma for each index; the secondary is 0, 1, 2 or 4.
    pub(crate) y: [[u8; 2]; 8],
    /// The same for chroma.
    pub(crate) uv: [[u8; 2]; 8],
    /// `cdef_idx` of each 64 × 64 luma samples, ceil(`mi_cols` / 16) in a row; -1 where there is no filtering.
    pub(crate) index: &'a [i8],
    /// For each 8 × 8 luma samples, `mi_cols` / 2 in a row, whether any part of it is not skipped.
    pub(crate) active: &'a [bool],
}

/// `Cdef_Uv_Dir`.
const CHROMA_DIRECTIONS: [[[u8; 8]; 2]; 2] = [
    [[0, 1, 2, 3, 4, 5, 6, 7], [1, 2, 2, 2, 3, 4, 6, 0]],
    [[7, 0, 2, 4, 5, 6, 6, 6], [0, 1, 2, 3, 4, 5, 6, 7]],
];

/// Filters the planes in place.
pub(super) fn apply(planes: &mut [Plane], shape: &FrameShape, cdef: &Cdef) -> Result<(), TryReserveError> {
    let columns = shape.mi_cols / 2;
    let mut blocks: Vec<Option<Block>> = Vec::new();
    blocks.try_reserve_exact(columns)?;
    let mut bands = Vec::new();
    bands.try_reserve_exact(planes.len())?;
    for index in 0..planes.len() {
        bands.push(Band::new(shape, index)?);
    }
    for row in 0..shape.mi_rows / 2 {
        blocks.clear();
        blocks.extend((0..columns).map(|column| Block::new(shape, cdef, row, column)));
        let any = blocks.iter().any(Option::is_some);
        for (index, (plane, band)) in planes.iter_mut().zip(&mut bands).enumerate() {
            if !any {
                band.pass(plane, row);
                continue;
            }
            band.load(plane, row);
            if index == 0 {
                find_directions(&mut blocks, band, shape.bit_depth);
            }
            for (column, block) in blocks.iter().enumerate() {
                let Some(strengths) = block.as_ref().and_then(|block| block.strengths(shape, index)) else {
                    continue;
                };
                band.filter(plane, row, column, &strengths, shape.bit_depth);
            }
            band.advance();
        }
    }
    Ok(())
}

fn find_directions(blocks: &mut [Option<Block>], luma: &Band, bit_depth: u8) {
    for (column, block) in blocks.iter_mut().enumerate() {
        if let Some(block) = block
            && (block.y[0] > 0 || block.uv[0] > 0)
        {
            block.direction = direction::find(luma.block(column), luma.stride(), bit_depth);
        }
    }
}

/// A block of 8 × 8 luma samples to filter, and the same area of chroma.
struct Block {
    damping: u8,
    /// Primary and secondary strength, at 8 bits.
    y: [u8; 2],
    uv: [u8; 2],
    direction: Direction,
}

impl Block {
    /// The block at a row and a column of blocks; none if it is not filtered.
    fn new(shape: &FrameShape, cdef: &Cdef, row: usize, column: usize) -> Option<Self> {
        let active = cdef.active[row * (shape.mi_cols / 2) + column];
        let index = cdef.index[row / 8 * shape.mi_cols.div_ceil(16) + column / 8];
        let index = usize::try_from(index).ok().filter(|_| active)?;
        let (y, uv) = (*cdef.y.get(index)?, *cdef.uv.get(index)?);
        let direction = Direction::default();
        (y != [0, 0] || uv != [0, 0]).then_some(Self { damping: cdef.damping, y, uv, direction })
    }

    /// The strengths for one plane; none if nothing is to be done there.
    fn strengths(&self, shape: &FrameShape, plane: usize) -> Option<Strengths> {
        let scale = shape.bit_depth - 8;
        let [primary, secondary] = if plane == 0 { self.y } else { self.uv };
        let [coded, secondary] = [primary, secondary].map(|strength| i16::from(strength) << scale);
        let (primary, index, damping) = if plane == 0 {
            (self.direction.adjust(coded), self.direction.index, self.damping + scale)
        } else {
            let map = CHROMA_DIRECTIONS[usize::from(shape.ss_x)][usize::from(shape.ss_y)];
            (coded, usize::from(map[self.direction.index]), (self.damping + scale).saturating_sub(1))
        };
        let direction = if coded == 0 { 0 } else { index };
        (primary != 0 || secondary != 0).then_some(Strengths { primary, secondary, direction, damping })
    }
}
