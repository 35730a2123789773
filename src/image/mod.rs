//! The image pipeline, as a list: decode → colour → resize → orient → light → flatten → encode → metadata.
//!
//! Each stage is a file. Pixels are turned upright after they were resized, which gives the same picture for less work:
//! the asked size is translated into the frame of the stored pixels first (see [`geometry`]).

#[cfg(feature = "core")]
mod animation;
mod bracket;
mod colour;
#[cfg(feature = "full")]
mod compare;
#[cfg(feature = "full")]
mod convert;
mod decode;
mod encode;
mod fit_bytes;
#[cfg(feature = "full")]
mod fit_score;
#[cfg(feature = "core")]
mod flatten;
mod geometry;
#[cfg(feature = "full")]
mod ifd;
#[cfg(feature = "full")]
mod ink_table;
mod inspect;
#[cfg(feature = "full")]
mod isobmff;
#[cfg(feature = "full")]
mod light;
#[cfg(feature = "full")]
mod markup;
mod metadata;
mod orient;
#[cfg(feature = "full")]
mod pages;
#[cfg(feature = "core")]
mod palette;
#[cfg_attr(not(feature = "core"), allow(dead_code))]
mod pixels;
#[cfg(feature = "full")]
mod recode;
#[cfg(feature = "core")]
mod repack;
mod resize;
#[cfg(feature = "full")]
mod score;

use filepress_wire::MediaType;
use serde::Serialize;

use crate::error::{Error, ErrorCode, Result};
use crate::job::{Aim, Encoding, LocalJob};
use crate::media::Build;
use crate::options::{AnimationPolicy, MetadataPolicy};

