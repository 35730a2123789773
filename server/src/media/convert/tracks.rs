//! Chooses the audio, subtitles, fonts and cover of an output.

use filepress_wire::{MediaType, TaskErrorCode};

use super::context::Context;
use crate::media::Failure;
use crate::media::engine::Warning;
use crate::media::ffmpeg::bitrate::{AudioEncoding, AudioRequest};
use crate::media::ffmpeg::container::Container;
use crate::media::ffmpeg::media_info::{Labels, MediaInfo};
use crate::media::ffmpeg::tracks::{Track, Tracks};
use crate::media::settings::StreamSelection;

/// The maximum number of streams of a kind, and of fonts, in an output.
const MAX_TRACKS: usize = 32;

/// All streams besides the video that the output can hold and the settings do not exclude.
pub(super) fn choose(
    context: &Context<'_>,
    container: &Container,
    info: &MediaInfo,
) -> Result<Tracks, Failure> {
    let settings = &context.plan.settings;
    let audio = if settings.mute { Some(&StreamSelection::None) } else { settings.audio.as_ref() };
    let labels: Vec<&Labels> = info.audio.iter().map(|audio| &audio.labels).collect();
    let most = if container.many_audio { MAX_TRACKS } else { 1 };
    let audio = selected("audio", TaskErrorCode::NoAudioStream, audio, &labels, most)?;
    let audio_request = audio_request(context);
    let may_lose = settings.bitrate.is_some() || settings.target_size.is_some();
    let audio = audio.into_iter().map(|index| {
        let source = &info.audio[index];
        let coding = AudioEncoding::choose(container.codec_for(source, may_lose), source, audio_request);
        Track { index, coding, labels: source.labels.clone() }
    });
    Ok(Tracks {
        audio: audio.collect(),
        subtitles: subtitles(container, info, settings.subtitles.as_ref())?,
        fonts: info.fonts.iter().filter(|_| container.fonts).take(MAX_TRACKS).copied().collect(),
        cover: cover(context, container, info),
    })
}

/// The audio settings.
fn audio_request(context: &Context<'_>) -> AudioRequest {
    let settings = &context.plan.settings;
    AudioRequest {
        bitrate: settings.bitrate,
        sample_rate: settings.sample_rate,
        channels: settings.channels,
        max_channels: if context.plan.output == MediaType::ThreeGpp { 1 } else { u32::MAX },
    }
}

fn subtitles(
    container: &Container,
    info: &MediaInfo,
    selection: Option<&StreamSelection>,
) -> Result<Vec<Track<&'static str>>, Failure> {
    let Some(form) = container.subtitles else { return Ok(Vec::new()) };
    let labels: Vec<&Labels> = info.subtitles.iter().map(|subtitle| &subtitle.labels).collect();
    let selected = selected("subtitles", TaskErrorCode::NoSubtitleStream, selection, &labels, MAX_TRACKS)?;
    let writable = selected.into_iter().filter_map(|index| {
        let source = &info.subtitles[index];
        Some(Track { index, coding: form.encoder(source)?, labels: source.labels.clone() })
    });
    Ok(writable.collect())
}

/// The attached picture, if metadata is kept and the output is audio.
fn cover(context: &Context<'_>, container: &Container, info: &MediaInfo) -> Option<usize> {
    let cover = info.cover.as_ref()?;
    let is_written =
        matches!(cover.codec.as_str(), "mjpeg" | "png") && cover.pixels <= context.job.limits.pixels;
    let is_wanted = container.cover && !context.plan.settings.strip_metadata;
    (is_written && is_wanted).then_some(cover.index)
}

/// The numbers of the selected streams of a kind, at most `most`.
fn selected(
    kind: &str,
    missing: TaskErrorCode,
    selection: Option<&StreamSelection>,
    labels: &[&Labels],
    most: usize,
) -> Result<Vec<usize>, Failure> {
    let default = || labels.iter().position(|labels| labels.is_default).unwrap_or(0);
    let all = 0..labels.len();
    let mut numbers: Vec<usize> = match selection {
        None | Some(StreamSelection::All) => all.collect(),
        Some(StreamSelection::None) => Vec::new(),
        Some(StreamSelection::Default) => all.filter(|number| *number == default()).collect(),
        Some(StreamSelection::Index(index)) => all.filter(|number| number == index).collect(),
        Some(StreamSelection::Language(language)) => {
            all.filter(|number| labels[*number].language.split('-').next() == Some(language)).collect()
        }
    };
    if numbers.is_empty()
        && matches!(selection, Some(StreamSelection::Index(_) | StreamSelection::Language(_)))
    {
        return Err(Failure::file(missing, absent(kind, labels)));
    }
    if most == 1 && numbers.contains(&default()) {
        numbers = vec![default()];
    }
    numbers.truncate(most);
    Ok(numbers)
}

/// A message that lists the existing streams.
fn absent(kind: &str, labels: &[&Labels]) -> String {
    let languages: std::collections::BTreeSet<&str> = labels
        .iter()
        .map(|labels| labels.language.as_str())
        .filter(|language| !language.is_empty())
        .collect();
    let languages: Vec<&str> = languages.into_iter().take(MAX_TRACKS).collect();
    let languages =
        if languages.is_empty() { String::new() } else { format!(" in {}", languages.join(", ")) };
    format!(
        "The file has no such stream; it has {} streams for `{kind}`{languages}, numbered from 0.",
        labels.len()
    )
}

/// Warnings about streams that are not in `tracks`, unless a setting excluded them.
pub(super) fn warnings(context: &Context<'_>, info: &MediaInfo, tracks: &Tracks) -> Vec<Warning> {
    let settings = &context.plan.settings;
    let asked_audio = settings.mute || settings.audio.is_some();
    let asked_subtitles = settings.subtitles.is_some();
    let covers = usize::from(info.cover.is_some() && tracks.cover.is_none() && !settings.strip_metadata);
    let left = [
        ("audio_dropped", info.audio.len() - tracks.audio.len(), asked_audio, "audio streams"),
        (
            "subtitles_dropped",
            info.subtitles.len() - tracks.subtitles.len(),
            asked_subtitles,
            "subtitle streams",
        ),
        (
            "attachments_dropped",
            info.attachments + info.fonts.len() - tracks.fonts.len(),
            false,
            "attachments",
        ),
        ("cover_dropped", covers, false, "attached pictures"),
        ("streams_dropped", info.others, false, "other streams (video, data)"),
    ];
    let lost = left.into_iter().filter(|(_, count, asked, _)| *count > 0 && !asked);
    lost.map(|(code, count, _, what)| Warning::new(code, format!("Not in the output: {count} {what}.")))
        .collect()
}
