//! The image pipeline, as a list: decode → colour → resize → orient → flatten → encode → metadata.
//!
//! Each stage is a file. Pixels are turned upright after they were resized, which gives the same picture for less work:
//! the asked size is translated into the frame of the stored pixels first (see [`geometry`]).

mod colour;
#[cfg(feature = "full")]
mod convert;
mod decode;
mod encode;
mod flatten;
mod geometry;
mod inspect;
mod metadata;
mod orient;
mod palette;
mod pixels;
#[cfg(feature = "full")]
mod recode;
mod repack;
mod resize;

use filepress_wire::MediaType;
use serde::Serialize;

use crate::error::Result;
#[cfg(not(feature = "full"))]
use crate::error::{Error, ErrorCode};
use crate::job::LocalJob;
#[cfg(not(feature = "full"))]
use crate::media::Build;
use crate::options::MetadataPolicy;

use decode::Header;
use geometry::Geometry;
pub use inspect::{Inspection, inspect};
use metadata::Metadata;

/// A step of the pipeline that takes noticeable time, with the share of the whole call that lies before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Bytes to pixels.
    Decode,
    /// Pixels to fewer (or more) pixels.
    Resize,
    /// Pixels to bytes.
    Encode,
    /// Nothing is left to do.
    Done,
}

impl Stage {
    /// The name that JavaScript sees.
    pub fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Resize => "resize",
            Self::Encode => "encode",
            Self::Done => "done",
        }
    }

    /// The share of the call that is done when this stage begins, 0 to 1: an estimate from typical photos.
    pub fn ratio(self) -> f64 {
        match self {
            Self::Decode => 0.0,
            Self::Resize => 0.25,
            Self::Encode => 0.4,
            Self::Done => 1.0,
        }
    }
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The coded image; `None` where it is the input, byte for byte.
    pub bytes: Option<Vec<u8>>,
    /// The truth about it.
    pub report: Report,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Type of the input, by its bytes.
    pub input_type: MediaType,
    /// Type of the output.
    #[serde(rename = "type")]
    pub media: MediaType,
    /// Width of the output in pixels, upright.
    pub width: u32,
    /// Height of the output in pixels, upright.
    pub height: u32,
    /// Width of the input in pixels, upright.
    pub input_width: u32,
    /// Height of the input in pixels, upright.
    pub input_height: u32,
    /// The coded pixels of the input were kept, since coding them again made them no smaller.
    pub kept_original: bool,
    /// The quality that was used, where the coding has one.
    pub quality: Option<u8>,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}

/// Something that was lost or done differently from what one might expect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Warning {
    /// A stable name.
    pub code: &'static str,
    /// A sentence for a person.
    pub message: String,
}

impl Warning {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Carries out a job on the bytes of one image. `on_stage` is called as each stage begins.
///
/// # Errors
/// Any code of the kinds input, limits and internal.
pub fn process(bytes: &[u8], job: &LocalJob, on_stage: &mut dyn FnMut(Stage)) -> Result<Output> {
    let call = Call::open(bytes, job)?;
    on_stage(Stage::Decode);
    let made = match repack::repack(&call)? {
        Some(made) => Some(made),
        None if call.keeps_animation() => None,
        None => Some(call.run_pipeline(on_stage)?),
    };
    let output = call.choose(made);
    on_stage(Stage::Done);
    Ok(output)
}

/// One call: what it was given, and what its header says.
struct Call<'a> {
    bytes: &'a [u8],
    job: &'a LocalJob,
    header: Header,
    geometry: Geometry,
    metadata: Metadata,
    profile: colour::Fate,
}

/// A coded image and what was lost on the way to it.
struct Made {
    bytes: Vec<u8>,
    warnings: Vec<Warning>,
}

impl<'a> Call<'a> {
    /// Reads the header and refuses what is over a limit; nothing that grows with the image is allocated here.
    fn open(bytes: &'a [u8], job: &'a LocalJob) -> Result<Self> {
        job.limits.check_input(bytes.len() as u64)?;
        if let Some((width, height)) = decode::claimed_size(bytes, job.input) {
            job.limits.check_pixels("input", width, height)?;
        }
        let header = decode::header(bytes, job.input)?;
        job.limits.check_pixels("input", header.width, header.height)?;
        let metadata = metadata::read(bytes, job.input);
        let geometry = Geometry::plan(&header, metadata.orientation(), job)?;
        job.limits.check_pixels("output", geometry.width, geometry.height)?;
        job.limits.check_memory(geometry.memory_estimate(bytes.len(), &header, job.encoding))?;
        let profile = colour::fate(&metadata, &header, job.encoding.media());
        #[cfg(not(feature = "full"))]
        if job.build == Build::Full || profile == colour::Fate::Applied {
            return Err(Error::new(
                ErrorCode::NotInBuild,
                "The call needs what only the `full` build holds.",
            ));
        }
        Ok(Self { bytes, job, header, geometry, metadata, profile })
    }