use ::image::DynamicImage;
#[cfg(feature = "full")]
pub use compare::{Comparison, Side, compare};
#[cfg(feature = "full")]
use decode::ColourModel;
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// The SSIMULACRA2 score of the output against the pixels that were coded, where a quality was searched by it: 100 is
    /// identical, 90 can hardly be told apart, 70 is high quality, 50 medium.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
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
    let made = match call.is_done() {
        true => None,
        false => Some(call.make(on_stage)?),
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

/// A coded image, and what was done to it.
struct Made {
    /// The whole file, with its metadata.
    bytes: Vec<u8>,
    /// Width and height in pixels, upright.
    size: (u32, u32),
    /// The coding that was used in the end.
    encoding: Encoding,
    /// Its score, where one was measured.
    score: Option<f64>,
    /// What was lost.
    warnings: Vec<Warning>,
}

impl<'a> Call<'a> {
    /// Reads the header and refuses what is over a limit; nothing that grows with the image is allocated here.
    fn open(bytes: &'a [u8], job: &'a LocalJob) -> Result<Self> {
        job.limits.check_input(bytes.len() as u64)?;
        check_build(job.build)?;
        #[cfg(feature = "core")]
        if let Some((width, height)) = decode::claimed_size(bytes, job.input) {
            job.limits.check_pixels("input", width, height)?;
        }
        let header = decode::header(bytes, job.input)?;
        if !header.scalable {
            job.limits.check_pixels("input", header.width, header.height)?;
        }
        let metadata = metadata::read(bytes, job.input);
        let geometry = Geometry::plan(&header, metadata.orientation(), job)?;
        job.limits.check_pixels("output", geometry.width, geometry.height)?;
        job.limits.check_memory(geometry.memory_estimate(bytes.len(), &header, job))?;
        let profile = colour::fate(&metadata, &header, job.encoding.media());
        if profile == colour::Fate::Applied {
            check_build(Build::Full)?;
        }
        Ok(Self { bytes, job, header, geometry, metadata, profile })
    }

    /// Makes the output, by the way that the input and the output ask for.
    fn make(&self, on_stage: &mut dyn FnMut(Stage)) -> Result<Made> {
        #[cfg(feature = "core")]
        if let Some(made) = repack::repack(self)? {
            return Ok(made);
        }
        let mut made = match () {
            #[cfg(feature = "core")]
            () if self.moves() => self.aim(&mut |encoding, size| animation::run(self, encoding, size))?,
            #[cfg(feature = "full")]
            () if self.has_pages() => self.aim(&mut |encoding, size| pages::run(self, encoding, size))?,
            () => self.make_picture(on_stage)?,
        };
        made.warnings.extend(self.frames_warning());
        if self.job.metadata == MetadataPolicy::Keep && metadata::carries(self.output()).loses(&self.kept()) {
            let message = format!("{} can not carry all of the metadata.", self.output().name());
            made.warnings.push(Warning::new("metadata_dropped", message));
        }
        Ok(made)
    }

    /// One picture, decoded once, and coded as often as the aim asks for.
    fn make_picture(&self, on_stage: &mut dyn FnMut(Stage)) -> Result<Made> {
        let mut warnings = Vec::new();
        let picture = self.picture(on_stage, &mut warnings)?;
        on_stage(Stage::Encode);
        let full = (picture.width(), picture.height());
        let has_profile = self.kept().icc.is_some();
        // Coded once, it need not stay.
        if self.job.aim == Aim::Settings {
            let encoded = encode::encode(picture, self.job.encoding, has_profile, &mut warnings)?;
            return Ok(self.finish(encoded, self.job.encoding, full, warnings));
        }
        // What was coded last, if it is not the picture itself, and what was made of it to be coded again.
        let mut scaled: Option<DynamicImage> = None;
        let mut prepared = encode::Prepared::default();
        let mut last = full;
        let mut code = |encoding, size| {
            if size != last {
                (scaled, prepared, last) = (None, encode::Prepared::default(), size);
                if size != full {
                    scaled = Some(resize::apply(picture.clone(), size, false)?);
                }
            }
            let pixels = scaled.as_ref().unwrap_or(&picture);
            let mut warnings = warnings.clone();
            let encoded = prepared.encode(pixels, encoding, has_profile, &mut warnings)?;
            Ok(self.finish(encoded, encoding, size, warnings))
        };
        match self.job.aim {
            #[cfg(feature = "full")]
            Aim::Score(least) => fit_score::search(&picture, least, self.job.encoding, &mut code),
            _ => self.aim(&mut code),
        }
    }

    /// Codes once, or as often as it takes to be within the asked bytes. `code` is given a coding and an upright size.
    fn aim(&self, code: &mut dyn FnMut(Encoding, (u32, u32)) -> Result<Made>) -> Result<Made> {
        let full = (self.geometry.width, self.geometry.height);
        match self.job.aim {
            Aim::Bytes { target, lossy, scales } => {
                fit_bytes::search(target, lossy, scales, self.job.encoding, full, code)
            }
            Aim::Settings | Aim::Score(_) => code(self.job.encoding, full),
        }
    }

    /// The (first) picture of the input, upright, in the size of the output, its alpha settled: all but coded.
    fn picture(&self, on_stage: &mut dyn FnMut(Stage), warnings: &mut Vec<Warning>) -> Result<DynamicImage> {
        #[cfg(feature = "full")]
        if self.header.scalable {
            let drawn = decode::svg::draw(self.bytes, &self.geometry, &self.job.fonts, &self.job.limits)?;
            return Ok(self.settled(drawn, warnings));
        }
        let icc = self.metadata.icc.as_deref();
        let pixels = match (self.header.colour_model, self.profile) {
            #[cfg(feature = "full")]
            (ColourModel::Cmyk, colour::Fate::Applied) => {
                colour::settle_inks(&decode::inks(self.bytes, self.job.input)?, icc, warnings)
            }
            _ => {
                let reduction = self.geometry.reduction(&self.header);
                let pixels = decode::reduced_pixels(self.bytes, self.job.input, &self.job.limits, reduction)?;
                colour::settle(pixels, icc, self.profile, warnings)
            }
        };
        let pixels = match self.geometry.resizes() {
            true => {
                on_stage(Stage::Resize);
                let extent = self.geometry.extent(&self.header);
                resize::apply_to(pixels, extent, self.geometry.stored_target(), self.geometry.crops)?
            }
            false => pixels,
        };
        Ok(self.settled(orient::apply(pixels, self.geometry.orientation), warnings))
    }

    /// Pixels of the light and the alpha that the output holds.
    #[cfg(feature = "core")]
    fn settled(&self, pixels: DynamicImage, warnings: &mut Vec<Warning>) -> DynamicImage {
        #[cfg(feature = "full")]
        let pixels = light::settle(pixels, self.job.encoding, warnings);
        flatten::apply(pixels, self.job.encoding, self.job.background, warnings)
    }

    /// Pixels of a JPEG, which are neither of light nor transparent.
    #[cfg(not(feature = "core"))]
    fn settled(&self, pixels: DynamicImage, _: &mut Vec<Warning>) -> DynamicImage {
        pixels
    }

    /// A coded picture with its metadata.
    fn finish(&self, encoded: Vec<u8>, encoding: Encoding, size: (u32, u32), warnings: Vec<Warning>) -> Made {
        let bytes = metadata::embed(encoded, encoding.media(), &self.kept());
        Made { bytes, size, encoding, score: None, warnings }
    }

    /// What goes with the pixels into the output.
    fn kept(&self) -> Metadata {
        let mut kept = self.metadata.clone().retain(self.job.metadata);
        if self.profile != colour::Fate::Carried {
            kept.icc = None;
        }
        kept
    }

    fn output(&self) -> MediaType {
        self.job.encoding.media()
    }

    /// The input moves, and so will the output.
    fn moves(&self) -> bool {
        self.is_animated()
            && self.job.animation == AnimationPolicy::Keep
            && decode::has_frames(self.job.input)
            && matches!(self.output(), MediaType::Gif | MediaType::Webp)
    }

    /// The input moves. Of an AVIF that does, only the first frame can be read.
    fn is_animated(&self) -> bool {
        self.header.frames > 1 && (decode::has_frames(self.job.input) || self.job.input == MediaType::Avif)
    }

    /// The input has several pages, and so will the output.
    #[cfg(feature = "full")]
    fn has_pages(&self) -> bool {
        self.header.frames > 1 && (self.job.input, self.output()) == (MediaType::Tiff, MediaType::Tiff)
    }

    /// Says so where an output holds one picture of several.
    fn frames_warning(&self) -> Option<Warning> {
        if self.header.frames <= 1 {
            return None;
        }
        match self.is_animated() {
            true if self.moves() || self.job.animation == AnimationPolicy::First => None,
            true => {
                let message = "The input is animated; the output holds its first frame.";
                Some(Warning::new("animation_dropped", message))
            }
            false if (self.job.input, self.output()) == (MediaType::Tiff, MediaType::Tiff) => None,
            false => Some(Warning::new(
                "pages_dropped",
                "The input has several pages; the output holds the first.",
            )),
        }
    }

    /// Nothing can be gained: the original is the result.
    fn is_done(&self) -> bool {
        let Some(original) = self.original().filter(|_| self.is_same_picture()) else { return false };
        let stays = self.is_animated() && !self.moves() || self.is_set();
        let fits = matches!(self.job.aim, Aim::Bytes { target, .. } if original.len() as u64 <= target);
        stays || fits
    }

    /// A texture of several pictures, of which no smaller form was asked for.
    fn is_set(&self) -> bool {
        #[cfg(feature = "full")]
        if self.job.encoding == (Encoding::Dds { quality: None }) {
            return decode::dds::is_set(self.bytes);
        }
        false
    }

    /// Nothing but fewer bytes was asked for.
    fn is_same_picture(&self) -> bool {
        let cut = self.is_animated() && self.job.animation == AnimationPolicy::First;
        self.job.input == self.output() && !self.geometry.resizes() && !cut
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
        let full = (self.geometry.width, self.geometry.height);
        let (mut made, kept_original) = match (made, original) {
            (Some(made), Some(original)) if made.bytes.len() >= original.len() => {
                (self.keep(original, Vec::new()), true)
            }
            (Some(made), _) => (made, false),
            (None, original) => (self.keep(original.unwrap_or_default(), self.kept_warning()), true),
        };
        for option in &self.job.ignored {
            let message = format!("`{option}` has no meaning for {}.", self.output().name());
            made.warnings.push(Warning::new("option_ignored", message));
        }
        made.warnings.extend(self.geometry.warning());
        if made.size != full {
            let message = format!(
                "The picture was made smaller, to {} × {}, to fit into `targetSize`.",
                made.size.0, made.size.1
            );
            made.warnings.push(Warning::new("resized_to_fit", message));
        }
        Output {
            report: self.report(&made, kept_original),
            bytes: Some(made.bytes).filter(|bytes| bytes != self.bytes),
        }
    }

    fn keep(&self, original: Vec<u8>, warnings: Vec<Warning>) -> Made {
        let size = (self.geometry.width, self.geometry.height);
        Made { bytes: original, size, encoding: self.job.encoding, score: None, warnings }
    }

    fn kept_warning(&self) -> Vec<Warning> {
        match self.is_animated() && !self.moves() {
            true => {
                let message = format!(
                    "An animated {} that keeps its size is handed back as it is.",
                    self.output().name()
                );
                vec![Warning::new("animation_kept", message)]
            }
            false => Vec::new(),
        }
    }

    fn report(&self, made: &Made, kept_original: bool) -> Report {
        let (input_width, input_height) = self.geometry.upright(self.header.width, self.header.height);
        Report {
            input_type: self.job.input,
            media: self.output(),
            width: made.size.0,
            height: made.size.1,
            input_width,
            input_height,
            kept_original,
            quality: made.encoding.quality().filter(|_| !kept_original),
            score: made.score.filter(|_| !kept_original),
            warnings: made.warnings.clone(),
        }
    }
}

/// Refuses what only a larger build than this one has.
fn check_build(least: Build) -> Result<()> {
    if least <= Build::HERE {
        return Ok(());
    }
    let message = format!("The call needs what only the `{}` build holds.", least.as_str());
    Err(Error::new(ErrorCode::NotInBuild, message).with_detail("build", least.as_str()))
}
