//! TGA by `image`.

use image::codecs::tga;
use image::{DynamicImage, ImageError};

use crate::error::{Error, ErrorCode, Result};
use crate::pixels;

/// Run-length coded.
pub(crate) fn encode(image: DynamicImage) -> Result<Vec<u8>> {
    let image = pixels::eight_bit(image);
    let mut out = Vec::new();
    image.write_with_encoder(tga::TgaEncoder::new(&mut out)).map_err(failed)?;
    Ok(out)
}

fn failed(cause: ImageError) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The image could not be written: {cause}."))
}
