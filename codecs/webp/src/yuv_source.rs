//! Where rows of macroblocks come from: RGB pixels that are converted each time, or YUV planes that were converted once.

use crate::mb_row::MbRow;
use crate::picture::Picture;

#[derive(Clone, Copy)]
pub(crate) enum YuvSource<'a> {
    Picture(&'a Picture<'a>),
    Planes { size: (usize, usize), planes: &'a Planes },
}

impl YuvSource<'_> {
    /// Width and height in pixels.
    pub(crate) fn size(&self) -> (usize, usize) {
        match self {
            Self::Picture(picture) => (picture.width, picture.height),
            Self::Planes { size, .. } => *size,
        }
    }

    /// Width and height in macroblocks.
    pub(crate) fn mb_size(&self) -> (usize, usize) {
        let (width, height) = self.size();
        (width.div_ceil(16), height.div_ceil(16))
    }
}

/// The Y, U and V of a picture, one row of macroblocks after another.
pub(crate) struct Planes {
    y: Vec<u8>,
    uv: [Vec<u8>; 2],
}

impl Planes {
    pub(crate) fn of(picture: &Picture<'_>) -> Self {
        let source = YuvSource::Picture(picture);
        let mut mb_row = MbRow::new(&source);
        let (mb_width, mb_height) = source.mb_size();
        let plane = |side: usize| Vec::with_capacity(mb_width * mb_height * side * side);
        let mut planes = Self { y: plane(16), uv: [plane(8), plane(8)] };
        for mb_y in 0..mb_height {
            mb_row.load(&source, mb_y);
            planes.y.extend(&mb_row.y);
            for (plane, rows) in planes.uv.iter_mut().zip(&mb_row.uv) {
                plane.extend(rows);
            }
        }
        planes
    }

    /// Copies a row of macroblocks. The lengths of `y` and `uv` are those of a row.
    pub(crate) fn copy_row(&self, mb_y: usize, y: &mut [u8], uv: &mut [Vec<u8>; 2]) {
        y.copy_from_slice(&self.y[mb_y * y.len()..][..y.len()]);
        for (to, plane) in uv.iter_mut().zip(&self.uv) {
            let len = to.len();
            to.copy_from_slice(&plane[mb_y * len..][..len]);
        }
    }
}
