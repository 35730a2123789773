//! A part of a picture, from the corner of an MCU on.

use crate::coefficients::Coefficients;
use crate::error::Error;

impl Coefficients {
    /// Keeps the `width` × `height` pixels from (`left`, `top`) on. No pixel changes, but for those at the new edges that the
    /// decoder's upsampling of chroma reaches beyond.
    ///
    /// # Errors
    /// [`Error::Argument`] where `left` or `top` is not the begin of an MCU (8 pixels times the largest sampling factor), and for a
    /// part that is empty or not within the picture.
    pub fn crop(&mut self, left: u16, top: u16, width: u16, height: u16) -> Result<(), Error> {
        let within =
            |from: u16, size: u16, all: u16| size > 0 && u32::from(from) + u32::from(size) <= u32::from(all);
        if !within(left, width, self.width) || !within(top, height, self.height) {
            return Err(Error::Argument("the part is empty or not within the picture"));
        }
        let (h, v) = self.max_sampling();
        let (h, v) = (usize::from(h.max(1)), usize::from(v.max(1)));
        let (left, top) = (usize::from(left), usize::from(top));
        if !left.is_multiple_of(8 * h) || !top.is_multiple_of(8 * v) {
            return Err(Error::Argument("a part begins where an MCU begins"));
        }
        (self.width, self.height) = (width, height);
        let mcus = self.mcus();
        for component in &mut self.components {
            let (own_h, own_v) = (usize::from(component.h), usize::from(component.v));
            let (first_column, first_row) = (left / (8 * h) * own_h, top / (8 * v) * own_v);
            let (wide, high) = (mcus.0 * own_h, mcus.1 * own_v);
            let rows = component.blocks.chunks_exact(component.blocks_wide).skip(first_row).take(high);
            component.blocks =
                rows.flat_map(|row| &row[first_column..first_column + wide]).copied().collect();
            (component.blocks_wide, component.blocks_high) = (wide, high);
            component.scan_blocks_wide = (usize::from(width) * own_h).div_ceil(h).div_ceil(8);
            component.scan_blocks_high = (usize::from(height) * own_v).div_ceil(v).div_ceil(8);
        }
        Ok(())
    }
}
