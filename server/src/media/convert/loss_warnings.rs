//! Warnings about losses that no setting asked for. Input and output are compared with ffprobe.

use super::context::Context;
use super::video_encode::VideoEncoding;
use crate::media::Failure;
use crate::media::engine::Warning;
use crate::media::ffmpeg::media_info::{Audio, MediaInfo, Video};
use crate::media::ffmpeg::progress::Progress;
use crate::media::ffmpeg::tracks::Tracks;
use crate::media::settings::Settings;

/// Frame rates that differ by less than this factor are the same.
const SAME_RATE: f64 = 0.99;

/// Adds a warning if something was lost.
fn warn(warnings: &mut Vec<Warning>, is_lost: bool, code: &str, message: impl FnOnce() -> String) {
    // The same loss in several streams gives one warning.
    if is_lost && !warnings.iter().any(|warning| warning.code == code) {
        warnings.push(Warning::new(code, message()));
    }
}

/// Warnings about audio streams and chapters.
pub(super) fn of_streams(
    settings: &Settings,
    before: &MediaInfo,
    after: &MediaInfo,
    tracks: &Tracks,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let pairs = tracks.audio.iter().zip(&after.audio);
    for (source, made) in pairs.filter_map(|(track, made)| Some((before.audio.get(track.index)?, made))) {
        of_audio(&mut warnings, settings, source, made);
    }
    // A trimmed output has only the chapters of its part.
    warn(
        &mut warnings,
        after.chapters < before.chapters && settings.trim.is_none(),
        "chapters_dropped",
        || format!("{1} of {0} chapters are in the output.", before.chapters, after.chapters),
    );
    warnings
}

fn of_audio(warnings: &mut Vec<Warning>, settings: &Settings, source: &Audio, made: &Audio) {
    let is_lossless = made.bits > 0;
    let lost = source.bits > made.bits || (source.is_float && !made.is_float);
    warn(warnings, is_lossless && lost, "depth_reduced", || {
        let kind = if source.is_float { " of floating point" } else { "" };
        format!("Samples of {} bits{kind} became samples of {} bits.", source.bits, made.bits)
    });
    let lost = settings.sample_rate.is_none() && made.sample_rate < source.sample_rate;
    warn(warnings, lost, "sample_rate_reduced", || {
        format!("The sample rate went from {} to {} Hz.", source.sample_rate, made.sample_rate)
    });
    let lost = settings.channels.is_none() && made.channels < source.channels;
    warn(warnings, lost, "channels_reduced", || {
        format!("{} channels were mixed into {}.", source.channels, made.channels)
    });
}

/// Warnings about the video stream.
pub(super) fn of_picture(
    context: &Context<'_>,
    encoding: &VideoEncoding<'_>,
    made: &Video,
    size: (u32, u32),
    progress: &Progress,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let (source, pixel_conversion, settings) =
        (encoding.source, encoding.pixel_conversion, &context.plan.settings);
    warn(&mut warnings, pixel_conversion.background.is_some(), "alpha_flattened", || {
        "The output has no transparency; transparent areas show `background`.".to_owned()
    });
    of_color(&mut warnings, encoding, made);
    let (asked, to) = (encoding.asked_scaling(settings.resize).size, size);
    let is_rounded = to == encoding.scaling(settings.resize, 1.0).size && asked != to;
    warn(&mut warnings, is_rounded, "size_rounded", || {
        format!(
            "The size is {} × {} instead of {} × {}, because the codec needs even dimensions.",
            to.0, to.1, asked.0, asked.1
        )
    });
    warn(&mut warnings, source.first_field.is_some(), "deinterlaced", || {
        "The video was deinterlaced.".to_owned()
    });
    let is_slower = encoding.fps.filter(|fps| settings.fps.is_none() && *fps < source.fps * SAME_RATE);
    if let Some(fps) = is_slower {
        warn(&mut warnings, true, "frame_rate_changed", || slower(source.fps, fps));
    }
    let is_uneven = progress.repeated + progress.dropped > 0 && settings.fps.is_none();
    warn(&mut warnings, is_uneven, "frame_rate_changed", || {
        let Progress { repeated, dropped, .. } = progress;
        format!("For a constant frame rate, {repeated} frames were repeated and {dropped} dropped.")
    });
    warnings
}

