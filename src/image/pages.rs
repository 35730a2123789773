//! Documents of several pages: every page goes through the pipeline, and all of them into one file.
//!
//! Each keeps its own shape and orientation. Pages are decoded one by one, so that memory holds no more than one.

use ::image::metadata::Orientation;

use super::color::{self, Fate};
use super::decode::tiff;
use super::encode::TiffDocument;
use super::geometry::Geometry;
use super::ifd::Directory;
use super::{Call, Made, flatten, light, metadata, orient, resize};
use crate::error::{Error, ErrorCode, Result};
use crate::job::Encoding;
use crate::limits::Limits;

/// Makes every page; the first in the given upright size, the others smaller in the same ratio.
pub(super) fn run(call: &Call<'_>, encoding: Encoding, size: (u32, u32)) -> Result<Made> {
    let pages = tiff::pages(call.bytes)?;
    let plans = pages.iter().map(|page| Plan::of(call, page, size)).collect::<Result<Vec<_>>>()?;
    check(&call.job.limits, &plans)?;

    let mut kept = call.kept();
    let shared = pages.iter().all(|page| metadata::tiff::profile(page) == call.metadata.icc);
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
        call.job.limits.check_memory(plan.estimate + document.len() as u64)?;
        let pixels = tiff::page_pixels(page, &call.job.limits)?;
        let profile = metadata::tiff::profile(page);
        let fate = match shared {
            true => call.profile,
            false if profile.is_some() => Fate::Applied,
            false => Fate::Carried,
        };
        let pixels = color::settle(pixels, profile.as_deref(), fate, &mut warnings);
        let pixels = match plan.target == plan.stored {
            true => pixels,
            false => resize::apply(pixels, plan.target, plan.geometry.crops)?,
        };
        let pixels = orient::apply(pixels, plan.geometry.orientation);
        let pixels = light::settle(pixels, encoding, &mut warnings);
        document.add(flatten::apply(pixels, encoding, call.job.background, &mut warnings))?;
    }
    // What happened to several pages is said once.
    warnings.dedup();
    let bytes = metadata::embed(document.finish()?, encoding.media(), &kept);
    Ok(Made { bytes, size, encoding, score: None, warnings })
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
    fn of(call: &Call<'_>, page: &Directory, size: (u32, u32)) -> Result<Self> {
        let header = tiff::page_header(page)?;
        let turned = Orientation::from_exif(metadata::tiff::orientation(page));
        let geometry = Geometry::plan(&header, turned.unwrap_or(Orientation::NoTransforms), call.job)?;
        let estimate = geometry.memory_estimate(call.bytes.len(), &header, call.job);
        call.job.limits.check_memory(estimate)?;
        let scale = |side: u32, to: u32, from: u32| {
            let scaled = (u64::from(side) * u64::from(to) + u64::from(from) / 2) / u64::from(from.max(1));
            u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
        };
        let width = scale(geometry.width, size.0, call.geometry.width);
        let height = scale(geometry.height, size.1, call.geometry.height);
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
