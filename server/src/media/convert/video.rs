//! Video → video, and animated GIF or WebP → video, by ffmpeg.

use filepress_wire::{MediaType, TaskErrorCode};

use super::audio;
use super::context::{Context, INPUT_FILE};
use super::loss_warnings;
use super::processing_metadata::FileProperties;
use super::video_encode::{Encoded, VideoEncoding, codec, output_frame_rate, pixel_conversion};
use super::{input_probe, tracks};
use crate::media::engine::{ApngConversion, Request};
use crate::media::ffmpeg::media_info;
use crate::media::ffmpeg::tracks::Tracks;
use crate::media::{ConversionResult, Failure};

/// A higher frame rate counts as an error of the file and is replaced by half of this.
const MAX_FPS: f64 = 120.0;
/// The minimum and maximum frame rate of a video from an animation.
const ANIMATION_FPS: (f64, f64) = (10.0, 50.0);
/// An animated WebP, converted to APNG for ffmpeg.
const FRAMES: &str = "frames.png";

pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let plan = context.plan;
    let settings = &plan.settings;
    let demuxer = input_probe::demuxer(context).await?;
    let container = input_probe::container(plan.output)?;
    let info = context.probe_input(demuxer, INPUT_FILE).await?;
    let pictures = input_probe::pictures(&info)?;
    let length = input_probe::length(&info, settings.trim)?;
    let codec = codec(context, container, pictures)?;
    let tracks = tracks::choose(context, container, &info)?;
    let mut warnings = tracks::warnings(context, &info, &tracks);
    let encoding = VideoEncoding {
        demuxer,
        file: INPUT_FILE,
        container,
        source: pictures,
        tracks,
        codec,
        fps: output_frame_rate(
            codec,
            pictures,
            settings.fps.or((pictures.fps > MAX_FPS).then_some(MAX_FPS / 2.0)),
        ),
        pixel_conversion: pixel_conversion(context, container, codec, pictures),
        length,
    };
    let keeps_size = settings
        .resize
        .is_none_or(|_| encoding.scaling(settings.resize, 1.0).size == encoding.scaling(None, 1.0).size);
    let may_keep = context.may_keep() && keeps_size;
    let mut file = context.output_name();
    let mut encoded = None;
    // An input that is small enough is not re-encoded; only its metadata is removed.
    if !(keeps_size && context.is_small_enough()) {
        encoded = Some(encoding.encode(context).await?);
        has_pictures(context, &context.probe(container.demuxer, &file).await?)?;
    }
    if may_keep {
        match audio::smallest(context, container, demuxer, &info, &encoding.tracks, &file).await? {
            Some(smaller) => file = smaller,
            None => {
                let info = FileProperties::of_stream(&info);
                return Ok(context.keep_original(context.ffmpeg_name(), info, Vec::new()));
            }
        }
    }
    let made = context.probe(container.demuxer, &file).await?;
    warnings.extend(loss_warnings::of_streams(settings, &info, &made, &encoding.tracks));
    // Copied streams have lost nothing.
    let coded = encoded.filter(|_| file == context.output_name());
    let mut output = FileProperties::of_stream(&made);
    if let (Some(Encoded { size, progress }), Some(picture)) = (coded, &made.video) {
        output.frames = progress.written().or(output.frames);
        warnings.extend(encoding.resize_warning(context, size));
        warnings.extend(loss_warnings::of_picture(context, &encoding, picture, size, &progress));
    }
    warnings
        .extend(loss_warnings::of_tags(context, (demuxer, INPUT_FILE), (container.demuxer, &file)).await?);
    context.finish(&file, context.ffmpeg_name(), (FileProperties::of_stream(&info), output), warnings).await
}

/// Checks that the output has video: `trim` may select a part without frames.
fn has_pictures(context: &Context<'_>, made: &media_info::MediaInfo) -> Result<(), Failure> {
    match (&made.video, context.plan.settings.trim) {
        (Some(_), _) => Ok(()),
        (None, Some(_)) => Err(Failure::file(
            TaskErrorCode::TrimOutOfRange,
            "The part that `trim` selects has no video frame.",
        )),
        (None, None) => {
            Err(Failure::file(TaskErrorCode::ConversionFailed, "The conversion produced no video frame."))
        }
    }
}

/// Animated GIF or WebP → video.
pub(super) async fn of_animation(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let plan = context.plan;
    let settings = &plan.settings;
    let container = input_probe::container(plan.output)?;
    let picture = context.image(INPUT_FILE, plan.input);
    let (made, file, demuxer) = match plan.input {
        MediaType::Webp => {
            let conversion = ApngConversion { source: picture, output: FRAMES.to_owned() };
            (context.engine(&Request::WebpToApng(conversion)).await?, FRAMES, "apng")
        }
        _ => (context.engine(&Request::Inspect(picture)).await?, INPUT_FILE, "gif"),
    };
    if made.input_frames < 2 {
        return Err(Failure::file(TaskErrorCode::NotAnimated, "The image is not animated."));
    }
    context.progress(0.1);
    let mut info = context.probe_input(demuxer, file).await?;
    if info.duration == 0.0 {
        info.duration = made.duration;
    }
    // ffmpeg reports transparency for every GIF.
    if let Some(video) = info.video.as_mut().filter(|video| video.has_alpha) {
        video.has_alpha = context.is_transparent(demuxer, file).await?;
    }
    let pictures = input_probe::pictures(&info)?;
    let fps = pictures.fps.clamp(ANIMATION_FPS.0, ANIMATION_FPS.1).ceil();
    let codec = codec(context, container, pictures)?;
    let encoding = VideoEncoding {
        demuxer,
        file,
        container,
        source: pictures,
        tracks: Tracks::default(),
        codec,
        fps: output_frame_rate(codec, pictures, Some(settings.fps.unwrap_or(fps))),
        pixel_conversion: pixel_conversion(context, container, codec, pictures),
        length: input_probe::length(&info, settings.trim)?,
    };
    let encoded = encoding.encode(context).await?;
    let mut warnings: Vec<_> = encoding.resize_warning(context, encoded.size).into_iter().collect();
    let output = context.output_name();
    let probed = context.probe(container.demuxer, &output).await?;
    has_pictures(context, &probed)?;
    let mut made_info = FileProperties::of_stream(&probed);
    if let Some(picture) = &probed.video {
        let Encoded { size, progress } = &encoded;
        made_info.frames = progress.written().or(made_info.frames);
        warnings.extend(loss_warnings::of_picture(context, &encoding, picture, *size, progress));
    }
    let input = FileProperties {
        duration: Some(info.duration).filter(|seconds| *seconds > 0.0),
        ..FileProperties::of_input(&made)
    };
    context.finish(&output, context.ffmpeg_name(), (input, made_info), warnings).await
}
