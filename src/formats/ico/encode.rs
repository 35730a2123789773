//! ICO with any number of sizes, each a PNG.
//!
//! Limits: 1 to 256 pixels wide and high. Pixels stay RGBA with 8 bits per channel: Windows supports no other PNG in an
//! icon.

use image::codecs::ico::{IcoEncoder, IcoFrame};
use image::{DynamicImage, ExtendedColorType};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::codec::Rewrite;
use crate::formats::ico::decode;
use crate::formats::png::encode as png;

/// The maximum width and height in pixels.
const MAX_SIDE: u32 = 256;

/// All sizes of the icon, each as a small PNG. `None` if they are too many, or not all are there: the file is kept.
pub(crate) fn rewrite(file: &Rewrite) -> Result<Option<Vec<u8>>> {
    let pictures = decode::pictures(file.bytes, file.limits)?;
    pictures.map(|pictures| encode(&pictures, file.encoding.effort())).transpose()
}

/// Writes the pictures in their order.
///
/// # Errors
/// [`ErrorCode::OutputTooLarge`] for a picture wider or higher than 256 pixels; [`ErrorCode::EncodeFailed`] without any.
pub(crate) fn encode(pictures: &[DynamicImage], effort: u8) -> Result<Vec<u8>> {
    let frames: Vec<_> = pictures.iter().map(|picture| frame(picture, effort)).collect::<Result<_>>()?;
    let mut out = Vec::new();
    IcoEncoder::new(&mut out).encode_images(&frames).map_err(failed)?;
    Ok(out)
}

fn frame(picture: &DynamicImage, effort: u8) -> Result<IcoFrame<'static>> {
    let (width, height) = (picture.width(), picture.height());
    let side = width.max(height);
    if side > MAX_SIDE {
        let message = format!("An icon holds at most 256 × 256 pixels, not {width} × {height}: resize it.");
        return Err(Error::limit(ErrorCode::OutputTooLarge, message, side.into(), MAX_SIDE.into()));
    }
    let encoded = png::encode_rgba(picture.clone(), effort)?;
    IcoFrame::with_encoded(encoded, width, height, ExtendedColorType::Rgba8).map_err(failed)
}

fn failed(cause: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The icon could not be written: {cause}."))
}

#[cfg(test)]
mod tests;
