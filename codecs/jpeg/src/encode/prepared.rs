//! A picture that is encoded at one or many qualities: what does not depend on them is done once, row by row.

use super::blocks::Component;
use super::dct::forward;
use super::masking::energy;
use super::mcu_rows::Rows;
use super::settings::{Color, Sampling};
use super::try_alloc::reserved;
use super::tuning::Tuning;
use crate::Error;

/// Takes the rows of a picture.
pub struct Preparer {
    rows: Rows,
    row_bytes: usize,
    picture: Prepared,
}

/// The coefficients of a picture, not quantized: 3 bytes a pixel at 4:2:0, 6 at 4:4:4.
#[derive(Clone)]
pub struct Prepared {
    pub(crate) size: (u16, u16),
    pub(crate) components: Vec<Component>,
    /// The mean square of the AC coefficients of each block.
    pub(crate) energies: Vec<Vec<f32>>,
}

impl Preparer {
    /// For a picture of this size. `sampling` has no meaning for gray.
    ///
    /// # Errors
    /// [`Error::Argument`] for a size of zero, [`Error::Limit`] where there is too little memory.
    pub fn new(width: u16, height: u16, color: Color, sampling: Sampling) -> Result<Self, Error> {
        Self::with(width, height, color, sampling, &Tuning::DEFAULT)
    }

    pub(crate) fn with(
        width: u16,
        height: u16,
        color: Color,
        sampling: Sampling,
        tuning: &Tuning,
    ) -> Result<Self, Error> {
        if width == 0 || height == 0 {
            return Err(Error::Argument("a picture has one pixel at least"));
        }
        let size = (usize::from(width), usize::from(height));
        let count = color.components();
        let factors = if count == 1 { (1, 1) } else { sampling.factors() };
        let mcus = (size.0.div_ceil(8 * factors.0), size.1.div_ceil(8 * factors.1));
        let (mut components, mut energies) = (Vec::new(), Vec::new());
        for number in 0..count {
            let (own, size) = match number {
                0 => (factors, size),
                _ => ((1, 1), (size.0.div_ceil(factors.0), size.1.div_ceil(factors.1))),
            };
            let component = Component::new(own, mcus, size)?;
            energies.push(reserved(component.blocks.capacity())?);
            components.push(component);
        }
        let rows = Rows::new(size, count, factors, tuning.sharpening)?;
        let picture = Prepared { size: (width, height), components, energies };
        Ok(Self { rows, row_bytes: size.0 * count, picture })
    }

    /// Takes whole rows of pixels from top to bottom: RGB or gray, as `color` said, without padding.
    ///
    /// # Errors
    /// [`Error::Argument`] for a part of a row, and for more rows than the picture has.
    pub fn push_rows(&mut self, pixels: &[u8]) -> Result<(), Error> {
        if !pixels.len().is_multiple_of(self.row_bytes) {
            return Err(Error::Argument("pixels come in whole rows"));
        }
        for row in pixels.chunks_exact(self.row_bytes) {
            if self.rows.complete() {
                return Err(Error::Argument("the picture has all of its rows"));
            }
            let Prepared { components, energies, .. } = &mut self.picture;
            self.rows.push(row, |planes| {
                for ((component, energies), plane) in
                    components.iter_mut().zip(energies.iter_mut()).zip(planes)
                {
                    push_blocks(component, energies, plane);
                }
            });
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
        Ok(self.picture)
    }
}

/// Transforms the blocks of a row of MCUs.
fn push_blocks(component: &mut Component, energies: &mut Vec<f32>, plane: &[f32]) {
    let width = 8 * component.stride;
    for rows in plane.chunks_exact(8 * width) {
        for column in 0..component.stride {
            let mut samples = [[0.0; 8]; 8];
            for (y, to) in samples.iter_mut().enumerate() {
                to.copy_from_slice(&rows[y * width + 8 * column..][..8]);
            }
            let raw = forward(&samples);
            energies.push(energy(&raw));
            component.blocks.push(raw);
        }
    }
}