    /// The pipeline itself.
    fn run_pipeline(&self, on_stage: &mut dyn FnMut(Stage)) -> Result<Made> {
        let output = self.job.encoding.media();
        let carried = metadata::carries(output);
        let mut warnings = Vec::new();
        let mut kept = self.metadata.clone().retain(self.job.metadata);

        let pixels = decode::pixels(self.bytes, self.job.input, &self.job.limits)?;
        let pixels = colour::settle(pixels, &mut kept.icc, self.profile, &mut warnings);
        let pixels = match self.geometry.resizes() {
            true => {
                on_stage(Stage::Resize);
                resize::apply(pixels, &self.geometry)?
            }
            false => pixels,
        };
        let pixels = orient::apply(pixels, self.geometry.orientation);
        on_stage(Stage::Encode);
        let pixels = flatten::apply(pixels, self.job.encoding, self.job.background, &mut warnings);
        let encoded = encode::encode(pixels, self.job.encoding, kept.icc.is_some(), &mut warnings)?;

        if self.header.frames > 1 {
            warnings.push(Warning::new(
                "animation_dropped",
                "The input is animated; the output holds its first frame.",
            ));
        }
        if self.job.metadata == MetadataPolicy::Keep && carried.loses(&kept) {
            let message = format!("{} can not carry all of the metadata.", output.name());
            warnings.push(Warning::new("metadata_dropped", message));
        }
        Ok(Made { bytes: metadata::embed(encoded, output, &kept), warnings })
    }

    /// An animation that keeps its type and size is handed back as it is rather than cut to its first frame.
    fn keeps_animation(&self) -> bool {
        self.header.frames > 1 && self.is_same_picture() && self.original().is_some()
    }

    /// Nothing but fewer bytes was asked for.
    fn is_same_picture(&self) -> bool {
        self.job.input == self.job.encoding.media() && !self.geometry.resizes()
    }

    /// The coded pixels of the input, with the metadata that this call lets through.
    ///
    /// `None` where the container is too damaged to take metadata out of: handing it back might hand back a place.
    fn original(&self) -> Option<Vec<u8>> {
        if self.job.metadata == MetadataPolicy::Keep || !metadata::holds(self.job.input) {
            return Some(self.bytes.to_vec());
        }
        let kept = self.metadata.clone().retain(self.job.metadata);
        metadata::rewrite(self.bytes, self.job.input, &kept, self.geometry.orientation)
    }

    /// Takes the original where nothing but fewer bytes was asked for, and coding it again gained none.
    fn choose(&self, made: Option<Made>) -> Output {
        let original = if self.is_same_picture() { self.original() } else { None };
        let (bytes, mut warnings, kept_original) = match (made, original) {
            (Some(made), Some(original)) if made.bytes.len() >= original.len() => {
                (original, Vec::new(), true)
            }
            (Some(made), _) => (made.bytes, made.warnings, false),
            (None, original) => {
                let message = "Animations that keep their type and size are handed back as they are.";
                (original.unwrap_or_default(), vec![Warning::new("animation_kept", message)], true)
            }
        };
        for option in &self.job.ignored {
            let message = format!("`{option}` has no meaning for {}.", self.job.encoding.media().name());
            warnings.push(Warning::new("option_ignored", message));
        }
        Output {
            report: self.report(kept_original, warnings),
            bytes: Some(bytes).filter(|bytes| bytes != self.bytes),
        }
    }

    fn report(&self, kept_original: bool, mut warnings: Vec<Warning>) -> Report {
        let (input_width, input_height) = self.geometry.upright(self.header.width, self.header.height);
        warnings.extend(self.geometry.warning());
        Report {
            input_type: self.job.input,
            media: self.job.encoding.media(),
            width: self.geometry.width,
            height: self.geometry.height,
            input_width,
            input_height,
            kept_original,
            quality: self.job.encoding.quality().filter(|_| !kept_original),
            warnings,
        }
    }
}
