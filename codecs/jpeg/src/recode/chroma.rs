//! Chroma that is stored at a lower resolution than the file has it.

use super::inverse::inverse;
use crate::coefficients::Block;
use crate::encode::{ComponentRows, Sampling, filled};
use crate::error::Error;

/// Rows of blocks that an MCU has at most.
const MAX_ROWS: usize = 4;

/// Makes samples of the blocks of a component.
pub(super) struct Chroma {
    steps: [f32; 64],
    /// The samples that are made of a block, across and down.
    block: (usize, usize),
    /// Samples in a row: whole blocks.
    stride: usize,
    /// The samples of the rows of blocks of an MCU: those of each number of row modulo their count.
    open: [Vec<f32>; MAX_ROWS],
    rows: ComponentRows,
}

impl Chroma {
    /// `steps` are those between coefficients in zigzag order, `size` is that of the picture across and down, `stride` the samples of a row of
    /// whole MCUs.
    pub(super) fn new(
        steps: [f32; 64],
        size: (u16, u16),
        stride: usize,
        sampling: Sampling,
        reductions: (usize, usize),
    ) -> Result<Self, Error> {
        let factors = sampling.factors();
        let own = (usize::from(size.0).div_ceil(factors.0), usize::from(size.1).div_ceil(factors.1));
        let block = (8 / reductions.0, 8 / reductions.1);
        let mut open: [Vec<f32>; MAX_ROWS] = Default::default();
        for samples in &mut open {
            *samples = filled(0.0, stride * block.1)?;
        }
        Ok(Self { steps, block, stride, open, rows: ComponentRows::new(own, stride, factors)? })
    }

    /// Takes a block in zigzag order. Those beyond whole MCUs are left out.
    pub(super) fn take(&mut self, row: usize, column: usize, block: &Block) {
        let (wide, high) = self.block;
        let at = column * wide;
        if at + wide > self.stride {
            return;
        }
        let samples = inverse(block, &self.steps, self.block);
        let rows = self.open[row % MAX_ROWS].chunks_exact_mut(self.stride);
        for (to, from) in rows.zip(&samples).take(high) {
            to[at..at + wide].copy_from_slice(&from[..wide]);
        }
    }

    /// Hands over what a row of blocks completes: the samples of rows of blocks to be coded.
    pub(super) fn close_row(
        &mut self,
        row: usize,
        mut put: impl FnMut(&[f32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for samples in self.open[row % MAX_ROWS].chunks_exact(self.stride) {
            if self.rows.complete() {
                break;
            }
            self.rows.push(&|to| to.copy_from_slice(&samples[..to.len()]), &mut put)?;
        }
        Ok(())
    }
}
