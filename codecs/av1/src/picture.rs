//! The decoded picture.

use crate::error::Error;
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

    /// A picture to encode. `planes` has the samples of each plane, row by row, without gaps: luma alone if the picture is monochrome,
    /// otherwise Y, U and V (or G, B and R). Chroma has the columns and rows of luma, halved and rounded up where it is subsampled.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if there is no pixel, or if the samples are not as many as the size and the format say;
    /// [`Error::OutOfMemory`].
    pub fn from_planes(
        (width, height): (usize, usize),
        color: ColorConfig,
        planes: &[&[u16]],
    ) -> Result<Self, Error> {
        let wrong = Error::Unsupported("a picture whose samples do not fit its size and format");
        if width == 0 || height == 0 || planes.len() != color.planes() {
            return Err(wrong);
        }
        let mut copies = Vec::new();
        for (plane, samples) in planes.iter().enumerate() {
            let (ss_x, ss_y) = color.subsampling(plane);
            let (w, h) = (width.div_ceil(1 << ss_x), height.div_ceil(1 << ss_y));
            if w.checked_mul(h) != Some(samples.len()) {
                return Err(wrong);
            }
            let mut copy = Plane::new(w, h, w, h)?;
            copy.data.copy_from_slice(samples);
            copies.push(copy);
        }
        Ok(Self::new(copies, color))
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
