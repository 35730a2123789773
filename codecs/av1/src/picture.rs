//! The decoded picture.

use crate::obu::ColorConfig;
use crate::plane::Plane;

/// A decoded picture: one plane if it is monochrome, otherwise Y, U and V (or G, B and R).
#[derive(Clone, Debug)]
pub struct Picture {
    planes: Vec<Plane>,
    color: ColorConfig,
}

impl Picture {
    pub(crate) fn new(planes: Vec<Plane>, color: ColorConfig) -> Self {
        Self { planes, color }
    }

    pub(crate) fn planes_mut(&mut self) -> &mut [Plane] {
        &mut self.planes
    }

    /// The bytes of the planes.
    pub(crate) fn bytes(&self) -> u64 {
        self.planes.iter().map(|plane| 2 * plane.data.len() as u64).sum()
    }

    /// Pixels in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.planes[0].width
    }

    /// Rows of pixels.
    #[must_use]
    pub fn height(&self) -> usize {
        self.planes[0].height
    }

    /// The sample format and the color description.
    #[must_use]
    pub fn color(&self) -> &ColorConfig {
        &self.color
    }

    /// 1 if the picture is monochrome, otherwise 3.
    #[must_use]
    pub fn plane_count(&self) -> usize {
        self.planes.len()
    }

    /// Columns and rows of a plane; of chroma, those of luma halved and rounded up where it is subsampled.
    ///
    /// # Panics
    /// If there is no such plane.
    #[must_use]
    pub fn plane_size(&self, plane: usize) -> (usize, usize) {
        (self.planes[plane].width, self.planes[plane].height)
    }

    /// The samples of a row of a plane, each below 2 to the power of the bit depth.
    ///
    /// # Panics
    /// If there is no such plane or row.
    #[must_use]
    pub fn row(&self, plane: usize, y: usize) -> &[u16] {
        self.planes[plane].row(y)
    }
}
