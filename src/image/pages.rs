//! Multi-page files: every page goes through the pipeline, and all pages are written into one file.
//!
//! Each page keeps its own shape and orientation. Pages are decoded one by one, so that only one is in memory.

use ::image::metadata::Orientation;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::codec::Page;
use crate::formats::decode::ColorModel;
use crate::formats::{Encoding, Traits, codec_of, metadata};
use crate::image::color_profile::ProfileAction;
use crate::image::crop_strategy;
use crate::image::geometry::{Geometry, Sides};
use crate::image::memory::Cost;
use crate::image::pad::Padding;
use crate::image::pipeline::{Decoded, Stages};
use crate::image::progress::Reporter;
use crate::image::{Encoded, Request};
use crate::limits::Limits;
use crate::pixels;
use crate::pixels::part::turned_size;

/// Encodes every page. The first gets the given upright size; the others are scaled by the same ratio.
pub(crate) fn run(
    request: &Request<'_>,
    encoding: Encoding,
    size: (u32, u32),
    progress: &mut Reporter<'_>,
) -> Result<Encoded> {
    let Some(codec) = &codec_of(encoding.media()).pages else {
        return Err(Error::new(ErrorCode::NotInBuild, "This build cannot write several pages."));
    };
    let pages = (codec.read)(request.source.bytes)?;
    let plans = pages.iter().map(|page| Plan::of(request, &**page, size)).collect::<Result<Vec<_>>>()?;
    check(&request.job.limits, &plans)?;

    let mut kept = request.kept();
    let shared = pages.iter().all(|page| page.profile() == request.source.metadata.icc);
    if !shared {
        kept.icc = None;
    }
    let mut warnings = Vec::new();
    let mut document = (codec.document)(encoding.effort(), kept.icc.is_some());
    progress.encode();
    for ((page, plan), done) in pages.iter().zip(&plans).zip(0..) {
        progress.part(done, request.source.header.frames);
        // The encoded pages before this one are in memory as well.
        request.job.limits.check_memory(plan.estimate + document.len() as u64)?;
        let profile = page.profile();
        let action = match shared {
            true => request.source.profile,
            false if profile.is_some() => ProfileAction::Applied,
            false => ProfileAction::Carried,
        };
        let output = (encoding.pixels(), request.job.background);
        let profile = (action, profile.as_deref());
        let overlay = request.mark(plan.canvas())?;
        let geometry = plan.settled(&**page, profile, &request.job.limits)?;
        let stages = Stages {
            profile,
            output: Some(output),
            padding: Padding::of(&geometry, output),
            overlay: overlay.as_ref(),
            ..Stages::of(&geometry, geometry.part.into(), plan.target)
        };
        let decoded = Decoded::Pixels(page.pixels(&request.job.limits)?);
        document.add(stages.run(decoded, None, &mut warnings)?)?;
    }
    // A warning that applies to several pages is reported once.
    warnings.dedup();
    let bytes = metadata::embed(document.finish()?, encoding.media(), &kept);
    Ok(Encoded { bytes, size, encoding, score: None, warnings })
}

/// The plan for one page.
struct Plan {
    geometry: Geometry,
    /// Width and height as stored, before and after resizing.
    stored: (u32, u32),
    target: (u32, u32),
    /// Bytes of memory for this page alone.
    estimate: u64,
}

impl Plan {
    fn of(request: &Request<'_>, page: &dyn Page, size: (u32, u32)) -> Result<Self> {
        let (header, job) = (page.header()?, request.job);
        let turned = Orientation::from_exif(page.orientation());
        let geometry = Geometry::plan(
            &header,
            turned.unwrap_or(Orientation::NoTransforms),
            (job.edit, job.resize),
            Sides::of(job.encoding),
        )?;
        let bytes = request.source.bytes.len();
        let is_recolored = request.source.overlay.is_some_and(|model| model != ColorModel::Gray);
        let cost = Cost { is_recolored, ..Cost::of(job) };
        let making = geometry.memory_estimate(bytes, &header, &cost);
        let estimate = making.max(geometry.searching_estimate(bytes, &header));
        request.job.limits.check_memory(estimate)?;
        let scale = |side: u32, to: u32, from: u32| {
            let scaled = (u64::from(side) * u64::from(to) + u64::from(from) / 2) / u64::from(from.max(1));
            u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
        };
        let width = scale(geometry.width, size.0, request.source.geometry.width);
        let height = scale(geometry.height, size.1, request.source.geometry.height);
        let target = geometry.stored_target_at((width, height));
        Ok(Self { geometry, stored: (header.width, header.height), target, estimate })
    }

    /// The size of the output, upright.
    fn canvas(&self) -> (u32, u32) {
        match self.geometry.pads() {
            true => (self.geometry.width, self.geometry.height),
            false => turned_size(self.target, self.geometry.orientation),
        }
    }

    /// The geometry with the position at which this page is cropped.
    fn settled(
        &self,
        page: &dyn Page,
        profile: (ProfileAction, Option<&[u8]>),
        limits: &Limits,
    ) -> Result<Geometry> {
        if self.geometry.strategy.is_none() {
            return Ok(self.geometry);
        }
        let overview = self.geometry.overview();
        let output = Some((Traits::ALPHA, None));
        let stages = Stages {
            profile,
            output,
            ..Stages::of(&overview, overview.part.into(), overview.stored_target())
        };
        let picture = stages.run(Decoded::Pixels(page.pixels(limits)?), None, &mut Vec::new())?;
        Ok(crop_strategy::settled(&self.geometry, &pixels::rgba8(picture)))
    }
}

/// The limit applies to all pages together: many small pages take as much time as a huge one.
fn check(limits: &Limits, plans: &[Plan]) -> Result<()> {
    let area = |(width, height): (u32, u32)| u64::from(width) * u64::from(height);
    for (which, pixels) in [
        ("input", plans.iter().map(|plan| area(plan.stored)).fold(0, u64::saturating_add)),
        ("output", plans.iter().map(|plan| area(plan.target)).fold(0, u64::saturating_add)),
    ] {
        if pixels > limits.max_pixels {
            let message = format!(
                "The pages of the {which} have {pixels} pixels; limits.maxPixels allows {}.",
                limits.max_pixels
            );
            return Err(Error::limit(ErrorCode::TooManyPixels, message, pixels, limits.max_pixels));
        }
    }
    Ok(())
}
