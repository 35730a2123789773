//! A request: a file and its job, with all decisions that the header allows before a pixel is decoded.

use filepress_wire::MediaType;

use crate::error::Result;
#[cfg(feature = "core")]
use crate::formats::codec::WriteFrames;
use crate::formats::codec_of;
#[cfg(feature = "core")]
use crate::formats::decode::ColorModel;
use crate::formats::{Encoding, Traits};
use crate::image::color_profile::ProfileAction;
#[cfg(feature = "core")]
use crate::image::gain_map::GainMapAction;
use crate::image::geometry::Sides;
use crate::image::memory::Cost;
use crate::image::overlay::Mark;
#[cfg(feature = "core")]
use crate::image::overlay_source;
use crate::image::progress::StageCosts;
use crate::image::source::{DecodeRequest, Source, check_build};
use crate::job::{LocalJob, RateControl};
use crate::metadata::Metadata;
use crate::options::AnimationPolicy;
use crate::warning::Warning;

/// Roughly the nanoseconds that resizing takes per pixel of the input.
const RESIZE_NS: f64 = 5.0;
/// Roughly the nanoseconds that decoding and comparing an attempt takes per pixel.
const SCORE_NS: u32 = 250;
/// The usual number of encodings until a target size is met.
const BYTES_ATTEMPTS: u32 = 5;
/// The usual number of encodings until a score is met.
const SCORE_ATTEMPTS: u32 = 7;

/// A file and the job to run on it.
pub(crate) struct Request<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) job: &'a LocalJob,
    /// What happens to the HDR gain map.
    #[cfg(feature = "core")]
    pub(crate) gain_map: GainMapAction<'a>,
}

impl<'a> Request<'a> {
    /// Reads the header and checks the limits; nothing that grows with the image is allocated here.
    pub(crate) fn open(bytes: &'a [u8], job: &'a LocalJob) -> Result<Self> {
        Self::with(bytes, job, job.encoding.pixels())
    }

    /// The same for pixels that are shown by themselves, whatever the output says of their colors.
    #[cfg(feature = "core")]
    pub(crate) fn open_to_show(bytes: &'a [u8], job: &'a LocalJob) -> Result<Self> {
        Self::with(bytes, job, job.encoding.pixels().without(Traits::CODE_POINTS))
    }

    fn with(bytes: &'a [u8], job: &'a LocalJob, output: Traits) -> Result<Self> {
        job.limits.check_input(bytes.len() as u64)?;
        check_build(job.build)?;
        let request = DecodeRequest {
            media: job.input,
            shape: (job.edit, job.resize),
            sides: Sides::of(job.encoding),
            output: (output, job.background),
            #[cfg(feature = "core")]
            overlay: overlay_source::color_model(job)?,
            #[cfg(not(feature = "core"))]
            overlay: None,
            fonts: &job.fonts,
            #[cfg(feature = "core")]
            limits: overlay_source::limits(job),
            #[cfg(not(feature = "core"))]
            limits: job.limits,
            cost: Cost::of(job),
        };
        let source = Source::open(bytes, request)?;
        #[cfg(feature = "core")]
        let mut source = overlay_source::reserve(source, job)?;
        Ok(Self {
            #[cfg(feature = "core")]
            gain_map: GainMapAction::of(&mut source, job)?,
            source,
            job,
        })
    }

    /// The overlay as it lies on an output of the size `canvas`.
    #[cfg(feature = "core")]
    pub(crate) fn mark(&self, canvas: (u32, u32)) -> Result<Option<Mark>> {
        overlay_source::mark(&self.source, self.job, canvas)
    }

    /// The overlay: this build has none.
    #[cfg(not(feature = "core"))]
    pub(crate) fn mark(&self, _: (u32, u32)) -> Result<Option<Mark>> {
        Ok(None)
    }

    /// What the stages take, roughly, in nanoseconds.
    pub(crate) fn stage_costs(&self) -> StageCosts {
        let Source { header, geometry, .. } = &self.source;
        let output = f64::from(geometry.width) * f64::from(geometry.height);
        let input = if header.scalable { output } else { f64::from(header.width) * f64::from(header.height) };
        let scoring = if matches!(self.job.rate_control, RateControl::Score(_)) { SCORE_NS } else { 0 };
        StageCosts {
            decode: input * f64::from(codec_of(self.job.input).decode_ns),
            resize: if geometry.resizes() { input * RESIZE_NS } else { 0.0 },
            encode: output * f64::from(codec_of(self.output()).encode_ns + scoring),
            attempts: match self.job.rate_control {
                RateControl::Settings => 1,
                RateControl::Bytes { .. } => BYTES_ATTEMPTS,
                RateControl::Score(_) => SCORE_ATTEMPTS,
            },
        }
    }

