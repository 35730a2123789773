//! Where rows of macroblocks come from: RGB pixels that are converted each time, or YUV planes that were converted once.

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
    /// Empty planes, with room for a picture of `mb_width` × `mb_height` macroblocks.
    pub(crate) fn with_capacity((mb_width, mb_height): (usize, usize)) -> Self {
        let plane = |side: usize| Vec::with_capacity(mb_width * mb_height * side * side);
        Self { y: plane(16), uv: [plane(8), plane(8)] }
    }

    /// Appends a row of macroblocks.
    pub(crate) fn push_row(&mut self, y: &[u8], uv: &[Vec<u8>; 2]) {
        self.y.extend(y);
        for (plane, rows) in self.uv.iter_mut().zip(uv) {
            plane.extend(rows);
        }
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
