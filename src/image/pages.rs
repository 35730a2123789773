//! Documents of several pages: every page goes through the pipeline, and all of them into one file.
//!
//! Each keeps its own shape and orientation. Pages are decoded one by one, so that memory holds no more than one.

use ::image::metadata::Orientation;

use crate::containers::tiff_ifd::Directory;
use crate::error::{Error, ErrorCode, Result};
use crate::formats::tiff;
use crate::formats::tiff::encode::Document as TiffDocument;
use crate::image::color::{self, ProfileAction};
use crate::image::geometry::Geometry;
use crate::image::{Encoded, Request, flatten, resize, tone_map};
use crate::job::Encoding;
use crate::limits::Limits;
use crate::metadata;
use crate::pixels::orient;

/// Makes every page; the first in the given upright size, the others smaller in the same ratio.
pub(crate) fn run(request: &Request<'_>, encoding: Encoding, size: (u32, u32)) -> Result<Encoded> {
    let pages = tiff::decode::pages(request.bytes)?;
    let plans = pages.iter().map(|page| Plan::of(request, page, size)).collect::<Result<Vec<_>>>()?;
    check(&request.job.limits, &plans)?;

    let mut kept = request.kept();
    let shared = pages.iter().all(|page| tiff::metadata::profile(page) == request.metadata.icc);
    if !shared {
        kept.icc = None;
    }
    let effort = match encoding {
        Encoding::Tiff { effort } => effort,
        _ => 0,
    };
    let mut warnings = Vec::new();
    let mut document = TiffDocument::new(effort, kept.icc.is_some());
    for (page, plan) in pages.iter().zip(&plans) {
        // The pages before it are there as well, coded.
        request.job.limits.check_memory(plan.estimate + document.len() as u64)?;
        let pixels = tiff::decode::page_pixels(page, &request.job.limits)?;
        let profile = tiff::metadata::profile(page);
        let profile_action = match shared {
            true => request.profile,
            false if profile.is_some() => ProfileAction::Applied,
            false => ProfileAction::Carried,
        };
        let pixels = color::settle(pixels, profile.as_deref(), profile_action, &mut warnings);
        let pixels = match plan.target == plan.stored {
            true => pixels,
            false => resize::apply(pixels, plan.target, plan.geometry.crops)?,
        };
        let pixels = orient::apply(pixels, plan.geometry.orientation);
        let pixels = tone_map::settle(pixels, encoding, &mut warnings);
        document.add(flatten::apply(pixels, encoding, request.job.background, &mut warnings))?;
    }
    // What happened to several pages is said once.
    warnings.dedup();
    let bytes = metadata::embed(document.finish()?, encoding.media(), &kept);
    Ok(Encoded { bytes, size, encoding, score: None, warnings })
}

/// What becomes of a page.
struct Plan {
    geometry: Geometry,
    /// Its size as stored, before and after.
    stored: (u32, u32),
    target: (u32, u32),
    /// Bytes that it takes alone.
    estimate: u64,
}

impl Plan {
    fn of(request: &Request<'_>, page: &Directory, size: (u32, u32)) -> Result<Self> {
        let header = tiff::decode::page_header(page)?;
        let turned = Orientation::from_exif(tiff::metadata::orientation(page));
        let geometry = Geometry::plan(&header, turned.unwrap_or(Orientation::NoTransforms), request.job)?;
        let estimate = geometry.memory_estimate(request.bytes.len(), &header, request.job);
        request.job.limits.check_memory(estimate)?;
        let scale = |side: u32, to: u32, from: u32| {
            let scaled = (u64::from(side) * u64::from(to) + u64::from(from) / 2) / u64::from(from.max(1));
            u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
        };
        let width = scale(geometry.width, size.0, request.geometry.width);
        let height = scale(geometry.height, size.1, request.geometry.height);
        let target = geometry.upright(width, height);
        Ok(Self { geometry, stored: (header.width, header.height), target, estimate })
    }
}

/// All pages count together, so that many small ones cannot take the time of a huge one.
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
