//! The rows of one plane that a band of blocks reads, as they were before filtering, with a frame of marks where there are none.

use super::filter::{self, Strengths, UNAVAILABLE};
use super::{BLOCK, FrameShape};
use crate::plane::{self, Plane};
use std::collections::TryReserveError;

/// Samples beyond a block that the filter reads, in each direction.
const REACH: usize = 2;

/// The copy of a band of one plane: `REACH` rows above it, its rows, and `REACH` rows below.
pub(super) struct Band {
    rows: Vec<u16>,
    stride: usize,
    /// Samples of the plane that may be read: `MiCols` × 4 and `MiRows` × 4, subsampled.
    width: usize,
    height: usize,
    /// The size of a block in this plane.
    block_w: usize,
    block_h: usize,
}

impl Band {
    pub(super) fn new(shape: &FrameShape, plane: usize) -> Result<Self, TryReserveError> {
        let (ss_x, ss_y) = if plane == 0 { (0, 0) } else { (shape.ss_x, shape.ss_y) };
        let (width, height) = ((shape.mi_cols * 4) >> ss_x, (shape.mi_rows * 4) >> ss_y);
        let (block_w, block_h) = (BLOCK >> ss_x, BLOCK >> ss_y);
        let stride = width + 2 * REACH;
        let mut rows = plane::zeros(stride * (block_h + 2 * REACH))?;
        rows.fill(UNAVAILABLE);
        Ok(Self { rows, stride, width, height, block_w, block_h })
    }

    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The samples from the first of a block on.
    pub(super) fn block(&self, column: usize) -> &[u16] {
        &self.rows[self.start(column)..]
    }

    fn start(&self, column: usize) -> usize {
        REACH * self.stride + REACH + column * self.block_w
    }

    /// Keeps the last rows of a band that is not filtered, for the next.
    pub(super) fn pass(&mut self, plane: &Plane, band: usize) {
        let end = (band + 1) * self.block_h;
        for row in 0..REACH {
            self.copy(plane, row, Some(end + row - REACH));
        }
    }

    /// Copies a band. The rows above it are those that the last call left.
    pub(super) fn load(&mut self, plane: &Plane, band: usize) {
        let first = band * self.block_h;
        for row in 0..self.block_h + REACH {
            let from = first + row;
            self.copy(plane, REACH + row, (from < self.height).then_some(from));
        }
    }

    fn copy(&mut self, plane: &Plane, to: usize, from: Option<usize>) {
        let row = &mut self.rows[to * self.stride + REACH..][..self.width];
        match from {
            Some(y) => row.copy_from_slice(&plane.data[y * plane.stride..][..self.width]),
            None => row.fill(UNAVAILABLE),
        }
    }

    /// Filters a block of the band into the plane.
    pub(super) fn filter(
        &self,
        plane: &mut Plane,
        band: usize,
        column: usize,
        strengths: &Strengths,
        bit_depth: u8,
    ) {
        let (x, y) = (column * self.block_w, band * self.block_h);
        let to = &mut plane.data[y * plane.stride + x..];
        let from = filter::Source { samples: &self.rows, stride: self.stride, start: self.start(column) };
        if self.block_w == 8 {
            filter::filter::<8>(&from, to, plane.stride, self.block_h, strengths, bit_depth);
        } else {
            filter::filter::<4>(&from, to, plane.stride, self.block_h, strengths, bit_depth);
        }
    }

    /// Moves the last rows of the band to where the next one has the rows above it.
    pub(super) fn advance(&mut self) {
        let from = self.block_h * self.stride;
        self.rows.copy_within(from..from + REACH * self.stride, 0);
    }
}
