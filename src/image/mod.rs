//! Runs one job on one image: open → decode → the stages of [`pipeline`] → encode → metadata.

#[cfg(feature = "core")]
pub(crate) mod animation;
mod bands;
#[cfg(feature = "full")]
mod cmyk_lut;
mod coded_resize;
pub(crate) mod color_profile;
#[cfg(feature = "full")]
mod compare;
#[cfg(feature = "pictures")]
mod crop_strategy;
#[cfg(feature = "full")]
mod embedded;
mod fit;
#[cfg(feature = "pictures")]
mod flatten;
#[cfg(feature = "core")]
mod gain_map;
pub(crate) mod geometry;
#[cfg(feature = "full")]
mod icc_transform;
mod inspect;
mod log2;
pub(crate) mod memory;
#[cfg(feature = "full")]
mod metric;
mod output;
#[cfg(feature = "core")]
mod overlay;
#[cfg(not(feature = "core"))]
#[path = "overlay/absent.rs"]
mod overlay;
#[cfg(feature = "core")]
mod overlay_source;
mod pad;
#[cfg(feature = "full")]
mod pages;
mod picture_coder;
mod pipeline;
#[cfg(feature = "core")]
mod placeholder;
mod progress;
pub(crate) mod request;
mod resize;
mod resized_rows;
#[cfg(feature = "core")]
mod rewrite;
mod search;
mod select_output;
mod shared_picture;
pub(crate) mod source;
#[cfg(feature = "full")]
pub(crate) mod tone_map;
mod variants;
mod widen;

use ::image::DynamicImage;
use ::image::metadata::Orientation;

#[cfg(feature = "full")]
use crate::animation::note;
use crate::error::Result;
use crate::formats::Encoding;
#[cfg(feature = "full")]
use crate::formats::Traits;
use crate::formats::encode;
use crate::formats::metadata;
use crate::job::{LocalJob, RateControl};
use crate::options::MetadataPolicy;

use picture_coder::PictureCoder;
use search::bytes::Coder;

pub use crate::warning::Warning;
#[cfg(feature = "full")]
pub use compare::{Comparison, Side, compare};
#[cfg(feature = "full")]
pub use inspect::check_complete;
pub use inspect::{Inspection, inspect};
pub use output::{Output, Report};
#[cfg(feature = "core")]
pub use placeholder::{Placeholder, SIDE as PLACEHOLDER_SIDE, placeholder};
use progress::Reporter;
pub use progress::{Progress, Stage};
pub(crate) use request::Request;
#[cfg(feature = "full")]
pub use rewrite::without_metadata;
pub use variants::variants;

/// Runs a job on the bytes of one image. `on_progress` is called as each stage, attempt, frame or page begins.
///
/// # Errors
/// Any code of the kinds input, limits and internal.
pub fn process(bytes: &[u8], job: &LocalJob, on_progress: &mut dyn FnMut(Progress)) -> Result<Output> {
    #[cfg_attr(not(feature = "pictures"), allow(unused_mut))]
    let mut request = Request::open(bytes, job)?;
    let mut progress = Reporter::new(on_progress, request.stage_costs());
    #[cfg(feature = "pictures")]
    crop_strategy::Overviews::default().settle(&mut request, &mut progress)?;
    let output = request.process(&mut progress)?;
    progress.finish();
    Ok(output)
}

/// Overwrites the orientation in EXIF by 1, if there is one: for pixels that another decoder has turned.
#[cfg(feature = "full")]
pub fn set_upright(exif: &mut [u8]) {
    crate::metadata::exif::set_orientation(exif, ::image::metadata::Orientation::NoTransforms);
}

/// An encoded image and how it was encoded.
pub(crate) struct Encoded {
    /// The whole file, with its metadata.
    bytes: Vec<u8>,
    /// Width and height in pixels, upright.
    size: (u32, u32),
    /// The encoding that was used in the end.
    encoding: Encoding,
    /// The score, if one was measured.
    score: Option<f64>,
    /// What was lost.
    warnings: Vec<Warning>,
}

