//! A picture that is encoded at one or many qualities: what does not depend on them is done once, row by row.

use super::ac::thresholds;
use super::blocks::{BLOCK, Component, Row};
use super::dct::forward;
use super::masking::energy;
use super::mcu_rows::Rows;
use super::settings::{Color, Sampling};
use super::tuning::Tuning;
use crate::Error;
use crate::coefficients::QuantTable;

/// Takes the rows of a picture.
pub struct Preparer {
    rows: Rows,
    row_bytes: usize,
    picture: PictureBuilder,
}

/// The coefficients of a picture, not quantized: those that are not zero at any quality. Noise takes 3.4 bytes a pixel at 4:2:0, 6.8 at
/// 4:4:4, and photos a part of that.
#[derive(Clone)]
pub struct Prepared {
    pub(crate) size: (u16, u16),
    pub(crate) components: Vec<Component>,
}

/// Tables with which no coefficient is zero that is not with those of every quality.
pub(crate) fn every_quality() -> [QuantTable; 3] {
    [[1; BLOCK]; 3]
}

impl Preparer {
    /// For a picture of this size. `sampling` has no meaning for gray.
    ///
    /// # Errors
    /// [`Error::Argument`] for a size of zero, [`Error::Limit`] where there is too little memory.
    pub fn new(width: u16, height: u16, color: Color, sampling: Sampling) -> Result<Self, Error> {
        Self::with((width, height), color, sampling, &every_quality(), &Tuning::DEFAULT)
    }

    /// Holds what is not zero with these tables.
    pub(crate) fn with(
        size: (u16, u16),
        color: Color,
        sampling: Sampling,
        tables: &[QuantTable; 3],
        tuning: &Tuning,
    ) -> Result<Self, Error> {
        let picture = PictureBuilder::new(size, color, sampling, tables)?;
        let size = (usize::from(size.0), usize::from(size.1));
        let count = color.components();
        let factors = if count == 1 { (1, 1) } else { sampling.factors() };
        Ok(Self { rows: Rows::new(size, count, factors, tuning)?, row_bytes: size.0 * count, picture })
    }

    /// Takes whole rows of pixels from top to bottom: RGB or gray, as `color` said, without padding.
    ///
    /// # Errors
    /// [`Error::Argument`] for a part of a row, and for more rows than the picture has; [`Error::Limit`] where there is too little
    /// memory.
    pub fn push_rows(&mut self, pixels: &[u8]) -> Result<(), Error> {
        if !pixels.len().is_multiple_of(self.row_bytes) {
            return Err(Error::Argument("pixels come in whole rows"));
        }
        for row in pixels.chunks_exact(self.row_bytes) {
            if self.rows.complete() {
                return Err(Error::Argument("the picture has all of its rows"));
            }
            let mut pushed = Ok(());
            self.rows.push(row, |planes| {
                for (number, plane) in planes.into_iter().enumerate().take(self.picture.components()) {
                    pushed = pushed.and_then(|()| self.picture.push_samples(number, plane));
                }
            });
            pushed?;
        }
        Ok(())
    }

    /// The picture, after its last row.
    ///
    /// # Errors
    /// [`Error::Argument`] where rows are missing.
    pub fn finish(self) -> Result<Prepared, Error> {
        if !self.rows.complete() {
            return Err(Error::Argument("rows of the picture are missing"));
        }
        self.picture.finish()
    }
}

/// Rows of blocks that an MCU has at most.
const MAX_ROWS: usize = 4;

/// Puts together a picture of the blocks of its components.
pub(crate) struct PictureBuilder {
    picture: Prepared,
    /// Pixels for each sample of chroma, across and down.
    chroma: (usize, usize),
    /// Rows of blocks of each component.
    heights: Vec<usize>,
    /// By component, the magnitudes of coefficients that are zero with its table.
    thresholds: Vec<[i16; BLOCK]>,
    /// By component, the rows of blocks that are not complete: each number of row modulo their count.
    open: Vec<[Row; MAX_ROWS]>,
}

