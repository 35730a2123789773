//! Turns options and a recognized type into a job with every default filled in.
//!
//! Engines never see raw options, and no decision is made after this point.

mod encoding;
mod ignored;
mod memory_hint;
#[cfg(feature = "core")]
mod overlay;
mod remote;

use filepress_wire::{MediaClass, MediaType};

use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;
use crate::media::{self, Build, Format, Traits};
use crate::options::{
    AnimationPolicy, Background, DEFAULT_MIN_SCORE, Edit, EnginePolicy, Fit, HdrPolicy, MetadataPolicy,
    Options, Resize,
};
use crate::value::{OrAuto, Value, quoted};

pub use crate::formats::Encoding;
pub use encoding::DEFAULT_EFFORT;
pub use memory_hint::estimate as estimate_memory;
#[cfg(feature = "core")]
pub use overlay::PlannedOverlay;
#[cfg(feature = "core")]
pub(crate) use overlay::of_overlay;
pub use remote::RemoteJob;

/// The job, and where it runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// An image, converted by the engine in this module.
    Local(LocalJob),
    /// A conversion by a server: video, audio, PDF, and images if the caller wants so.
    Remote(RemoteJob),
}

/// An image conversion with every setting decided.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalJob {
    /// Type of the input.
    pub input: MediaType,
    /// The encoding of the output; its type is [`Encoding::media`].
    pub encoding: Encoding,
    /// How the settings of the encoding are determined.
    pub rate_control: RateControl,
    /// Whether a palette picture that is resized stays one: its output has a palette, and no option asks for more.
    pub stays_palette: bool,
    /// The smallest build that can run the job, as far as known before the file is read.
    pub build: Build,
    /// Which part of the input is shown, and how it is turned.
    pub edit: Edit,
    /// The requested size; `None` keeps the input's.
    pub resize: Option<Resize>,
    /// What is laid over the output.
    #[cfg(feature = "core")]
    pub overlay: Option<Box<PlannedOverlay>>,
    /// The background of transparent pixels if the output has no alpha, and of padding; `None`: white, and transparent padding if the
    /// output has alpha.
    pub background: Option<Background>,
    /// The metadata to keep.
    pub metadata: MetadataPolicy,
    /// What happens to an animation.
    pub animation: AnimationPolicy,
    /// What happens to an HDR gain map; `None`: a lossless JPEG that stays one keeps it, others drop it.
    pub hdr: Option<HdrPolicy>,
    /// Font files for the text of an SVG.
    pub fonts: Vec<Vec<u8>>,
    /// The limits of the call.
    pub limits: Limits,
    /// Names of options that have no effect on this output.
    pub ignored: Vec<&'static str>,
}

impl LocalJob {
    /// Whether an HDR gain map is kept where the output can hold it.
    #[cfg(feature = "core")]
    pub(crate) fn keeps_gain_map(&self) -> bool {
        match self.hdr {
            Some(policy) => policy == HdrPolicy::Keep,
            None => self.encoding.quality().is_none() && self.encoding.media() == self.input,
        }
    }
}

/// How the settings of an encoding are determined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RateControl {
    /// As given.
    Settings,
    /// The best quality within a number of bytes.
    Bytes {
        /// The most bytes that the file may have.
        target: u64,
        /// Whether the encoding may be lossy, up to its quality.
        lossy: bool,
        /// Whether the picture may be scaled down if no quality is low enough.
        scales: bool,
    },
    /// The lowest quality with at least this SSIMULACRA2 score against the pixels that are encoded.
    Score(f64),
}