impl Request<'_> {
    /// Makes the output, or keeps the original.
    fn process(&self, progress: &mut Reporter<'_>) -> Result<Output> {
        progress.decode();
        let made = match self.is_done() {
            true => None,
            false => Some(self.make(progress)?),
        };
        Ok(self.choose(made))
    }

    /// Makes the output: by rewriting the file, or by the pipeline for animations, pages or one picture.
    fn make(&self, progress: &mut Reporter<'_>) -> Result<Encoded> {
        #[cfg(feature = "core")]
        if let Some(mut made) = rewrite::rewrite(self)? {
            // A file that is not edited keeps what it has.
            made.warnings.extend(self.metadata_warning().filter(|_| self.source.geometry.edits));
            return Ok(made);
        }
        let made = match () {
            #[cfg(feature = "core")]
            () if self.is_animated() => self.make_animation(progress)?,
            #[cfg(feature = "full")]
            () if self.has_pages() => {
                self.rate_control(&mut |encoding, size| pages::run(self, encoding, size, progress))?
            }
            () => self.make_picture(progress)?,
        };
        Ok(self.complete(made))
    }

    /// Adds the warnings of what no stage sees.
    fn complete(&self, mut made: Encoded) -> Encoded {
        made.warnings.extend(self.frames_warning());
        #[cfg(feature = "pictures")]
        made.warnings.extend(self.depth_warning(made.encoding));
        made.warnings.extend(self.metadata_warning());
        made
    }

    fn metadata_warning(&self) -> Option<Warning> {
        let loses =
            self.job.metadata == MetadataPolicy::Keep && metadata::carries(self.output()).loses(&self.kept());
        let message = || format!("{} cannot carry all of the metadata.", self.output().name());
        loses.then(|| Warning::new("metadata_dropped", message()))
    }

    /// Encodes all frames, as often as rate control needs. The quality that reaches a score is searched with the first frame.
    #[cfg(feature = "core")]
    fn make_animation(&self, progress: &mut Reporter<'_>) -> Result<Encoded> {
        #[cfg(feature = "full")]
        if matches!(self.job.rate_control, RateControl::Score(_)) && self.job.encoding.has(Traits::ANIMATION)
        {
            let first = self.make_picture(progress)?;
            let mut made = animation::run(self, first.encoding, first.size, progress)?;
            made.score = first.score;
            first.warnings.into_iter().for_each(|warning| note(&mut made.warnings, warning));
            return Ok(made);
        }
        self.rate_control(&mut |encoding, size| animation::run(self, encoding, size, progress))
    }

    /// Decodes one picture and encodes it.
    fn make_picture(&self, progress: &mut Reporter<'_>) -> Result<Encoded> {
        let full = (self.source.geometry.width, self.source.geometry.height);
        let encoding = self.encoding();
        let mut warnings = Vec::new();
        let picture = {
            // Its memory is free before the picture is encoded.
            let overlay = self.mark(full)?;
            if let Some(encoded) = bands::encode(&self.source, encoding, overlay.as_ref(), progress)? {
                return Ok(self.finish(encoded, encoding, full, warnings));
            }
            self.source.picture(overlay.as_ref(), Some(progress), &mut warnings)?
        };
        self.encode_picture(picture, warnings, progress)
    }

    /// Encodes a picture that has gone through all stages as often as rate control needs. `warnings` are those of the stages.
    fn encode_picture(
        &self,
        picture: DynamicImage,
        mut warnings: Vec<Warning>,
        progress: &mut Reporter<'_>,
    ) -> Result<Encoded> {
        let full = (self.source.geometry.width, self.source.geometry.height);
        let encoding = self.encoding();
        let has_profile = self.kept().icc.is_some();
        // Without rate control the picture is encoded once and need not stay in memory.
        if self.job.rate_control == RateControl::Settings {
            progress.encode();
            let encoded = encode::encode(picture, encoding, has_profile, &mut warnings)?;
            return Ok(self.finish(encoded, encoding, full, warnings));
        }
        let mut coder = PictureCoder::new(self, &picture, warnings, progress);
        match self.job.rate_control {
            #[cfg(feature = "full")]
            RateControl::Score(least) => {
                let code = &mut |encoding, size| coder.code(encoding, size);
                search::score::search(&picture, least, self.job.encoding, code)
            }
            _ => self.rate_control(&mut coder),
        }
    }

    /// Encodes once, or as often as the target size needs.
    fn rate_control(&self, coder: &mut dyn Coder) -> Result<Encoded> {
        let full = (self.source.geometry.width, self.source.geometry.height);
        match self.job.rate_control {
            RateControl::Bytes { target, lossy, scales } => {
                search::bytes::search(target, lossy, scales, self.job.encoding, full, coder)
            }
            RateControl::Settings | RateControl::Score(_) => coder.code(self.job.encoding, full),
        }
    }

    /// Embeds the metadata into an encoded picture.
    fn finish(
        &self,
        encoded: Vec<u8>,
        encoding: Encoding,
        size: (u32, u32),
        warnings: Vec<Warning>,
    ) -> Encoded {
        let mut kept = self.kept();
        let geometry = self.source.geometry;
        let turns = geometry.orientation != Orientation::NoTransforms;
        if turns || self.source.changes() || size != (geometry.width, geometry.height) {
            kept = kept.reframed(size);
        }
        let bytes = metadata::embed(encoded, encoding.media(), &kept);
        #[cfg(feature = "core")]
        let bytes = self.gain_map.attach(bytes, (&self.source, self.job), encoding, (geometry, size));
        Encoded { bytes, size, encoding, score: None, warnings }
    }
}
