//! QOI by `image`.

use image::codecs::qoi;
use image::{DynamicImage, ImageError};

use crate::error::{Error, ErrorCode, Result};
use crate::pixels;

/// RGB where the image is opaque. QOI knows no grays.
pub(crate) fn encode(image: DynamicImage) -> Result<Vec<u8>> {
    let image = match image.color().has_alpha() {
        true => DynamicImage::ImageRgba8(pixels::rgba8(image)),
        false => DynamicImage::ImageRgb8(pixels::rgb8(image)),
    };
    let mut out = Vec::new();
    image.write_with_encoder(qoi::QoiEncoder::new(&mut out)).map_err(failed)?;
    Ok(out)
}

fn failed(cause: ImageError) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The image could not be written: {cause}."))
}
