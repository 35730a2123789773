//! A request: a file and its job, with all decisions that the header allows before a pixel is decoded.

use filepress_wire::MediaType;

use crate::error::Result;
use crate::formats::Traits;
#[cfg(feature = "core")]
use crate::formats::codec_of;
use crate::image::color::ProfileAction;
use crate::image::geometry::{Cost, Sides};
use crate::image::source::{DecodeRequest, Source, check_build};
use crate::job::LocalJob;
use crate::metadata::Metadata;
use crate::options::AnimationPolicy;
use crate::warning::Warning;

/// A file and the job to run on it.
pub(crate) struct Request<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) job: &'a LocalJob,
}

impl<'a> Request<'a> {
    /// Reads the header and checks the limits; nothing that grows with the image is allocated here.
    pub(crate) fn open(bytes: &'a [u8], job: &'a LocalJob) -> Result<Self> {
        job.limits.check_input(bytes.len() as u64)?;
        check_build(job.build)?;
        let request = DecodeRequest {
            media: job.input,
            resize: job.resize,
            sides: Sides::of(job.encoding),
            output: (job.encoding.pixels(), job.background),
            fonts: &job.fonts,
            limits: job.limits,
            cost: Cost::of(job),
        };
        Ok(Self { source: Source::open(bytes, request)?, job })
    }

    /// The metadata that the output gets.
    pub(crate) fn kept(&self) -> Metadata {
        let mut kept = self.source.metadata.clone().retain(self.job.metadata);
        if self.source.profile != ProfileAction::Carried {
            kept.icc = None;
        }
        kept
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
            && codec_of(self.output()).write_frames.is_some()
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
