//! How an output is coded: its type, and every setting that has a meaning there.

use filepress_wire::MediaType;

use crate::error::{Error, ErrorCode, Result};
use crate::media::Build;
use crate::options::Options;
use crate::value::OrAuto;

/// Quality of JPEG and lossy WebP where none is asked for.
pub const DEFAULT_QUALITY: u8 = 80;
/// Quality of AVIF where none is asked for: about as good as [`DEFAULT_QUALITY`] is for the others.
pub const DEFAULT_AVIF_QUALITY: u8 = 60;
/// The quality that a search begins with.
const HIGHEST_QUALITY: u8 = 100;
/// Effort where none is asked for.
pub const DEFAULT_EFFORT: u8 = 4;

/// How an output is coded: the type and its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Lossy JPEG.
    Jpeg {
        /// 1 to 100.
        quality: u8,
        /// 0 to 9.
        effort: u8,
    },
    /// The coefficients of a JPEG as they are, with better entropy coding.
    JpegRecoded,
    /// PNG with every pixel as it is.
    Png {
        /// 0 to 9.
        effort: u8,
    },
    /// PNG with a palette.
    PngPalette {
        /// 1 to 100.
        quality: u8,
        /// 0 to 9.
        effort: u8,
    },
    /// Lossy WebP (VP8).
    WebpLossy {
        /// 1 to 100.
        quality: u8,
        /// 0 to 9.
        effort: u8,
    },
    /// Lossless WebP (VP8L).
    WebpLossless,
    /// GIF; a palette of at most 256 colors.
    Gif {
        /// 1 to 100.
        quality: u8,
    },
    /// BMP.
    Bmp,
    /// ICO with PNG entries.
    Ico {
        /// 0 to 9.
        effort: u8,
    },
    /// PNM: PBM, PGM or PPM, binary.
    Pnm,
    /// TGA with run-length coding.
    Tga,
    /// QOI.
    Qoi,
    /// farbfeld.
    Farbfeld,
    /// AVIF.
    Avif {
        /// 1 to 100.
        quality: u8,
        /// 0 to 9.
        effort: u8,
    },
    /// TIFF, compressed without loss.
    Tiff {
        /// 0 to 9.
        effort: u8,
    },
    /// OpenEXR; with a quality, of 16-bit numbers rather than 32-bit ones.
    Exr {
        /// 1 to 100, all of which mean the same.
        quality: Option<u8>,
    },
    /// Radiance HDR.
    Hdr,
    /// DDS; with a quality, compressed by blocks.
    Dds {
        /// 1 to 100.
        quality: Option<u8>,
    },
    /// The drawing of an SVG as it is, in fewer words.
    Svg,
}

impl Encoding {
    /// The type of the output.
    pub fn media(self) -> MediaType {
        match self {
            Self::Jpeg { .. } | Self::JpegRecoded => MediaType::Jpeg,
            Self::Png { .. } | Self::PngPalette { .. } => MediaType::Png,
            Self::WebpLossy { .. } | Self::WebpLossless => MediaType::Webp,
            Self::Gif { .. } => MediaType::Gif,
            Self::Bmp => MediaType::Bmp,
            Self::Ico { .. } => MediaType::Ico,
            Self::Pnm => MediaType::Pnm,
            Self::Tga => MediaType::Tga,
            Self::Qoi => MediaType::Qoi,
            Self::Farbfeld => MediaType::Farbfeld,
            Self::Avif { .. } => MediaType::Avif,
            Self::Tiff { .. } => MediaType::Tiff,
            Self::Exr { .. } => MediaType::Exr,
            Self::Hdr => MediaType::Hdr,
            Self::Dds { .. } => MediaType::Dds,
            Self::Svg => MediaType::Svg,
        }
    }

    /// The least build that has this coding; [`media::local_support`] knows the type alone.
    pub(super) fn build(self) -> Build {
        match self {
            Self::JpegRecoded => Build::Full,
            Self::Png { effort: 9 } | Self::PngPalette { effort: 9, .. } | Self::Ico { effort: 9 } => {
                Build::Full
            }
            _ => Build::Core,
        }
    }

    /// The quality that is used, where the coding has one.
    pub fn quality(self) -> Option<u8> {
        match self {
            Self::Jpeg { quality, .. }
            | Self::PngPalette { quality, .. }
            | Self::WebpLossy { quality, .. }
            | Self::Avif { quality, .. }
            | Self::Gif { quality } => Some(quality),
            Self::Exr { quality } | Self::Dds { quality } => quality,
            _ => None,
        }
    }

