//! Color of RGBA pixels of 8 bits a sample, multiplied by alpha and divided by it, in place, before and after the resampler, which takes samples as they are.

use fast_image_resize::MulDiv;
use fast_image_resize::images::TypedImage;
use fast_image_resize::pixels::U8x4;

use crate::error::{Error, ErrorCode, Result};

/// Multiplies the color of a row of pixels by their alpha.
pub(super) fn multiply(row: &mut [u8]) -> Result<()> {
    MulDiv::new().multiply_alpha_inplace_typed(&mut view(row)?).map_err(internal)
}

/// Divides the color of a row of pixels by their alpha.
pub(super) fn divide(row: &mut [u8]) -> Result<()> {
    MulDiv::new().divide_alpha_inplace_typed(&mut view(row)?).map_err(internal)
}

fn view(row: &mut [u8]) -> Result<TypedImage<'_, U8x4>> {
    TypedImage::from_buffer((row.len() / 4) as u32, 1, row).map_err(internal)
}

fn internal(cause: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The image could not be resized: {cause}."))
}
