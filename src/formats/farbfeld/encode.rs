//! farbfeld by `image`.

use image::codecs::farbfeld;
use image::{DynamicImage, ImageError};

use crate::error::{Error, ErrorCode, Result};
use crate::pixels;

/// Always four channels of 16 bits: the number of bytes depends on nothing but width and height.
pub(crate) fn encode(image: DynamicImage) -> Result<Vec<u8>> {
    let image = DynamicImage::ImageRgba16(pixels::rgba16(image));
    // As long as it will be: while a buffer grows, it is there twice.
    let mut out = Vec::with_capacity(16 + image.as_bytes().len());
    image.write_with_encoder(farbfeld::FarbfeldEncoder::new(&mut out)).map_err(failed)?;
    Ok(out)
}

fn failed(cause: ImageError) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The image could not be written: {cause}."))
}
