//! The rows of a component around those of a row of blocks: filters reach beyond it.

use super::plane::Plane;
use super::try_alloc::filled;
use crate::Error;

/// Rows above and below that are asked for.
pub(crate) const CONTEXT: usize = 1;
/// Rows that are handed over at once.
const STEP: usize = 8;

/// Some rows of a component.
pub(crate) struct Window {
    /// Samples in a row of the picture, and its rows.
    width: usize,
    height: usize,
    pub(crate) plane: Plane,
    /// Rows above those at hand that are kept, and all that are.
    pub(crate) above: usize,
    pub(crate) kept: usize,
    /// Rows of the picture that came.
    taken: usize,
}

impl Window {
    /// Rows are `stride` samples long, of which the component has fewer.
    pub(crate) fn new((width, height): (usize, usize), stride: usize) -> Result<Self, Error> {
        // Below the last row there can be a step and its context.
        let samples = filled(0.0, stride * (2 * STEP + 2 * CONTEXT))?;
        Ok(Self { width, height, plane: Plane { stride, samples }, above: 0, kept: 0, taken: 0 })
    }

    /// Whether no row is missing.
    pub(crate) fn complete(&self) -> bool {
        self.taken == self.height
    }

    /// The next row, to be filled: what is behind [`push`](Self::push).
    pub(crate) fn next_row(&mut self) -> &mut [f32] {
        &mut self.plane.row_mut(self.kept)[..self.width]
    }

    /// Takes the row that was filled. Calls `put` with the rows at hand whenever there are as many as it asks for.
    pub(crate) fn push(&mut self, mut put: impl FnMut(&Self)) {
        let row = self.plane.row_mut(self.kept);
        let last = row[self.width - 1];
        row[self.width..].fill(last);
        self.kept += 1;
        self.taken += 1;
        if self.complete() {
            self.pad();
        }
        while self.kept >= self.above + STEP + CONTEXT {
            put(self);
            self.advance();
        }
    }

    /// Repeats the last row of the picture down to whole steps, and below them.
    fn pad(&mut self) {
        let wanted = self.above + (self.kept - self.above).next_multiple_of(STEP) + CONTEXT;
        let wanted = wanted.max(self.kept);
        let Plane { stride, samples } = &mut self.plane;
        let last = self.kept - 1;
        for row in self.kept..wanted {
            samples.copy_within(last * *stride..(last + 1) * *stride, row * *stride);
        }
        self.kept = wanted;
    }

    /// Drops what is not needed for the next rows.
    fn advance(&mut self) {
        let next = self.above + STEP;
        let dropped = next.saturating_sub(CONTEXT);
        let Plane { stride, samples } = &mut self.plane;
        samples.copy_within(dropped * *stride..self.kept * *stride, 0);
        self.kept -= dropped;
        self.above = next - dropped;
    }
}
