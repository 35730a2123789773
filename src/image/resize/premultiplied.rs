//! Color of RGBA pixels of 8 bits a sample, multiplied by alpha and divided by it, in place: the resampler would make a copy.

use fast_image_resize::MulDiv;
use fast_image_resize::images::TypedImage;
use fast_image_resize::pixels::U8x4;

use crate::error::Result;
use crate::image::resize::internal;

/// Multiplies the color of a row of pixels by their alpha.
pub(super) fn multiply(row: &mut [u8]) -> Result<()> {
    let mut view = TypedImage::<U8x4>::from_buffer((row.len() / 4) as u32, 1, row).map_err(internal)?;
    MulDiv::new().multiply_alpha_inplace_typed(&mut view).map_err(internal)
}

/// Divides the color of pixels by their alpha.
pub(super) fn divide(pixels: &mut [u8], (width, height): (u32, u32)) -> Result<()> {
    let mut view = TypedImage::<U8x4>::from_buffer(width, height, pixels).map_err(internal)?;
    MulDiv::new().divide_alpha_inplace_typed(&mut view).map_err(internal)
}
