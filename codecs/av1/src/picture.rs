//! A picture: what is decoded, or to be encoded.

use crate::error::Error;
use crate::obu::ColorConfig;
use crate::plane::Plane;

/// A picture: one plane if it is monochrome, otherwise Y, U and V (or G, B and R).
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
        let length = |plane| {
            let (ss_x, ss_y) = color.subsampling(plane);
            width.div_ceil(1 << ss_x).checked_mul(height.div_ceil(1 << ss_y))
        };
        let fits = |(plane, samples): (usize, &&[u16])| length(plane) == Some(samples.len());
        if planes.len() != color.planes() || !planes.iter().enumerate().all(fits) {
            return Err(Error::Unsupported("a picture whose samples do not fit its size and format"));
        }
        Self::filled((width, height), color, |rows| {
            for (rows, samples) in rows.into_iter().zip(planes) {
                let from = samples.chunks_exact(rows.width);
                rows.zip(from).for_each(|(row, from)| row.copy_from_slice(from));
            }
        })
    }

    /// A picture to encode whose rows `fill` writes: it gets those of each plane, in the order of [`Self::from_planes`],
    /// as zeros. Samples above the largest of the bit depth become the largest.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if there is no pixel, or if samples have not 8, 10 or 12 bits; [`Error::OutOfMemory`].
    pub fn filled(
        (width, height): (usize, usize),
        color: ColorConfig,
        fill: impl FnOnce(Vec<RowsMut<'_>>),
    ) -> Result<Self, Error> {
        if width == 0 || height == 0 {
            return Err(Error::Unsupported("a picture without pixels"));
        }
        if !matches!(color.bit_depth, 8 | 10 | 12) {
            return Err(Error::Unsupported("this bit depth"));
        }
        let plane = |plane| {
            let (ss_x, ss_y) = color.subsampling(plane);
            Plane::padded(width, height, ss_x, ss_y)
        };
        let mut planes = (0..color.planes()).map(plane).collect::<Result<Vec<_>, _>>()?;
        fill(planes.iter_mut().map(RowsMut::of).collect());
        let largest = (1 << color.bit_depth) - 1;
        for plane in &mut planes {
            plane.data.iter_mut().for_each(|sample| *sample = (*sample).min(largest));
            plane.extend_edges();
        }
        Ok(Self::new(planes, color))
    }

    pub(crate) fn planes(&self) -> &[Plane] {
        &self.planes
    }

    pub(crate) fn planes_mut(&mut self) -> &mut [Plane] {
        &mut self.planes
    }

    /// The bytes of the planes in memory, with their padding.
    #[must_use]
    pub fn bytes(&self) -> u64 {
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

/// The rows of a plane, from the top, to be written.
#[derive(Debug)]
pub struct RowsMut<'a> {
    rows: std::iter::Take<std::slice::ChunksExactMut<'a, u16>>,
    width: usize,
}

impl<'a> RowsMut<'a> {
    fn of(plane: &'a mut Plane) -> Self {
        let rows = plane.data.chunks_exact_mut(plane.stride).take(plane.height);
        Self { rows, width: plane.width }
    }
}

impl<'a> Iterator for RowsMut<'a> {
    type Item = &'a mut [u16];

    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next().map(|row| &mut row[..self.width])
    }
}