impl PictureBuilder {
    pub(crate) fn new(
        (width, height): (u16, u16),
        color: Color,
        sampling: Sampling,
        tables: &[QuantTable; 3],
    ) -> Result<Self, Error> {
        if width == 0 || height == 0 {
            return Err(Error::Argument("a picture has one pixel at least"));
        }
        let size = (usize::from(width), usize::from(height));
        let count = color.components();
        let factors = if count == 1 { (1, 1) } else { sampling.factors() };
        let mcus = (size.0.div_ceil(8 * factors.0), size.1.div_ceil(8 * factors.1));
        let (mut components, mut heights) = (Vec::new(), Vec::new());
        for number in 0..count {
            let (own, size) = match number {
                0 => (factors, size),
                _ => ((1, 1), (size.0.div_ceil(factors.0), size.1.div_ceil(factors.1))),
            };
            components.push(Component::new(own, mcus, size)?);
            heights.push(mcus.1 * own.1);
        }
        Ok(Self {
            picture: Prepared { size: (width, height), components },
            chroma: factors,
            heights,
            thresholds: tables[..count].iter().map(thresholds).collect(),
            open: vec![Default::default(); count],
        })
    }

    /// The number of components.
    pub(crate) fn components(&self) -> usize {
        self.open.len()
    }

    /// The samples of a row of a component, and its rows, without padding.
    pub(crate) fn size(&self, number: usize) -> (usize, usize) {
        let (width, height) = (usize::from(self.picture.size.0), usize::from(self.picture.size.1));
        let (across, down) = if number == 0 { (1, 1) } else { self.chroma };
        (width.div_ceil(across), height.div_ceil(down))
    }

    /// Samples in a row of a component: whole MCUs.
    pub(crate) fn stride(&self, number: usize) -> usize {
        8 * self.picture.components[number].stride
    }

    /// Transforms the samples of the next rows of blocks.
    pub(crate) fn push_samples(&mut self, number: usize, plane: &[f32]) -> Result<(), Error> {
        let width = self.stride(number);
        for rows in plane.chunks_exact(8 * width) {
            let row = self.picture.components[number].rows.len();
            for column in 0..width / 8 {
                let mut samples = [[0.0; 8]; 8];
                for (y, to) in samples.iter_mut().enumerate() {
                    to.copy_from_slice(&rows[y * width + 8 * column..][..8]);
                }
                self.push_block(number, (row, column), &forward(&samples));
            }
            self.close_row(number, row)?;
        }
        Ok(())
    }

    /// Takes a block of a row that is open. Blocks of a row come from left to right; those beyond whole MCUs are left out.
    #[inline]
    pub(crate) fn push_block(&mut self, number: usize, (row, column): (usize, usize), raw: &[i16; BLOCK]) {
        if column < self.picture.components[number].stride {
            let row = &mut self.open[number][row % MAX_ROWS];
            row.push(raw, &self.thresholds[number]);
            row.energies.push(energy(raw));
        }
    }

    /// Whether a block shows some of the picture.
    pub(crate) fn shows(&self, number: usize, (row, column): (usize, usize)) -> bool {
        let (columns, rows) = self.picture.components[number].shown;
        column < columns && row < rows
    }

    /// The same of a block without AC coefficients.
    #[inline]
    pub(crate) fn push_flat(&mut self, number: usize, (row, column): (usize, usize), dc: i16) {
        if column < self.picture.components[number].stride {
            self.open[number][row % MAX_ROWS].push_flat(Some(dc));
        }
    }

    /// Closes a row: what is missing to whole MCUs is plain. Rows are closed in their order.
    pub(crate) fn close_row(&mut self, number: usize, row: usize) -> Result<(), Error> {
        let component = &mut self.picture.components[number];
        let open = &mut self.open[number][row % MAX_ROWS];
        while open.masks.len() < component.stride {
            open.push_flat(None);
        }
        match component.rows.len() < self.heights[number] {
            true => component.rows.push(open.take()?),
            false => open.clear(),
        }
        Ok(())
    }

    /// The picture. Rows that are missing to whole MCUs are as those above them, but without texture.
    pub(crate) fn finish(mut self) -> Result<Prepared, Error> {
        for (component, height) in self.picture.components.iter_mut().zip(self.heights) {
            while let (true, Some(last)) = (component.rows.len() < height, component.rows.last()) {
                let mut row = Row { dc: last.dc.clone(), ..Row::default() };
                row.masks.resize(component.stride, 0);
                row.energies.resize(component.stride, 0.0);
                component.rows.push(row);
            }
        }
        Ok(self.picture)
    }
}
