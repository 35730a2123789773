//! Some rows of a component.

/// Rows of one component, about zero.
pub(crate) struct Plane {
    /// Samples in a row: whole MCUs.
    pub(crate) stride: usize,
    pub(crate) samples: Vec<f32>,
}

impl Plane {
    /// Row number `row` of those that are kept.
    pub(crate) fn row(&self, row: usize) -> &[f32] {
        &self.samples[row * self.stride..][..self.stride]
    }

    /// So many rows from number `first` on.
    pub(crate) fn rows(&self, first: usize, count: usize) -> &[f32] {
        &self.samples[first * self.stride..][..count * self.stride]
    }

    /// The same as [`row`](Self::row), to be filled.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.samples[row * self.stride..][..self.stride]
    }
}
