//! Selects the result of a call: the new file, or the original where only fewer bytes were requested and none were
//! saved.

use crate::formats::metadata;
#[cfg(feature = "core")]
use crate::image::gain_map;
use crate::image::{Encoded, Output, Report, Request};
use crate::job::RateControl;
use crate::options::{AnimationPolicy, HdrPolicy, MetadataPolicy};
use crate::pixels::part::turned_size;
use crate::warning::Warning;

impl Request<'_> {
    /// Whether nothing can be saved, so that the original is the result.
    pub(crate) fn is_done(&self) -> bool {
        let target = match self.job.rate_control {
            RateControl::Bytes { target, .. } => Some(target),
            _ => None,
        };
        // An animation or a set of pictures that is over its target becomes its first picture.
        let is_several = self.source.is_animated() && !self.is_animated() || self.is_set();
        if !self.is_same_picture() || !is_several && target.is_none() {
            return false;
        }
        // Only then, since this copies the file.
        let Some(original) = self.original() else { return false };
        let fits = target.map(|target| original.len() as u64 <= target);
        let stays = is_several && fits != Some(false);
        // The markup of a drawing can hold metadata, which only the minifier removes.
        stays || fits == Some(true) && !self.source.header.scalable
    }

    /// Whether only fewer bytes were requested: the same type and size, without other changes.
    pub(crate) fn is_same_picture(&self) -> bool {
        let cut = self.source.is_animated() && self.job.animation == AnimationPolicy::First;
        self.job.input == self.output() && !self.source.changes() && !cut
    }

    /// The coded pixels of the input with the metadata that this call keeps.
    ///
    /// `None` if the container is too damaged to remove metadata from: returning it could reveal a location.
    pub(crate) fn original(&self) -> Option<Vec<u8>> {
        let drops_map = self.source.metadata.gain_map && self.job.hdr == Some(HdrPolicy::Drop);
        if self.job.metadata == MetadataPolicy::Keep && !drops_map || !metadata::holds(self.job.input) {
            return Some(self.source.bytes.to_vec());
        }
        let mut kept = self.source.metadata.clone().retain(self.job.metadata);
        // That of an AVIF is part of its picture.
        kept.gain_map = self.source.metadata.gain_map && !drops_map;
        let written =
            metadata::rewrite(self.source.bytes, self.job.input, &kept, self.source.metadata.orientation())?;
        #[cfg(feature = "core")]
        let written = gain_map::attach_coded(written, &self.source, self.job);
        Some(written)
    }

    /// Selects the original if only fewer bytes were requested and encoding again saved none.
    pub(crate) fn choose(&self, made: Option<Encoded>) -> Output {
        let original = if self.is_same_picture() { self.original() } else { None };
        let full = (self.source.geometry.width, self.source.geometry.height);
        let (mut made, kept_original) = match (made, original) {
            (Some(made), Some(original)) if !self.saves_enough(&made, &original) => {
                (self.keep(original, Vec::new()), true)
            }
            (Some(made), _) => (made, false),
            (None, original) => (self.keep(original.unwrap_or_default(), self.kept_warning()), true),
        };
        for option in &self.job.ignored {
            let message = format!("`{option}` has no meaning for {}.", self.output().name());
            made.warnings.push(Warning::new("option_ignored", message));
        }
        made.warnings.extend(self.gain_map_warning(&made.bytes));
        if !kept_original {
            made.warnings.extend(self.larger_warning(&made));
        }
        made.warnings.extend(self.source.geometry.warning());
        if made.size != full {
            let message = format!(
                "The image was made smaller, to {} × {}, to fit into `targetSize`.",
                made.size.0, made.size.1
            );
            made.warnings.push(Warning::new("resized_to_fit", message));
        }
        Output {
            report: self.report(&made, kept_original),
            bytes: Some(made.bytes).filter(|bytes| bytes != self.source.bytes),
        }
    }

    /// Whether a new encoding of the same picture is worth its loss: a lossy one has to save 1 % of the bytes.
    fn saves_enough(&self, made: &Encoded, original: &[u8]) -> bool {
        let is_lossy = made.encoding.quality().is_some();
        let must_fit = matches!(self.job.rate_control, RateControl::Bytes { .. });
        let percent = if is_lossy && !must_fit { 99 } else { 100 };
        (made.bytes.len() as u64) * 100 < original.len() as u64 * percent
    }

    /// A warning if the output is larger than the input although its type is the same.
    fn larger_warning(&self, made: &Encoded) -> Option<Warning> {
        let is_larger = self.job.input == self.output() && made.bytes.len() > self.source.bytes.len();
        let message = "The output is larger than the input, which was encoded more tightly; `targetSize` limits the bytes.";
        is_larger.then(|| Warning::new("larger_than_input", message))
    }

    /// A warning if the input has an HDR gain map and the output has none.
    fn gain_map_warning(&self, output: &[u8]) -> Option<Warning> {
        let is_lost = self.source.metadata.gain_map && !metadata::read(output, self.output()).gain_map;
        #[cfg(feature = "core")]
        let reason = self.gain_map.reason();
        #[cfg(not(feature = "core"))]
        let reason = "";
        let reason = match reason {
            "" if self.job.hdr == Some(HdrPolicy::Keep) => ": only JPEG to JPEG or AVIF keeps it",
            reason => reason,
        };
        let message = ["The HDR gain map was dropped", reason, "; the output is the standard image."];
        is_lost.then(|| Warning::new("gain_map_dropped", message.concat()))
    }

    fn keep(&self, original: Vec<u8>, warnings: Vec<Warning>) -> Encoded {
        let size = (self.source.geometry.width, self.source.geometry.height);
        Encoded { bytes: original, size, encoding: self.job.encoding, score: None, warnings }
    }

    fn kept_warning(&self) -> Vec<Warning> {
        match self.source.is_animated() && !self.is_animated() {
            true => {
                let message = format!(
                    "An animated {} that keeps its size keeps its encoded frames.",
                    self.output().name()
                );
                vec![Warning::new("animation_kept", message)]
            }
            false => Vec::new(),
        }
    }

    fn report(&self, made: &Encoded, kept_original: bool) -> Report {
        let (input_width, input_height) = turned_size(
            (self.source.header.width, self.source.header.height),
            self.source.metadata.orientation(),
        );
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
