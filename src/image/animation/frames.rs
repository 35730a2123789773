//! Reads the frames of a file one by one, as rectangles of a canvas.

use crate::animation::canvas::Piece;
use crate::animation::note;
use crate::animation::reader::FrameReader;
use crate::error::{Error, Result};
use crate::formats::codec::ReadFrames;
use crate::formats::{Traits, decode};
use crate::image::Request;
use crate::image::animation::Budget;
use crate::image::color_profile::ProfileAction;
use crate::image::pipeline::{Decoded, Stages};
use crate::image::source::Source;
use crate::pixels;
use crate::warning::Warning;

/// Yields every frame with pixels in the colors of the output. Only one frame is in memory at a time.
pub(crate) fn each(
    request: &Request<'_>,
    reading: &ReadFrames,
    warnings: &mut Vec<Warning>,
    take: &mut dyn FnMut(&Piece) -> Result<()>,
) -> Result<()> {
    let Request { source, job, .. } = request;
    let Source { bytes, header, metadata, profile, memory, .. } = source;
    let mut budget = Budget::new(request)?;
    let canvas = (header.width, header.height);
    let area = u64::from(canvas.0) * u64::from(canvas.1);
    // Linear light is mapped to what a frame stores; other colors stay.
    let output = matches!(profile, ProfileAction::ToLight(_)).then_some((Traits::ALPHA, None));
    let stages = Stages { profile: (*profile, metadata.icc.as_deref()), output, ..Stages::KEPT };
    let mut reader = FrameReader {
        bytes,
        name: job.input.name(),
        canvas,
        frames: header.frames,
        spend: &mut |pixels| budget.spend(pixels.max(area)),
        // Five bytes per pixel are held.
        check_size: &|width, height| {
            job.limits.check_pixels("frame", width, height)?;
            let beyond = (u64::from(width) * u64::from(height)).saturating_sub(area);
            job.limits.check_memory(memory.saturating_add(5 * beyond))
        },
        check_file: &|bytes| job.limits.check_memory(memory.saturating_add(bytes)),
        still: &mut |file, size| {
            let header = decode::header(file, job.input)?;
            if (header.width, header.height) != size {
                return Err(Error::corrupt(job.input.name(), "a frame has another size than it claims"));
            }
            let decoded = Decoded::Pixels(decode::pixels(file, job.input, &job.limits)?);
            let mut told = Vec::new();
            let image = stages.run(decoded, None, &mut told)?;
            told.into_iter().for_each(|warning| note(warnings, warning));
            Ok(pixels::rgba8(image))
        },
    };
    (reading.each)(&mut reader, take)
}
