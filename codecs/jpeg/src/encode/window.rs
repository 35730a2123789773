//! The rows of a picture around those at hand: filters reach beyond rows of MCUs.

use super::plane::Plane;
use super::try_alloc::filled;
use crate::Error;

/// Rows above and below that are asked for.
pub(crate) const CONTEXT: usize = 4;

/// Some rows of all planes of a picture.
pub(crate) struct Window {
    /// Samples in a row of the picture, and its rows.
    width: usize,
    height: usize,
    /// Rows that are handed over at once.
    step: usize,
    pub(crate) planes: Vec<Plane>,
    /// Rows above those at hand that are kept, and all that are.
    pub(crate) above: usize,
    pub(crate) kept: usize,
    /// Rows of the picture that came.
    taken: usize,
}

impl Window {
    pub(crate) fn new(
        planes: usize,
        (width, height): (usize, usize),
        stride: usize,
        step: usize,
    ) -> Result<Self, Error> {
        let plane = |_| Ok(Plane { stride, samples: filled(0.0, stride * (step + 2 * CONTEXT))? });
        let planes = (0..planes).map(plane).collect::<Result<_, Error>>()?;
        Ok(Self { width, height, step, planes, above: 0, kept: 0, taken: 0 })
    }

    /// Whether no row is missing.
    pub(crate) fn complete(&self) -> bool {
        self.taken == self.height
    }

    /// The next row of each plane, to be filled: what is behind [`push`](Self::push).
    pub(crate) fn next_rows(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let (row, width) = (self.kept, self.width);
        self.planes.iter_mut().map(move |plane| &mut plane.row_mut(row)[..width])
    }

    /// Takes the row that was filled. Calls `put` with the rows at hand whenever there are as many as it asks for.
    pub(crate) fn push(&mut self, mut put: impl FnMut(&Self)) {
        for plane in &mut self.planes {
            let row = plane.row_mut(self.kept);
            let last = row[self.width - 1];
            row[self.width..].fill(last);
        }
        self.kept += 1;
        self.taken += 1;
        if self.complete() {
            self.pad();
        }
        while self.kept >= self.above + self.step + CONTEXT {
            put(self);
            self.advance();
        }
    }

    /// Repeats the last row of the picture down to whole steps, and below them.
    fn pad(&mut self) {
        let wanted = self.above + (self.kept - self.above).next_multiple_of(self.step) + CONTEXT;
        let wanted = wanted.max(self.kept);
        for plane in &mut self.planes {
            plane.samples.resize(plane.samples.len().max(wanted * plane.stride), 0.0);
            let last = self.kept - 1;
            for row in self.kept..wanted {
                plane.samples.copy_within(last * plane.stride..(last + 1) * plane.stride, row * plane.stride);
            }
        }
        self.kept = wanted;
    }

    /// Drops what is not needed for the next rows.
    fn advance(&mut self) {
        let next = self.above + self.step;
        let dropped = next.saturating_sub(CONTEXT);
        for plane in &mut self.planes {
            plane.samples.copy_within(dropped * plane.stride..self.kept * plane.stride, 0);
        }
        self.kept -= dropped;
        self.above = next - dropped;
    }
}