    /// The metadata that the output gets.
    pub(crate) fn kept(&self) -> Metadata {
        let kept = self.source.metadata.clone().retain(self.job.metadata);
        match self.source.profile {
            ProfileAction::Carried => kept,
            _ => kept.without_colors(),
        }
    }

    /// The encoding without rate control. Resizing and overlays mix new colors, so a palette picture becomes one again.
    pub(crate) fn encoding(&self) -> Encoding {
        #[cfg(feature = "core")]
        if self.job.stays_palette
            && (self.source.geometry.resizes() || self.source.overlay.is_some())
            && (codec_of(self.job.input).is_indexed)(self.source.bytes)
        {
            return self.job.encoding.at_quality(100);
        }
        self.job.encoding
    }

    pub(crate) fn output(&self) -> MediaType {
        self.job.encoding.media()
    }

    /// Whether the output is animated: the input is, and both types can be.
    #[cfg(feature = "core")]
    pub(crate) fn is_animated(&self) -> bool {
        self.source.is_animated()
            && self.job.animation == AnimationPolicy::Keep
            && codec_of(self.job.input).read_frames.is_some()
            && codec_of(self.output()).write_frames.as_ref().is_some_and(|writing| {
                self.job.encoding.has(Traits::ANIMATION) || self.rewrites_frames(writing)
            })
    }

    /// Whether a type whose outputs are otherwise still keeps the frames of its own animations: if only fewer bytes were requested.
    #[cfg(feature = "core")]
    fn rewrites_frames(&self, writing: &WriteFrames) -> bool {
        let Source { header, metadata, .. } = &self.source;
        // Frames are decoded to color.
        let has_gray_profile = header.color_model == ColorModel::Gray && metadata.icc.is_some();
        self.is_same_picture()
            && self.job.rate_control == RateControl::Settings
            && !has_gray_profile
            && (writing.rewrites)(self.source.bytes)
    }

    /// Whether the output is animated: this build has no animations.
    #[cfg(not(feature = "core"))]
    pub(crate) fn is_animated(&self) -> bool {
        false
    }

    /// Whether the output has several pages: the input has, and the type stays.
    pub(crate) fn has_pages(&self) -> bool {
        let is_document = self.job.input == self.output() && self.job.encoding.has(Traits::PAGES);
        self.source.header.frames > 1 && is_document
    }

    /// Whether the file is a set of pictures (an icon) that stays as it is, since no quality was requested.
    pub(crate) fn is_set(&self) -> bool {
        #[cfg(feature = "core")]
        if self.job.encoding.quality().is_none() {
            return (codec_of(self.output()).is_set)(self.source.bytes);
        }
        false
    }

    /// A warning if a lossless encoding has fewer bits per channel than the input, or its decoder gives fewer.
    #[cfg(feature = "pictures")]
    pub(crate) fn depth_warning(&self, encoding: Encoding) -> Option<Warning> {
        let header = &self.source.header;
        let depth = header.bit_depth;
        let has_eight = encoding.has(Traits::EIGHT_BIT) || header.decoded_depth() <= 8;
        let is_reduced = encoding.quality().is_none() && has_eight && depth > 8;
        let message = format!("The bit depth was reduced from {depth} to 8 bits.");
        is_reduced.then(|| Warning::new("depth_reduced", message))
    }

    /// A warning if the output holds only one of several pictures.
    pub(crate) fn frames_warning(&self) -> Option<Warning> {
        if self.source.header.frames <= 1 {
            return None;
        }
        match self.source.is_animated() {
            true if self.is_animated() || self.job.animation == AnimationPolicy::First => None,
            true => {
                let message = "The input is animated; the output holds its first frame.";
                Some(Warning::new("animation_dropped", message))
            }
            false if self.has_pages() => None,
            false => Some(Warning::new(
                "pages_dropped",
                "The input has several pages; the output holds the first.",
            )),
        }
    }
}