/// The message for a frame rate that was reduced.
fn slower(from: f64, to: f64) -> String {
    format!("The frame rate was reduced from {from:.3} to {to:.3} frames per second.")
}

fn of_color(warnings: &mut Vec<Warning>, encoding: &VideoEncoding<'_>, made: &Video) {
    let (source, pixel_conversion) = (encoding.source, encoding.pixel_conversion);
    warn(warnings, pixel_conversion.tone_map.is_some(), "tone_mapped", tone_mapped);
    warn(warnings, source.depth > made.depth && pixel_conversion.tone_map.is_none(), "depth_reduced", || {
        format!("The bit depth was reduced from {} to {} bits.", source.depth, made.depth)
    });
    warn(warnings, source.has_fine_chroma && !made.has_fine_chroma, "chroma_reduced", || {
        "The chroma resolution was reduced to 4:2:0, which all players support.".to_owned()
    });
    let (from, to) = (&source.color, &made.color);
    let said = [(&from.primaries, &to.primaries), (&from.transfer, &to.transfer), (&from.matrix, &to.matrix)];
    let is_untold = said.into_iter().any(|(from, to)| !from.is_empty() && from != to) && !source.is_rgb;
    warn(warnings, is_untold && pixel_conversion.tone_map.is_none(), "color_tags_dropped", || {
        "The color tags of the input are not in the output.".to_owned()
    });
    let is_missing =
        (from.mastering.is_some() && to.mastering.is_none()) || (from.light.is_some() && to.light.is_none());
    warn(warnings, is_missing && pixel_conversion.tone_map.is_none(), "hdr_metadata_dropped", || {
        "The HDR10 metadata (mastering display, content light level) is not in the output.".to_owned()
    });
}

fn tone_mapped() -> String {
    "The output cannot carry high dynamic range; the video was tone-mapped to BT.709.".to_owned()
}

/// Warnings about an animation from a video; `fps` is its frame rate, if it is not that of the video.
pub(super) fn of_animation(
    settings: &Settings,
    before: &MediaInfo,
    source: &Video,
    fps: Option<f64>,
) -> Vec<Warning> {
    let mut warnings = of_frames(source);
    warn(&mut warnings, !before.audio.is_empty(), "sound_dropped", || {
        "The output is an image and has no sound.".to_owned()
    });
    warn(&mut warnings, !before.subtitles.is_empty(), "subtitles_dropped", || {
        "The output is an image and has no subtitles.".to_owned()
    });
    let wanted = settings.fps.unwrap_or(source.fps);
    if let Some(fps) = fps.filter(|fps| *fps < wanted * SAME_RATE) {
        warn(&mut warnings, true, "frame_rate_changed", || slower(wanted, fps));
    }
    warnings
}

/// Warnings about an image from a video.
pub(super) fn of_frames(source: &Video) -> Vec<Warning> {
    let mut warnings = Vec::new();
    warn(&mut warnings, source.color.hdr().is_some(), "tone_mapped", tone_mapped);
    warn(&mut warnings, source.first_field.is_some(), "deinterlaced", || {
        "The video was deinterlaced.".to_owned()
    });
    warnings
}

/// A warning about lost tags if they should have been kept.
pub(super) async fn of_tags(
    context: &Context<'_>,
    (demuxer, file): (&str, &str),
    (made_demuxer, made_file): (&str, &str),
) -> Result<Option<Warning>, Failure> {
    if context.plan.settings.strip_metadata {
        return Ok(None);
    }
    let before = context.tags(demuxer, file).await?;
    let after = context.tags(made_demuxer, made_file).await?;
    let message = match before.missing_in(&after) {
        Some(0) => return Ok(None),
        Some(count) => format!("{count} tags are not in the output, because its format cannot store them."),
        None => "The input has too many tags to compare; some may be missing from the output.".to_owned(),
    };
    Ok(Some(Warning::new("tags_dropped", message)))
}
