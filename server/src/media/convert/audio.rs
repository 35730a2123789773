//! Video or audio → audio, by ffmpeg.

use filepress_wire::{MediaClass, TaskErrorCode};

use super::context::{Context, INPUT_FILE};
use super::processing_metadata::FileProperties;
use super::size_search::BitrateSearch;
use super::{input_probe, loss_warnings, tracks};
use crate::media::engine::Warning;
use crate::media::ffmpeg::arguments::Streams;
use crate::media::ffmpeg::bitrate;
use crate::media::ffmpeg::container::Container;
use crate::media::ffmpeg::media_info;
use crate::media::ffmpeg::tracks::Tracks;
use crate::media::{ConversionResult, Failure};

/// The name of the output whose streams are copied.
const COPY: &str = "copy";

pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let plan = context.plan;
    let demuxer = input_probe::demuxer(context).await?;
    let container = input_probe::container(plan.output)?;
    let info = context.probe_input(demuxer, INPUT_FILE).await?;
    if info.audio.is_empty() {
        return Err(Failure::file(TaskErrorCode::NoAudioStream, "This file has no audio stream."));
    }
    let tracks = tracks::choose(context, container, &info)?;
    let length = input_probe::length(&info, plan.settings.trim)?;
    let output = context.output_name();
    // An input that is small enough is not re-encoded; only its metadata is removed.
    if !context.is_small_enough() {
        encode(context, container, demuxer, &tracks, length).await?;
    }

    let mut file = output.clone();
    if context.may_keep() {
        match smallest(context, container, demuxer, &info, &tracks, &output).await? {
            Some(smaller) => file = smaller,
            None => {
                let info = FileProperties::of_stream(&info);
                return Ok(context.keep_original(context.ffmpeg_name(), info, Vec::new()));
            }
        }
    }
    let made = context.probe(container.demuxer, &file).await?;
    let mut warnings = tracks::warnings(context, &info, &tracks);
    if plan.input.class() == MediaClass::Video && info.video.is_some() {
        warnings.push(Warning::new("picture_dropped", "The output contains only the audio."));
    }
    warnings.extend(loss_warnings::of_streams(&plan.settings, &info, &made, &tracks));
    warnings
        .extend(loss_warnings::of_tags(context, (demuxer, INPUT_FILE), (container.demuxer, &file)).await?);
    let info = (FileProperties::of_stream(&info), FileProperties::of_stream(&made));
    context.finish(&file, context.ffmpeg_name(), info, warnings).await
}

async fn encode(
    context: &Context<'_>,
    container: &Container,
    demuxer: &str,
    tracks: &Tracks,
    length: f64,
) -> Result<(), Failure> {
    let output = context.output_name();
    let mut call = context.ffmpeg_command(demuxer, INPUT_FILE, output.clone());
    let Some(target) = context.plan.settings.target_size else {
        let arguments = call.mux(container, &Streams::Audio(tracks));
        context.ffmpeg(arguments, (length, 0), (0.0, 0.9)).await?;
        return Ok(());
    };
    // The search has to know how much larger an attempt is.
    call.limits.bytes = None;
    let asked = Some(tracks.audio_bits()).filter(|bits| *bits > 0.0).unwrap_or(f64::MAX);
    let mut search = BitrateSearch::new(target, bitrate::to_fill(target, length).min(asked));
    loop {
        let tracks = tracks.with_bitrate(search.bits);
        let to = 0.9 * (1.0 - 0.5_f64.powi(search.attempt() as i32 + 1));
        context.ffmpeg(call.mux(container, &Streams::Audio(&tracks)), (length, 0), (0.0, to)).await?;
        if search.reached(context.size_of(&output).await.unwrap_or(0))? {
            return Ok(());
        }
    }
}

/// The name of the smaller of the encoded output and a stream copy, if it is smaller than the original.
pub(super) async fn smallest(
    context: &Context<'_>,
    container: &Container,
    demuxer: &str,
    info: &media_info::MediaInfo,
    tracks: &Tracks,
    made: &str,
) -> Result<Option<String>, Failure> {
    use TaskErrorCode::{ConversionFailed, CorruptFile, NoVideoStream, UnsupportedFile};
    let size = context.size_of(made).await.unwrap_or(u64::MAX);
    if size < context.input_size {
        return Ok(Some(made.to_owned()));
    }
    let copy = super::context::name_of(COPY, context.plan.output);
    let streams = Streams::Copy { video: info.video.is_some() && !container.video.is_empty(), tracks };
    let arguments = context.ffmpeg_command(demuxer, INPUT_FILE, copy.clone()).mux(container, &streams);
    match context.ffmpeg(arguments, (info.duration, 0), (0.9, 0.99)).await {
        Ok(_) => {}
        // If the container cannot hold the streams, the copy fails and the original is kept.
        Err(Failure::File {
            code: ConversionFailed | CorruptFile | NoVideoStream | UnsupportedFile, ..
        }) => return Ok(None),
        Err(failure) => return Err(failure),
    }
    let size = context.size_of(&copy).await.unwrap_or(u64::MAX);
    Ok((size < context.input_size).then_some(copy))
}
