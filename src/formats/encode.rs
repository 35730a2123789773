//! Pixels to bytes, without metadata. One file a type: its settings and a call.

use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
#[cfg(feature = "full")]
use crate::formats::{
    avif::encode as avif, dds::encode as dds, exr::encode as exr, hdr::encode as hdr, tiff::encode as tiff,
};
#[cfg(feature = "core")]
use crate::formats::{
    bmp::encode as bmp, gif::encode as gif, ico::encode as ico, png::encode as png, simple_encode,
};
use crate::formats::{jpeg::encode as jpeg, webp::encode as webp};
use crate::image::Warning;
use crate::job::Encoding;

/// Encodes upright pixels whose alpha is settled. With `has_profile`, gray stays gray and color stays color: a profile for
/// the one says nothing about the other.
#[cfg_attr(not(feature = "core"), allow(unused_variables, clippy::ptr_arg))]
pub(crate) fn encode(
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
        Encoding::Pnm => Ok(simple_encode::encode_pnm(image)),
        #[cfg(feature = "core")]
        Encoding::Tga => simple_encode::encode_tga(image),
        #[cfg(feature = "core")]
        Encoding::Qoi => simple_encode::encode_qoi(image),
        #[cfg(feature = "core")]
        Encoding::Farbfeld => simple_encode::encode_farbfeld(image),
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
