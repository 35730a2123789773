//! One plane of samples, of any bit depth, with room for the blocks that reach beyond the right and the bottom edge.

use std::collections::TryReserveError;

/// The luma columns and rows that the planes of a picture in memory are padded to a multiple of. No transform block is larger.
pub const PADDING: u32 = 64;

/// Samples of one plane in rows of `stride`. Only the first `width` of the first `height` rows are visible.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    /// `stride` samples for each row, padding included.
    pub(crate) data: Vec<u16>,
    /// Samples from one row to the next, at least `width`.
    pub(crate) stride: usize,
    /// Visible samples of a row.
    pub(crate) width: usize,
    /// Visible rows.
    pub(crate) height: usize,
}

impl Plane {
    /// A plane of zeros with `padded_width` samples in each of `padded_height` rows, which are at least `width` and `height`.
    pub(crate) fn new(
        width: usize,
        height: usize,
        padded_width: usize,
        padded_height: usize,
    ) -> Result<Self, TryReserveError> {
        let (stride, rows) = (padded_width.max(width), padded_height.max(height));
        let data = zeros(stride.saturating_mul(rows))?;
        Ok(Self { data, stride, width, height })
    }

    /// A plane of a frame of `width` × `height` luma samples, with room for every transform block that begins inside the frame.
    /// `ss_x` and `ss_y` are 1 for a plane that is subsampled, else 0.
    pub(crate) fn padded(width: usize, height: usize, ss_x: u8, ss_y: u8) -> Result<Self, TryReserveError> {
        let side = |luma: usize, ss: u8| {
            (
                (luma + usize::from(ss)) >> ss,
                luma.div_ceil(PADDING as usize).saturating_mul(PADDING as usize) >> ss,
            )
        };
        let ((width, padded_width), (height, padded_height)) = (side(width, ss_x), side(height, ss_y));
        Self::new(width, height, padded_width, padded_height)
    }

    /// The visible samples of a row.
    pub(crate) fn row(&self, y: usize) -> &[u16] {
        &self.data[y * self.stride..][..self.width]
    }

    /// The visible samples of a row.
    pub(crate) fn row_mut(&mut self, y: usize) -> &mut [u16] {
        &mut self.data[y * self.stride..][..self.width]
    }

    /// Repeats the last sample of each row, and the last row, in the padding.
    pub(crate) fn extend_edges(&mut self) {
        let (width, stride, height) = (self.width, self.stride, self.height);
        for row in self.data.chunks_exact_mut(stride).take(height) {
            let last = row[width - 1];
            row[width..].fill(last);
        }
        let last = (height - 1) * stride;
        for from in (height * stride..self.data.len()).step_by(stride) {
            self.data.copy_within(last..last + stride, from);
        }
    }

    /// Rows with those of the padding.
    pub(crate) fn padded_height(&self) -> usize {
        self.data.len() / self.stride.max(1)
    }

    /// The rows of a block, `w` samples each, from row `y` on.
    pub(crate) fn block_rows(
        &mut self,
        x: usize,
        y: usize,
        w: usize,
        h: usize,
    ) -> impl Iterator<Item = &mut [u16]> {
        let stride = self.stride;
        self.data[y * stride..].chunks_mut(stride).take(h).map(move |row| &mut row[x..x + w])
    }
}

/// A vector of `length` zeros.
pub(crate) fn zeros<T: Clone + Default>(length: usize) -> Result<Vec<T>, TryReserveError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(length)?;
    vector.resize(length, T::default());
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subsampled_plane_of_odd_size_rounds_up_and_holds_whole_blocks() {
        let plane = Plane::padded(65, 3, 1, 1).unwrap();
        assert_eq!((plane.width, plane.height), (33, 2));
        assert_eq!((plane.stride, plane.padded_height()), (64, 32));
    }

    #[test]
    fn block_rows_are_the_samples_of_the_block() {
        let mut plane = Plane::padded(8, 8, 0, 0).unwrap();
        plane.block_rows(4, 2, 3, 2).for_each(|row| row.fill(7));
        assert_eq!(plane.data.iter().filter(|&&sample| sample == 7).count(), 6);
        assert_eq!(plane.row(3), [0, 0, 0, 0, 7, 7, 7, 0]);
    }

    #[test]
    fn a_plane_that_cannot_be_allocated_is_an_error() {
        assert!(Plane::padded(1 << 40, 1 << 40, 0, 0).is_err());
    }
}
