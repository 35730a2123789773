//! One request: what was given, what its header says, and what follows from both before a pixel is touched.

use filepress_wire::MediaType;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::{self, Header};
#[cfg(feature = "core")]
use crate::formats::header_probe;
use crate::image::geometry::Geometry;
use crate::image::{Warning, color};
use crate::job::LocalJob;
use crate::media::Build;
use crate::metadata::{self, Metadata};
use crate::options::AnimationPolicy;

/// One request: what it was given, and what its header says.
pub(crate) struct Request<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) job: &'a LocalJob,
    pub(crate) header: Header,
    pub(crate) geometry: Geometry,
    pub(crate) metadata: Metadata,
    pub(crate) profile: color::ProfileAction,
}

impl<'a> Request<'a> {
    /// Reads the header and refuses what is over a limit; nothing that grows with the image is allocated here.
    pub(crate) fn open(bytes: &'a [u8], job: &'a LocalJob) -> Result<Self> {
        job.limits.check_input(bytes.len() as u64)?;
        check_build(job.build)?;
        #[cfg(feature = "core")]
        if let Some((width, height)) = header_probe::claimed_size(bytes, job.input) {
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
        let profile = color::profile_action(&metadata, &header, job.encoding.media());
        if profile == color::ProfileAction::Applied {
            check_build(Build::Full)?;
        }
        Ok(Self { bytes, job, header, geometry, metadata, profile })
    }

    /// What goes with the pixels into the output.
    pub(crate) fn kept(&self) -> Metadata {
        let mut kept = self.metadata.clone().retain(self.job.metadata);
        if self.profile != color::ProfileAction::Carried {
            kept.icc = None;
        }
        kept
    }

    pub(crate) fn output(&self) -> MediaType {
        self.job.encoding.media()
    }

    /// The input moves, and so will the output.
    pub(crate) fn moves(&self) -> bool {
        self.is_animated()
            && self.job.animation == AnimationPolicy::Keep
            && decode::has_frames(self.job.input)
            && matches!(self.output(), MediaType::Gif | MediaType::Webp)
    }

    /// The input moves. Of an AVIF that does, only the first frame can be read.
    pub(crate) fn is_animated(&self) -> bool {
        self.header.frames > 1 && (decode::has_frames(self.job.input) || self.job.input == MediaType::Avif)
    }

    /// The input has several pages, and so will the output.
    #[cfg(feature = "full")]
    pub(crate) fn has_pages(&self) -> bool {
        self.header.frames > 1 && (self.job.input, self.output()) == (MediaType::Tiff, MediaType::Tiff)
    }

    /// A texture of several pictures, of which no smaller form was asked for.
    pub(crate) fn is_set(&self) -> bool {
        #[cfg(feature = "full")]
        if self.job.encoding == (crate::job::Encoding::Dds { quality: None }) {
            return crate::formats::dds::decode::is_set(self.bytes);
        }
        false
    }

    /// Says so where an output holds one picture of several.
    pub(crate) fn frames_warning(&self) -> Option<Warning> {
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
}

/// Refuses what only a larger build than this one has.
fn check_build(least: Build) -> Result<()> {
    if least <= Build::HERE {
        return Ok(());
    }
    let message = format!("The call needs what only the `{}` build holds.", least.as_str());
    Err(Error::new(ErrorCode::NotInBuild, message).with_detail("build", least.as_str()))
}
