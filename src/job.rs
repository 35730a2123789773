//! Decides what a call means: raw options and a recognised type become a job with every default filled in.
//!
//! An engine never sees raw options, and no decision is taken after this point.

mod remote;

use filepress_wire::{MediaClass, MediaType};

use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;
use crate::media::{self, Build};
use crate::options::{
    AnimationPolicy, Background, DEFAULT_MIN_SCORE, EnginePolicy, MetadataPolicy, Options, Resize,
};
use crate::tree::{Choice, Tree, quoted};

pub use remote::RemoteJob;

/// Quality of JPEG and lossy WebP where none is asked for.
pub const DEFAULT_QUALITY: u8 = 80;
/// Quality of AVIF where none is asked for: about as good as [`DEFAULT_QUALITY`] is for the others.
pub const DEFAULT_AVIF_QUALITY: u8 = 60;
/// The quality that a search begins with.
const HIGHEST_QUALITY: u8 = 100;
/// Effort where none is asked for.
pub const DEFAULT_EFFORT: u8 = 4;

/// What is to be done, and where.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// An image, by the engine in this module.
    Local(LocalJob),
    /// Video, audio, PDF, and what the caller wants there: by a service.
    Remote(RemoteJob),
}

/// An image to be made, with nothing left open.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalJob {
    /// Type of the input.
    pub input: MediaType,
    /// How the output is coded; its type is [`Encoding::media`].
    pub encoding: Encoding,
    /// What the settings of the encoding are measured by.
    pub aim: Aim,
    /// The least build that has what it takes, as far as that is known before the file is looked into.
    pub build: Build,
    /// The asked size; `None` keeps the input's.
    pub resize: Option<Resize>,
    /// What shows through where the output has no transparency.
    pub background: Background,
    /// What travels beside the pixels.
    pub metadata: MetadataPolicy,
    /// Whether what moves stays moving.
    pub animation: AnimationPolicy,
    /// Fonts for the text of an SVG, as files in memory.
    pub fonts: Vec<Vec<u8>>,
    /// Upper bounds of the call.
    pub limits: Limits,
    /// Options that have no meaning for this output, by name.
    pub ignored: Vec<&'static str>,
}

/// What decides about the settings of an encoding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// They are taken as they stand.
    Settings,
    /// The best quality of at most so many bytes.
    Bytes {
        /// The most bytes that the file may have.
        target: u64,
        /// Pixels may be coded lossily, at up to the quality of the encoding.
        lossy: bool,
        /// The picture may be made smaller where no quality is low enough.
        scales: bool,
    },
    /// The lowest quality that scores at least so much in SSIMULACRA2 against the pixels that are coded.
    Score(f64),
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

/// The decision for a host: `inputType`, `outputType`, `engine`, for the local one the `build` to load, for the remote one the
/// `settings` of the task; and the options that are `ignored`, by name.
impl From<&Job> for Tree {
    fn from(job: &Job) -> Self {
        let (input, output, engine, ignored) = match job {
            Job::Local(job) => (job.input, job.encoding.media(), "local", &job.ignored),
            Job::Remote(job) => (job.input, job.output, "remote", &job.ignored),
        };
        let (build, settings) = match job {
            Job::Local(job) => (job.build.as_str().into(), Self::Nothing),
            Job::Remote(job) => (Self::Nothing, job.settings.clone()),
        };
        Self::object([
            ("inputType", input.as_str().into()),
            ("outputType", output.as_str().into()),
            ("engine", engine.into()),
            ("build", build),
            ("settings", settings),
            ("ignored", Self::List(ignored.iter().map(|name| Self::from(*name)).collect())),
        ])
    }
}

