//! Pixels to bytes, without metadata. One file a type: its settings and a call.

mod bmp;
mod gif;
mod ico;
mod jpeg;
mod plain;
pub(super) mod png;
mod webp;

use image::DynamicImage;

use super::Warning;
use crate::error::{Error, ErrorCode, Result};
use crate::job::Encoding;

pub(super) use ico::encode as encode_ico;

/// Encodes upright pixels whose alpha is settled. With `has_profile`, grey stays grey and colour stays colour: a profile for
/// the one says nothing about the other.
pub(super) fn encode(
    image: DynamicImage,
    encoding: Encoding,
    has_profile: bool,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    match encoding {
        Encoding::Jpeg { quality, effort } => jpeg::encode(image, quality, effort),
        Encoding::JpegRecoded => Err(Error::new(
            ErrorCode::LosslessUnsupported,
            "Coefficients can only be coded again as they stand in a JPEG file.",
        )),
        Encoding::Png { effort } => png::encode(image, effort, has_profile),
        Encoding::PngPalette { quality, effort } => {
            png::encode_palette(image, quality, effort, has_profile, warnings)
        }
        Encoding::WebpLossy { quality, effort } => webp::encode_lossy(image, quality, effort),
        Encoding::WebpLossless => webp::encode_lossless(image),
        Encoding::Gif { quality } => gif::encode(image, quality, warnings),
        Encoding::Bmp => bmp::encode(&image),
        Encoding::Ico { effort } => ico::encode(&[image], effort),
        Encoding::Pnm => Ok(plain::encode_pnm(image)),
        Encoding::Tga => plain::encode_tga(image),
        Encoding::Qoi => plain::encode_qoi(image),
        Encoding::Farbfeld => plain::encode_farbfeld(image),
    }
}