/// The decision for JavaScript: `inputType`, `outputType`, `engine`, the `build` to load (local) or the `settings` of
/// the task (remote), and the names of `ignored` options.
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
/// [`ErrorCode::InvalidOption`] if `to` is not a known type, [`ErrorCode::UnsupportedOutput`],
/// [`ErrorCode::NeedsDecoder`], [`ErrorCode::LosslessUnsupported`], [`ErrorCode::UnsupportedPair`], and
/// [`ErrorCode::NeedsService`] if `engine` is `local` and a server is needed.
pub fn plan(input: MediaType, options: &Options) -> Result<Job> {
    let output = match &options.to {
        Some(to) => parse_output(to)?,
        // Nothing writes HEIC.
        None if input == MediaType::Heic => MediaType::Jpeg,
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
    let reader = reader_of(input)?;
    let writer = media::local_support(output).ok_or_else(|| {
        Error::new(ErrorCode::UnsupportedOutput, format!("{} cannot be written.", output.name()))
            .with_detail("type", output.as_str())
    })?;

    let encoding = encoding::planned(input, writer, options)?;
    let rate_control = rate_control(encoding, options)?;
    let ignored = ignored::of(encoding, rate_control, options)?;
    #[cfg(feature = "core")]
    let overlay = if encoding.has(Traits::VECTOR) { None } else { overlay::planned(options)? };
    let build = build(reader, encoding, rate_control, options);
    #[cfg(feature = "core")]
    let build =
        if overlay.as_ref().is_some_and(|overlay| overlay.needs_full()) { Build::Full } else { build };
    Ok(Job::Local(LocalJob {
        input,
        encoding,
        rate_control,
        stays_palette: input == encoding.media()
            && encoding.has(Traits::PALETTE)
            && encoding.quality().is_none()
            && options.lossless != Some(true),
        build,
        edit: if encoding.has(Traits::VECTOR) { Edit::default() } else { options.edit },
        // A vector drawing has no pixels: pages show it at any size.
        resize: options.resize.filter(|_| !encoding.has(Traits::VECTOR)),
        #[cfg(feature = "core")]
        overlay,
        background: options.background,
        metadata: options.metadata.unwrap_or_default(),
        animation: options.animation.unwrap_or_default(),
        hdr: options.hdr,
        fonts: options.fonts.clone().unwrap_or_default(),
        limits: options.limits.unwrap_or_default(),
        ignored,
    }))
}

/// The format of an image that can be read.
fn reader_of(input: MediaType) -> Result<&'static Format> {
    media::local_support(input).ok_or_else(|| media::unreadable(input))
}

/// The smallest build for an input of the format `reader`.
fn build(reader: &Format, encoding: Encoding, rate_control: RateControl, options: &Options) -> Build {
    // `photo`, `photo_avif` and `avif` have no code for overlays and HDR gain maps.
    let can_keep = reader.media == encoding.media() || encoding.has(Traits::AVIF_OUTPUT);
    let keeps_gain_map = options.hdr == Some(HdrPolicy::Keep) && can_keep;
    let is_plain = !keeps_gain_map && options.overlay.is_none();
    // Those for photos also have none for transparency, which padding without a background is, and for crop strategies.
    let is_padded = options.resize.is_some_and(|resize| resize.fit == Fit::Contain);
    let is_transparent = is_padded && encoding.has(Traits::ALPHA) && options.background.is_none();
    let is_searched = options.resize.is_some_and(|resize| resize.strategy().is_some());
    let is_photo = reader.has(Traits::PHOTO_INPUT) && is_plain && !is_transparent && !is_searched;
    let writes = |output: Traits| is_photo && encoding.has(output);
    match rate_control {
        RateControl::Score(_) => Build::Full,
        _ if writes(Traits::PHOTO_OUTPUT) && encoding.quality().is_some() => Build::Photo,
        _ if writes(Traits::AVIF_OUTPUT) => Build::PhotoAvif,
        _ if is_plain && reader.has(Traits::AVIF_INPUT) && encoding.has(Traits::AVIF_OUTPUT) => Build::Avif,
        _ if reader.build == Build::Full => Build::Full,
        _ => encoding.build(),
    }
}

/// The error for a pair that is not local, with the reason why a server cannot convert it either.
pub(crate) fn needs_service(input: MediaType, output: MediaType, why: &str) -> Error {
    let message = format!("{} to {} needs a server, and {why}.", input.name(), output.name());
    Error::new(ErrorCode::NeedsService, message).with_detail("type", input.as_str())
}

/// The search that the options ask for, if any.
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

/// Whether a quality can be searched by score: only if it changes the loss in small steps.
fn is_scored(encoding: Encoding) -> bool {
    encoding.has(Traits::AUTO) && encoding.quality().is_some()
}

fn parse_output(to: &str) -> Result<MediaType> {
    MediaType::from_mime(to).or_else(|| MediaType::from_extension(to)).ok_or_else(|| {
        Error::new(
            ErrorCode::InvalidOption,
            format!("options.to: {} is no known format; \"webp\" is one.", quoted(to)),
        )
        .with_detail("option", "to")
    })
}
