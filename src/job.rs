//! Decides what a call means: raw options and a recognized type become a job with every default filled in.
//!
//! An engine never sees raw options, and no decision is taken after this point.

mod encoding;
mod memory;
mod remote;

use filepress_wire::{MediaClass, MediaType};

use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;
use crate::media::{self, Build, Traits};
use crate::options::{
    AnimationPolicy, Background, DEFAULT_MIN_SCORE, EnginePolicy, MetadataPolicy, Options, Resize,
};
use crate::value::{OrAuto, Value, quoted};

pub use crate::formats::Encoding;
pub use encoding::DEFAULT_EFFORT;
pub use memory::estimate as estimate_memory;
pub use remote::RemoteJob;

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
    pub rate_control: RateControl,
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
pub enum RateControl {
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

/// The decision for a host: `inputType`, `outputType`, `engine`, for the local one the `build` to load, for the remote one the
/// `settings` of the task; and the options that are `ignored`, by name.
impl From<&Job> for Value {
    fn from(job: &Job) -> Self {
        let (input, output, engine, ignored) = match job {
            Job::Local(job) => (job.input, job.encoding.media(), "local", &job.ignored),
            Job::Remote(job) => (job.input, job.output, "remote", &job.ignored),
        };
        let (build, settings) = match job {
            Job::Local(job) => (job.build.as_str().into(), Self::Null),
            Job::Remote(job) => (Self::Null, job.settings.clone()),
        };
        Self::object([
            ("inputType", input.as_str().into()),
            ("outputType", output.as_str().into()),
            ("engine", engine.into()),
            ("build", build),
            ("settings", settings),
            ("ignored", Self::Array(ignored.iter().map(|name| Self::from(*name)).collect())),
        ])
    }
}

/// Decides what `options` mean for an input of type `input`.
///
/// # Errors
/// [`ErrorCode::InvalidOption`] for a `to` that is no known type, [`ErrorCode::UnsupportedOutput`],
/// [`ErrorCode::UnsupportedType`], [`ErrorCode::LosslessUnsupported`], [`ErrorCode::UnsupportedPair`], and
/// [`ErrorCode::NeedsService`] where the engine is to be local and cannot be.
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
    let reader = media::local_support(input).ok_or_else(|| {
        Error::new(
            ErrorCode::UnsupportedType,
            format!(
                "This file was recognized as {} ({}), which cannot be read yet.",
                input.name(),
                input.as_str()
            ),
        )
        .with_detail("type", input.as_str())
        .with_detail("name", input.name())
    })?;
    let writer = media::local_support(output).ok_or_else(|| {
        Error::new(ErrorCode::UnsupportedOutput, format!("{} cannot be written.", output.name()))
            .with_detail("type", output.as_str())
    })?;

    let encoding = encoding::planned(input, writer, options)?;
    let rate_control = rate_control(encoding, options)?;
    let ignored = ignored(encoding, rate_control, options);
    let is_photo = reader.has(Traits::PHOTO_INPUT) && writer.has(Traits::PHOTO_OUTPUT);
    let build = match rate_control {
        RateControl::Score(_) => Build::Full,
        _ if is_photo && encoding.quality().is_some() => Build::Photo,
        _ => reader.build.max(encoding.build()),
    };
    Ok(Job::Local(LocalJob {
        input,
        encoding,
        rate_control,
        build,
        // A drawing has no pixels: it is shown at whatever size its page wants.
        resize: options.resize.filter(|_| !encoding.has(Traits::VECTOR)),
        background: options.background.unwrap_or_default(),
        metadata: options.metadata.unwrap_or_default(),
        animation: options.animation.unwrap_or_default(),
        fonts: options.fonts.clone().unwrap_or_default(),
        limits: options.limits.unwrap_or_default(),
        ignored,
    }))
}

/// The error for a pair that is not for this device, with the reason why it cannot go to a service.
pub(crate) fn needs_service(input: MediaType, output: MediaType, why: &str) -> Error {
    let message = format!("{} to {} needs the service, and {why}.", input.name(), output.name());
    Error::new(ErrorCode::NeedsService, message).with_detail("type", input.as_str())
}

/// What is to be searched for, if anything.
fn rate_control(encoding: Encoding, options: &Options) -> Result<RateControl> {
    let lossy = options.lossless != Some(true);
    let automatic = options.quality == Some(OrAuto::Auto) && lossy && is_scored(encoding);
    let Some(target) = options.target_size else {
        return Ok(match automatic {
            true => RateControl::Score(options.min_score.unwrap_or(DEFAULT_MIN_SCORE)),
            false => RateControl::Settings,
        });
    };
    if options.quality == Some(OrAuto::Auto) {
        return Err(Error::new(
            ErrorCode::InvalidOption,
            "options.targetSize decides the quality; leave out `quality`, or give the highest as a number.",
        )
        .with_detail("option", "targetSize"));
    }
    let exact = options.resize.is_some_and(|resize| resize.width.is_some() || resize.height.is_some());
    let scales = lossy && !exact && !encoding.has(Traits::VECTOR);
    Ok(RateControl::Bytes { target, lossy, scales })
}

/// Whether a quality can be found by its score: where it says how much of the picture is lost, in small steps.
fn is_scored(encoding: Encoding) -> bool {
    encoding.has(Traits::AUTO) && encoding.quality().is_some()
}

/// The options that have no meaning for this output.
fn ignored(encoding: Encoding, rate_control: RateControl, options: &Options) -> Vec<&'static str> {
    let scored = matches!(rate_control, RateControl::Score(_));
    let mut ignored = Vec::new();
    let unsearched = options.quality == Some(OrAuto::Auto) && !scored;
    if options.quality.is_some() && (encoding.quality().is_none() || unsearched) {
        ignored.push("quality");
    }
    if options.min_score.is_some() && !scored {
        ignored.push("minScore");
    }
    if options.resize.is_some() && encoding.has(Traits::VECTOR) {
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
