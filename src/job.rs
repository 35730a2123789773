//! Decides what a call means: raw options and a recognised type become a job with every default filled in.
//!
//! An engine never sees raw options, and no decision is taken after this point.

use filepress_wire::{MediaClass, MediaType};
use serde::Serialize;

use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;
use crate::media::{self, Build};
use crate::options::{Background, MetadataPolicy, Options, Resize};

/// Quality of JPEG and lossy WebP where none is asked for.
pub const DEFAULT_QUALITY: u8 = 80;
/// Effort where none is asked for.
pub const DEFAULT_EFFORT: u8 = 4;

/// What is to be done, and where.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// An image, by the engine in this module.
    Local(LocalJob),
    /// Video, audio, PDF: by a service.
    Remote {
        /// Type of the input.
        input: MediaType,
        /// Type of the output.
        output: MediaType,
    },
}

/// An image to be made, with nothing left open.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalJob {
    /// Type of the input.
    pub input: MediaType,
    /// How the output is coded; its type is [`Encoding::media`].
    pub encoding: Encoding,
    /// The least build that has both codecs.
    pub build: Build,
    /// The asked size; `None` keeps the input's.
    pub resize: Option<Resize>,
    /// What shows through where the output has no transparency.
    pub background: Background,
    /// What travels beside the pixels.
    pub metadata: MetadataPolicy,
    /// Upper bounds of the call.
    pub limits: Limits,
    /// Options that have no meaning for this output, by name.
    pub ignored: Vec<&'static str>,
}

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
    /// GIF; a palette of at most 256 colours.
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
        }
    }

    /// The least build that has this coding; [`media::local_support`] knows the type alone.
    fn build(self) -> Build {
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
            | Self::Gif { quality } => Some(quality),
            _ => None,
        }
    }
}

/// A decision in words that JavaScript reads: see [`Job::summary`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    input_type: MediaType,
    output_type: MediaType,
    engine: &'static str,
    build: Option<Build>,
}

impl Job {
    /// The decision for a host: both types, the engine and the build to load.
    pub fn summary(&self) -> Summary {
        match self {
            Self::Local(job) => Summary {
                input_type: job.input,
                output_type: job.encoding.media(),
                engine: "local",
                build: Some(job.build),
            },
            Self::Remote { input, output } => {
                Summary { input_type: *input, output_type: *output, engine: "remote", build: None }
            }
        }
    }
}

/// Decides what `options` mean for an input of type `input`.
///
/// # Errors
/// [`ErrorCode::InvalidOption`] for a `to` that is no known type, [`ErrorCode::UnsupportedOutput`],
/// [`ErrorCode::UnsupportedType`], [`ErrorCode::LosslessUnsupported`].
pub fn plan(input: MediaType, options: &Options) -> Result<Job> {
    let output = match &options.to {
        Some(to) => parse_output(to)?,
        None => input,
    };
    if input.class() != MediaClass::Image || output.class() != MediaClass::Image {
        return Ok(Job::Remote { input, output });
    }
    let reader = media::local_support(input).filter(|support| support.read).ok_or_else(|| {
        Error::new(
            ErrorCode::UnsupportedType,
            format!(
                "This file was recognised as {} ({}), which can not be read yet.",
                input.name(),
                input.as_str()
            ),
        )
        .with_detail("type", input.as_str())
        .with_detail("name", input.name())
    })?;
    let writer = media::local_support(output).filter(|support| support.write).ok_or_else(|| {
        Error::new(ErrorCode::UnsupportedOutput, format!("{} can not be written.", output.name()))
            .with_detail("type", output.as_str())
    })?;

    let encoding = encoding(input, output, options)?;
    let mut ignored = Vec::new();
    if options.quality.is_some() && encoding.quality().is_none() {
        ignored.push("quality");
    }
    Ok(Job::Local(LocalJob {
        input,
        encoding,
        build: reader.build.max(writer.build).max(encoding.build()),
        resize: options.resize,
        background: options.background.unwrap_or_default(),
        metadata: options.metadata.unwrap_or_default(),
        limits: options.limits.unwrap_or_default(),
        ignored,
    }))
}

fn parse_output(to: &str) -> Result<MediaType> {
    MediaType::from_mime(to).or_else(|| MediaType::from_extension(to)).ok_or_else(|| {
        Error::new(
            ErrorCode::InvalidOption,
            format!("options.to: \"{to}\" is no known type; give a MIME type such as \"image/webp\"."),
        )
        .with_detail("option", "to")
    })
}

/// Fills in the settings of the output type.
fn encoding(input: MediaType, output: MediaType, options: &Options) -> Result<Encoding> {
    let lossless = options.lossless == Some(true);
    let effort = options.effort.unwrap_or(DEFAULT_EFFORT);
    let quality = options.quality.unwrap_or(DEFAULT_QUALITY);
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
        MediaType::Gif if lossless => {
            return Err(Error::new(
                ErrorCode::LosslessUnsupported,
                "GIF has at most 256 colours and can not promise to be lossless; write PNG or WebP.",
            ));
        }
        MediaType::Jpeg => Encoding::Jpeg { quality, effort },
        MediaType::Png => match options.quality {
            Some(quality) if !lossless => Encoding::PngPalette { quality, effort },
            _ => Encoding::Png { effort },
        },
        MediaType::Webp if lossless => Encoding::WebpLossless,
        MediaType::Webp => Encoding::WebpLossy { quality, effort },
        MediaType::Gif => Encoding::Gif { quality: options.quality.unwrap_or(100) },
        MediaType::Bmp => Encoding::Bmp,
        MediaType::Ico => Encoding::Ico { effort },
        MediaType::Pnm => Encoding::Pnm,
        MediaType::Tga => Encoding::Tga,
        MediaType::Qoi => Encoding::Qoi,
        MediaType::Farbfeld => Encoding::Farbfeld,
        other => {
            return Err(Error::new(
                ErrorCode::UnsupportedOutput,
                format!("{} can not be written.", other.name()),
            )
            .with_detail("type", other.as_str()));
        }
    })
}
