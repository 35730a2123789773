//! Makes the picture of an overlay. It goes through the same pipeline as any other: its limits are checked by its header, its EXIF
//! orientation is applied, its colors are converted to sRGB, and of an animation it is the first frame. It is made for each size of an output.

use crate::error::Result;
use crate::formats::Traits;
use crate::formats::decode::ColorModel;
use crate::image::geometry::Sides;
use crate::image::memory::Cost;
use crate::image::overlay::Mark;
use crate::image::resized_rows;
use crate::image::source::{DecodeRequest, Source, checked_header};
use crate::job::{LocalJob, PlannedOverlay, of_overlay};
use crate::limits::Limits;
use crate::options::{Edit, Resize};
use crate::pixels;

/// Bytes for each pixel of a [`Mark`].
const MARK_BYTES: u64 = 4;

/// The color model of the overlay of a job, which decides whether gray pixels can stay gray.
pub(crate) fn color_model(job: &LocalJob) -> Result<Option<ColorModel>> {
    let Some(PlannedOverlay { asked, media }) = job.overlay.as_deref() else { return Ok(None) };
    checked_header(&asked.image, *media, &job.limits)
        .map(|header| Some(header.color_model))
        .map_err(of_overlay)
}

/// Adds what the overlay takes to the memory of a source, and checks the limits of both. It is made before the picture below is decoded,
/// unless that one is shared with other outputs.
pub(crate) fn reserve<'a>(mut source: Source<'a>, job: &'a LocalJob) -> Result<Source<'a>> {
    let Some(overlay) = open(&source, job, source.size())? else { return Ok(source) };
    let area = |(width, height): (u32, u32)| u64::from(width) * u64::from(height);
    let mark = area(overlay.size()) * MARK_BYTES;
    let making = overlay.memory + mark;
    let rows = match source.in_bands {
        true => area((source.size().0, resized_rows::ROWS)) * u64::from(source.header.bytes_per_pixel),
        false => 0,
    };
    let laying = source.memory + mark + rows + overlay.bytes.len() as u64;
    source.memory = laying.max(source.bytes.len() as u64 + making);
    source.memory_of_whole = source.memory_of_whole.saturating_add(making);
    job.limits.check_memory(source.memory)?;
    Ok(source.within(job.limits))
}

/// The limits for the headers of both pictures: that of memory applies to what they take together.
pub(crate) fn limits(job: &LocalJob) -> Limits {
    match job.overlay {
        Some(_) => Limits { max_memory_bytes: u64::MAX, ..job.limits },
        None => job.limits,
    }
}

/// The overlay of a job as it lies on an output of the size `canvas`.
pub(crate) fn mark(below: &Source<'_>, job: &LocalJob, canvas: (u32, u32)) -> Result<Option<Mark>> {
    let (Some(overlay), Some(source)) = (&job.overlay, open(below, job, canvas)?) else {
        return Ok(None);
    };
    let pixels = pixels::rgba8(source.picture(None, None, &mut Vec::new()).map_err(of_overlay)?);
    let opacity = (overlay.asked.opacity * 256.0 + 0.5) as u32;
    let corner = overlay.asked.corner(pixels.dimensions(), canvas);
    Ok(Mark::new(pixels, opacity, corner, canvas))
}

/// Opens the image of an overlay for an output of the size `canvas`.
fn open<'a>(source: &Source<'a>, job: &'a LocalJob, canvas: (u32, u32)) -> Result<Option<Source<'a>>> {
    let Some(PlannedOverlay { asked, media }) = job.overlay.as_deref() else { return Ok(None) };
    let resize = Resize { width: asked.width_on(canvas.0), ..Resize::default() };
    let request = DecodeRequest {
        media: *media,
        shape: (Edit::default(), Some(resize)),
        sides: Sides { output: "An overlay", longest: i32::MAX as u32, shrinks: false },
        output: (Traits::ALPHA, None),
        overlay: None,
        fonts: &job.fonts,
        limits: source.limits,
        cost: Cost { encoder: MARK_BYTES, ..Cost::default() },
    };
    Source::open(&asked.image, request).map(Some).map_err(of_overlay)
}
