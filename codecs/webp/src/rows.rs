//! Where the rows of macroblocks come from: pixels that are converted each time, or what they were converted to.

use crate::band::Band;
use crate::picture::Picture;

#[derive(Clone, Copy)]
pub(crate) enum Rows<'a> {
    Picture(&'a Picture<'a>),
    Planes { size: (usize, usize), planes: &'a Planes },
}

impl Rows<'_> {
    /// Width and height.
    pub(crate) fn size(&self) -> (usize, usize) {
        match self {
            Self::Picture(picture) => (picture.width, picture.height),
            Self::Planes { size, .. } => *size,
        }
    }

    /// Sixteen pixels a macroblock, across and down.
    pub(crate) fn macroblocks(&self) -> (usize, usize) {
        let (width, height) = self.size();
        (width.div_ceil(16), height.div_ceil(16))
    }
}

/// Luma and chroma of a picture, by rows of macroblocks.
pub(crate) struct Planes {
    luma: Vec<u8>,
    chroma: [Vec<u8>; 2],
}

impl Planes {
    pub(crate) fn of(picture: &Picture<'_>) -> Self {
        let rows = Rows::Picture(picture);
        let mut band = Band::new(&rows);
        let (across, down) = rows.macroblocks();
        let plane = |side: usize| Vec::with_capacity(across * down * side * side);
        let mut planes = Self { luma: plane(16), chroma: [plane(8), plane(8)] };
        for row in 0..down {
            band.load(&rows, row);
            planes.luma.extend(&band.luma);
            for (plane, rows) in planes.chroma.iter_mut().zip(&band.chroma) {
                plane.extend(rows);
            }
        }
        planes
    }

    /// Puts a row of macroblocks there, whose length says how many pixels that are.
    pub(crate) fn copy_row(&self, row: usize, luma: &mut [u8], chroma: &mut [Vec<u8>; 2]) {
        luma.copy_from_slice(&self.luma[row * luma.len()..][..luma.len()]);
        for (to, plane) in chroma.iter_mut().zip(&self.chroma) {
            let length = to.len();
            to.copy_from_slice(&plane[row * length..][..length]);
        }
    }
}
