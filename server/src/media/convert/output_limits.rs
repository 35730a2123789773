//! Checks what a video or an animation would have, before it is encoded: settings may ask for more than the input has.

use filepress_wire::TaskErrorCode;

use crate::config::ConversionLimits;
use crate::media::Failure;
use crate::media::ffmpeg::filters::Scaling;
use crate::media::ffmpeg::media_info::Video;

/// Checks the pixels of a frame, and the frames of `length` seconds (0 if unknown) at the new frame rate, if there is one. The input may
/// lie about its length: ffmpeg stops at the maximum of frames.
pub(super) fn check(
    limits: &ConversionLimits,
    scaling: &Scaling,
    source: &Video,
    (length, fps): (f64, Option<f64>),
) -> Result<(), Failure> {
    // Before the parts outside of the output are cut off, too.
    for (width, height) in [scaling.scaled, scaling.size] {
        if u64::from(width) * u64::from(height) > limits.pixels {
            let detail = format!(
                "With `resize`, a frame would have {width} × {height} pixels; the maximum is {} pixels.",
                limits.pixels
            );
            return Err(Failure::file(TaskErrorCode::TooManyPixels, detail));
        }
    }
    let frames = fps.map_or(0, |fps| (length.min(own_length(source)) * fps) as u64);
    if frames > limits.frames {
        let detail = format!(
            "With its frame rate, the output would have {frames} frames; the maximum is {}.",
            limits.frames
        );
        return Err(Failure::file(TaskErrorCode::TooManyFrames, detail));
    }
    Ok(())
}

/// The seconds of the video alone: other tracks may last longer.
fn own_length(source: &Video) -> f64 {
    let is_known = source.frames > 0 && source.fps > 0.0;
    if is_known { source.frames as f64 / source.fps } else { f64::MAX }
}
