//! Some rows of a component.

/// Rows of one component at full resolution, about zero.
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

    /// The same, to be filled.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.samples[row * self.stride..][..self.stride]
    }
}
