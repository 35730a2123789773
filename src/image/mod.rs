//! The image pipeline, as a list: decode → color → resize → orient → light → flatten → encode → metadata.
//!
//! Each stage is a file. Pixels are turned upright after they were resized, which gives the same picture for less work:
//! the asked size is translated into the frame of the stored pixels first (see [`geometry`]).

#[cfg(feature = "core")]
pub(crate) mod animation;
#[cfg(feature = "full")]
mod cmyk_lut;
pub(crate) mod color;
#[cfg(feature = "full")]
mod compare;
#[cfg(feature = "core")]
pub(crate) mod flatten;
pub(crate) mod geometry;
#[cfg(feature = "full")]
mod icc_transform;
mod inspect;
#[cfg(feature = "full")]
mod metric;
mod output;
#[cfg(feature = "full")]
mod pages;
#[cfg(feature = "core")]
mod passthrough;
pub(crate) mod request;
mod resize;
mod search;
mod select_output;
#[cfg(feature = "full")]
pub(crate) mod tone_map;

use ::image::DynamicImage;

use crate::error::Result;
#[cfg(feature = "full")]
use crate::formats::decode::ColorModel;
#[cfg(feature = "full")]
use crate::formats::svg::decode as svg;
use crate::formats::{decode, encode, prepared::Prepared};
use crate::job::{Encoding, LocalJob, RateControl};
use crate::metadata;
use crate::options::MetadataPolicy;
use crate::pixels::orient;

#[cfg(feature = "full")]
pub use compare::{Comparison, Side, compare};
pub use inspect::{Inspection, inspect};
pub use output::{Output, Report, Stage, Warning};
pub(crate) use request::Request;

/// Carries out a job on the bytes of one image. `on_stage` is called as each stage begins.
///
/// # Errors
/// Any code of the kinds input, limits and internal.
pub fn process(bytes: &[u8], job: &LocalJob, on_stage: &mut dyn FnMut(Stage)) -> Result<Output> {
    let request = Request::open(bytes, job)?;
    on_stage(Stage::Decode);
    let made = match request.is_done() {
        true => None,
        false => Some(request.make(on_stage)?),
    };
    let output = request.choose(made);
    on_stage(Stage::Done);
    Ok(output)
}

/// A coded image, and what was done to it.
pub(crate) struct Encoded {
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

impl Request<'_> {
    /// Makes the output, by the way that the input and the output ask for.
    fn make(&self, on_stage: &mut dyn FnMut(Stage)) -> Result<Encoded> {
        #[cfg(feature = "core")]
        if let Some(made) = passthrough::repack(self)? {
            return Ok(made);
        }
        let mut made = match () {
            #[cfg(feature = "core")]
            () if self.moves() => {
                self.rate_control(&mut |encoding, size| animation::run(self, encoding, size))?
            }
            #[cfg(feature = "full")]
            () if self.has_pages() => {
                self.rate_control(&mut |encoding, size| pages::run(self, encoding, size))?
            }
            () => self.make_picture(on_stage)?,
        };
        made.warnings.extend(self.frames_warning());
        if self.job.metadata == MetadataPolicy::Keep && metadata::carries(self.output()).loses(&self.kept()) {
            let message = format!("{} cannot carry all of the metadata.", self.output().name());
            made.warnings.push(Warning::new("metadata_dropped", message));
        }
        Ok(made)
    }

    /// One picture, decoded once, and coded as often as rate control asks for.
    fn make_picture(&self, on_stage: &mut dyn FnMut(Stage)) -> Result<Encoded> {
        let mut warnings = Vec::new();
        let picture = self.picture(on_stage, &mut warnings)?;
        on_stage(Stage::Encode);
        let full = (picture.width(), picture.height());
        let has_profile = self.kept().icc.is_some();
        // Coded once, it need not stay.
        if self.job.rate_control == RateControl::Settings {
            let encoded = encode::encode(picture, self.job.encoding, has_profile, &mut warnings)?;
            return Ok(self.finish(encoded, self.job.encoding, full, warnings));
        }
        // What was coded last, if it is not the picture itself, and what was made of it to be coded again.
        let mut scaled: Option<DynamicImage> = None;
        let mut prepared = Prepared::default();
        let mut last = full;
        let mut code = |encoding, size| {
            if size != last {
                (scaled, prepared, last) = (None, Prepared::default(), size);
                if size != full {
                    scaled = Some(resize::apply(picture.clone(), size, false)?);
                }
            }
            let pixels = scaled.as_ref().unwrap_or(&picture);
            let mut warnings = warnings.clone();
            let encoded = prepared.encode(pixels, encoding, has_profile, &mut warnings)?;
            Ok(self.finish(encoded, encoding, size, warnings))
        };
        match self.job.rate_control {
            #[cfg(feature = "full")]
            RateControl::Score(least) => search::score::search(&picture, least, self.job.encoding, &mut code),
            _ => self.rate_control(&mut code),
        }
    }

    /// Codes once, or as often as it takes to be within the asked bytes. `code` is given a coding and an upright size.
    fn rate_control(&self, code: &mut dyn FnMut(Encoding, (u32, u32)) -> Result<Encoded>) -> Result<Encoded> {
        let full = (self.geometry.width, self.geometry.height);
        match self.job.rate_control {
            RateControl::Bytes { target, lossy, scales } => {
                search::bytes::search(target, lossy, scales, self.job.encoding, full, code)
            }
            RateControl::Settings | RateControl::Score(_) => code(self.job.encoding, full),
        }
    }

    /// The (first) picture of the input, upright, in the size of the output, its alpha settled: all but coded.
    fn picture(&self, on_stage: &mut dyn FnMut(Stage), warnings: &mut Vec<Warning>) -> Result<DynamicImage> {
        #[cfg(feature = "full")]
        if self.header.scalable {
            let drawn = svg::draw(self.bytes, &self.geometry, &self.job.fonts, &self.job.limits)?;
            return Ok(self.settled(drawn, warnings));
        }
        let icc = self.metadata.icc.as_deref();
        let pixels = match (self.header.color_model, self.profile) {
            #[cfg(feature = "full")]
            (ColorModel::Cmyk, color::ProfileAction::Applied) => {
                color::settle_inks(&decode::inks(self.bytes, self.job.input)?, icc, warnings)
            }
            _ => {
                let reduction = self.geometry.reduction(&self.header);
                let pixels = decode::reduced_pixels(self.bytes, self.job.input, &self.job.limits, reduction)?;
                color::settle(pixels, icc, self.profile, warnings)
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
        let pixels = tone_map::settle(pixels, self.job.encoding, warnings);
        flatten::apply(pixels, self.job.encoding, self.job.background, warnings)
    }

    /// Pixels of a JPEG, which are neither of light nor transparent.
    #[cfg(not(feature = "core"))]
    fn settled(&self, pixels: DynamicImage, _: &mut Vec<Warning>) -> DynamicImage {
        pixels
    }

    /// A coded picture with its metadata.
    fn finish(
        &self,
        encoded: Vec<u8>,
        encoding: Encoding,
        size: (u32, u32),
        warnings: Vec<Warning>,
    ) -> Encoded {
        let bytes = metadata::embed(encoded, encoding.media(), &self.kept());
        Encoded { bytes, size, encoding, score: None, warnings }
    }
}