/// Decides what `options` mean for an input of type `input`.
///
/// # Errors
/// [`ErrorCode::InvalidOption`] for a `to` that is no known type, [`ErrorCode::UnsupportedOutput`],
/// [`ErrorCode::UnsupportedType`], [`ErrorCode::LosslessUnsupported`], [`ErrorCode::UnsupportedPair`], and
/// [`ErrorCode::NeedsService`] where the engine is to be local and can not be.
pub fn plan(input: MediaType, options: &Options) -> Result<Job> {
    let output = match &options.to {
        Some(to) => parse_output(to)?,
        None => input,
    };
    let engine = options.engine.unwrap_or_default();
    let is_image = input.class() == MediaClass::Image && output.class() == MediaClass::Image;
    if !is_image || engine == EnginePolicy::Remote {
        let job = remote::plan(input, output, options)?;
        return match engine {
            EnginePolicy::Local => Err(needs_service(input, output, "`engine` is \"local\"")),
            _ => Ok(Job::Remote(job)),
        };
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
    let aim = aim(encoding, options)?;
    let ignored = ignored(encoding, aim, options);
    let build = match (input, encoding, aim) {
        (_, _, Aim::Score(_)) => Build::Full,
        (MediaType::Jpeg, Encoding::Jpeg { .. } | Encoding::WebpLossy { .. }, _) => Build::Photo,
        _ => reader.build.max(writer.build).max(encoding.build()),
    };
    Ok(Job::Local(LocalJob {
        input,
        encoding,
        aim,
        build,
        // A drawing has no pixels: it is shown at whatever size its page wants.
        resize: options.resize.filter(|_| encoding != Encoding::Svg),
        background: options.background.unwrap_or_default(),
        metadata: options.metadata.unwrap_or_default(),
        animation: options.animation.unwrap_or_default(),
        fonts: options.fonts.clone().unwrap_or_default(),
        limits: options.limits.unwrap_or_default(),
        ignored,
    }))
}

/// The error for a pair that is not for this device, with the reason why it can not go to a service.
pub(crate) fn needs_service(input: MediaType, output: MediaType, why: &str) -> Error {
    let message = format!("{} to {} needs the service, and {why}.", input.name(), output.name());
    Error::new(ErrorCode::NeedsService, message).with_detail("type", input.as_str())
}

/// What is to be searched for, if anything.
fn aim(encoding: Encoding, options: &Options) -> Result<Aim> {
    let lossy = options.lossless != Some(true);
    let automatic = options.quality == Some(Choice::Auto) && lossy && is_scored(encoding);
    let Some(target) = options.target_size else {
        return Ok(match automatic {
            true => Aim::Score(options.min_score.unwrap_or(DEFAULT_MIN_SCORE)),
            false => Aim::Settings,
        });
    };
    if options.quality == Some(Choice::Auto) {
        return Err(Error::new(
            ErrorCode::InvalidOption,
            "options.targetSize decides the quality; leave out `quality`, or give the highest as a number.",
        )
        .with_detail("option", "targetSize"));
    }
    let exact = options.resize.is_some_and(|resize| resize.width.is_some() || resize.height.is_some());
    let scales = lossy && !exact && encoding != Encoding::Svg;
    Ok(Aim::Bytes { target, lossy, scales })
}

/// Whether a quality can be found by its score: where it says how much of the picture is lost, in small steps.
fn is_scored(encoding: Encoding) -> bool {
    matches!(
        encoding,
        Encoding::Jpeg { .. }
            | Encoding::PngPalette { .. }
            | Encoding::WebpLossy { .. }
            | Encoding::Avif { .. }
    )
}

/// The options that have no meaning for this output.
fn ignored(encoding: Encoding, aim: Aim, options: &Options) -> Vec<&'static str> {
    let scored = matches!(aim, Aim::Score(_));
    let mut ignored = Vec::new();
    let unsearched = options.quality == Some(Choice::Auto) && !scored;
    if options.quality.is_some() && (encoding.quality().is_none() || unsearched) {
        ignored.push("quality");
    }
    if options.min_score.is_some() && !scored {
        ignored.push("minScore");
    }
    if options.resize.is_some() && encoding == Encoding::Svg {
        ignored.push("resize");
    }
    ignored
}

fn parse_output(to: &str) -> Result<MediaType> {
    MediaType::from_mime(to).or_else(|| MediaType::from_extension(to)).ok_or_else(|| {
        Error::new(
            ErrorCode::InvalidOption,
            format!("options.to: {} is no known type; give a MIME type such as \"image/webp\".", quoted(to)),
        )
        .with_detail("option", "to")
    })
}

/// Fills in the settings of the output type.
fn encoding(input: MediaType, output: MediaType, options: &Options) -> Result<Encoding> {
    let lossless = options.lossless == Some(true);
    let effort = options.effort.unwrap_or(DEFAULT_EFFORT);
    let given = match options.quality {
        Some(Choice::Value(quality)) => Some(quality),
        Some(Choice::Auto) => Some(HIGHEST_QUALITY),
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
                "GIF has at most 256 colours and can not promise to be lossless; write PNG or WebP.",
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
                format!("{} can not be written.", other.name()),
            )
            .with_detail("type", other.as_str()));
        }
    })
}
