//! One request: what was given, what its header says, and what follows from both before a pixel is touched.

use filepress_wire::MediaType;

use crate::error::Result;
use crate::formats::Traits;
#[cfg(feature = "core")]
use crate::formats::codec_of;
use crate::image::color::ProfileAction;
use crate::image::geometry::{Cost, Sides};
use crate::image::source::{Source, Wanted, check_build};
use crate::job::LocalJob;
use crate::metadata::Metadata;
use crate::options::AnimationPolicy;
use crate::warning::Warning;

/// One request: a file, and what is to be made of it.
pub(crate) struct Request<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) job: &'a LocalJob,
}

impl<'a> Request<'a> {
    /// Reads the header and refuses what is over a limit; nothing that grows with the image is allocated here.
    pub(crate) fn open(bytes: &'a [u8], job: &'a LocalJob) -> Result<Self> {
        job.limits.check_input(bytes.len() as u64)?;
        check_build(job.build)?;
        let wanted = Wanted {
            media: job.input,
            resize: job.resize,
            sides: Sides::of(job.encoding),
            output: (job.encoding.pixels(), job.background),
            fonts: &job.fonts,
            limits: job.limits,
            cost: Cost::of(job),
        };
        Ok(Self { source: Source::open(bytes, wanted)?, job })
    }

    /// What goes with the pixels into the output.
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

    /// The input moves, and so will the output.
    #[cfg(feature = "core")]
    pub(crate) fn moves(&self) -> bool {
        self.source.is_animated()
            && self.job.animation == AnimationPolicy::Keep
            && codec_of(self.job.input).read_frames.is_some()
            && codec_of(self.output()).write_frames.is_some()
    }

    /// The input moves, and so will the output.
    #[cfg(not(feature = "core"))]
    pub(crate) fn moves(&self) -> bool {
        false
    }

    /// The input has several pages, and so will the output.
    pub(crate) fn has_pages(&self) -> bool {
        let is_document = self.job.input == self.output() && self.job.encoding.has(Traits::PAGES);
        self.source.header.frames > 1 && is_document
    }

    /// A file of several pictures, of which no smaller form was asked for.
    pub(crate) fn is_set(&self) -> bool {
        #[cfg(feature = "core")]
        if self.job.encoding.quality().is_none() {
            return (codec_of(self.output()).is_set)(self.source.bytes);
        }
        false
    }

    /// Says so where an output holds one picture of several.
    pub(crate) fn frames_warning(&self) -> Option<Warning> {
        if self.source.header.frames <= 1 {
            return None;
        }
        match self.source.is_animated() {
            true if self.moves() || self.job.animation == AnimationPolicy::First => None,
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