    /// The same type, coded lossily at a quality; unchanged where it has no lossy coding.
    #[must_use]
    pub fn at_quality(self, quality: u8) -> Self {
        match self {
            Self::Jpeg { effort, .. } => Self::Jpeg { quality, effort },
            Self::Png { effort } | Self::PngPalette { effort, .. } => Self::PngPalette { quality, effort },
            Self::WebpLossy { effort, .. } => Self::WebpLossy { quality, effort },
            Self::Avif { effort, .. } => Self::Avif { quality, effort },
            Self::Gif { .. } => Self::Gif { quality },
            Self::Exr { .. } => Self::Exr { quality: Some(quality) },
            Self::Dds { .. } => Self::Dds { quality: Some(quality) },
            other => other,
        }
    }
}

/// Fills in the settings of the output type.
pub(super) fn planned(input: MediaType, output: MediaType, options: &Options) -> Result<Encoding> {
    let lossless = options.lossless == Some(true);
    let effort = options.effort.unwrap_or(DEFAULT_EFFORT);
    let given = match options.quality {
        Some(OrAuto::Value(quality)) => Some(quality),
        Some(OrAuto::Auto) => Some(HIGHEST_QUALITY),
        None => options.target_size.map(|_| HIGHEST_QUALITY),
    };
    let quality = given.unwrap_or(DEFAULT_QUALITY);
    // PNG, EXR and DDS are lossless unless something lossy was asked for; for a number of bytes, that is tried first.
    let lossy = given.filter(|_| options.quality.is_some() && !lossless);
    Ok(match output {
        MediaType::Jpeg if lossless => {
            if input != MediaType::Jpeg || options.resize.is_some() {
                return Err(Error::new(
                    ErrorCode::LosslessUnsupported,
                    "JPEG is only lossless from a JPEG of the same size; leave out `lossless`, or write PNG or WebP.",
                ));
            }
            Encoding::JpegRecoded
        }
        MediaType::Avif if lossless => {
            return Err(Error::new(
                ErrorCode::LosslessUnsupported,
                "AVIF is not written losslessly here; write PNG or WebP.",
            ));
        }
        MediaType::Gif if lossless => {
            return Err(Error::new(
                ErrorCode::LosslessUnsupported,
                "GIF has at most 256 colors and cannot promise to be lossless; write PNG or WebP.",
            ));
        }
        MediaType::Jpeg => Encoding::Jpeg { quality, effort },
        MediaType::Png => match lossy {
            Some(quality) => Encoding::PngPalette { quality, effort },
            None => Encoding::Png { effort },
        },
        MediaType::Webp if lossless => Encoding::WebpLossless,
        MediaType::Webp => Encoding::WebpLossy { quality, effort },
        MediaType::Gif => Encoding::Gif { quality: given.unwrap_or(HIGHEST_QUALITY) },
        MediaType::Bmp => Encoding::Bmp,
        MediaType::Ico => Encoding::Ico { effort },
        MediaType::Pnm => Encoding::Pnm,
        MediaType::Tga => Encoding::Tga,
        MediaType::Qoi => Encoding::Qoi,
        MediaType::Farbfeld => Encoding::Farbfeld,
        MediaType::Avif => Encoding::Avif { quality: given.unwrap_or(DEFAULT_AVIF_QUALITY), effort },
        MediaType::Tiff => Encoding::Tiff { effort },
        MediaType::Exr => Encoding::Exr { quality: lossy },
        MediaType::Hdr => Encoding::Hdr,
        MediaType::Dds => Encoding::Dds { quality: lossy },
        MediaType::Svg if input == MediaType::Svg => Encoding::Svg,
        MediaType::Svg => {
            return Err(Error::new(
                ErrorCode::UnsupportedOutput,
                format!(
                    "{} is made of pixels, which do not become a drawing; write PNG, WebP or AVIF.",
                    input.name()
                ),
            )
            .with_detail("type", output.as_str()));
        }
        other => {
            return Err(Error::new(
                ErrorCode::UnsupportedOutput,
                format!("{} cannot be written.", other.name()),
            )
            .with_detail("type", other.as_str()));
        }
    })
}
