//! Pixels to bytes, without metadata. One file a type: its settings and a call.

#[cfg(feature = "full")]
mod avif;
#[cfg(feature = "core")]
mod bmp;
#[cfg(feature = "full")]
mod dds;
#[cfg(feature = "full")]
mod exr;
#[cfg(feature = "core")]
mod gif;
#[cfg(feature = "full")]
mod hdr;
#[cfg(feature = "core")]
mod ico;
mod jpeg;
#[cfg(feature = "core")]
mod plain;
#[cfg(feature = "core")]
pub(super) mod png;
mod prepared;
#[cfg(feature = "full")]
mod svg;
#[cfg(feature = "full")]
mod tiff;
mod webp;

use image::DynamicImage;

use super::Warning;
use crate::error::{Error, ErrorCode, Result};
use crate::job::Encoding;

#[cfg(feature = "core")]
pub(super) use ico::encode as encode_ico;
pub(super) use prepared::Prepared;
#[cfg(feature = "full")]
pub(super) use svg::minify as minify_svg;
#[cfg(feature = "full")]
pub(super) use tiff::Document as TiffDocument;

/// Encodes upright pixels whose alpha is settled. With `has_profile`, gray stays gray and color stays color: a profile for
/// the one says nothing about the other.
#[cfg_attr(not(feature = "core"), allow(unused_variables, clippy::ptr_arg))]
pub(super) fn encode(
    image: DynamicImage,
    encoding: Encoding,
    has_profile: bool,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    match encoding {
        Encoding::Jpeg { quality, effort } => jpeg::encode(image, quality, effort),
        #[cfg(feature = "core")]
        Encoding::Png { effort } => png::encode(image, effort, has_profile),
        #[cfg(feature = "core")]
        Encoding::PngPalette { quality, effort } => {
            png::encode_palette(image, quality, effort, has_profile, warnings)
        }
        Encoding::WebpLossy { quality, effort } => webp::encode_lossy(image, quality, effort),
        #[cfg(feature = "core")]
        Encoding::WebpLossless => webp::encode_lossless(image),
        #[cfg(feature = "core")]
        Encoding::Gif { quality } => gif::encode(image, quality, warnings),
        #[cfg(feature = "core")]
        Encoding::Bmp => bmp::encode(&image),
        #[cfg(feature = "core")]
        Encoding::Ico { effort } => ico::encode(&[image], effort),
        #[cfg(feature = "core")]
        Encoding::Pnm => Ok(plain::encode_pnm(image)),
        #[cfg(feature = "core")]
        Encoding::Tga => plain::encode_tga(image),
        #[cfg(feature = "core")]
        Encoding::Qoi => plain::encode_qoi(image),
        #[cfg(feature = "core")]
        Encoding::Farbfeld => plain::encode_farbfeld(image),
        #[cfg(feature = "full")]
        Encoding::Avif { quality, effort } => avif::encode(image, quality, effort),
        #[cfg(feature = "full")]
        Encoding::Tiff { effort } => tiff::encode(image, effort, has_profile),
        #[cfg(feature = "full")]
        Encoding::Exr { quality } => exr::encode(image, quality.is_some()),
        #[cfg(feature = "full")]
        Encoding::Hdr => hdr::encode(image, warnings),
        #[cfg(feature = "full")]
        Encoding::Dds { quality } => dds::encode(image, quality),
        other => {
            let message = format!("This build cannot write {}.", other.media().name());
            Err(Error::new(ErrorCode::NotInBuild, message))
        }
    }
}
