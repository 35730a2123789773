//! Which audio, subtitles, fonts and cover of an input go into an output.

use filepress_wire::{MediaType, TaskErrorCode};

use super::context::Context;
use crate::media::Failure;
use crate::media::engine::Warning;
use crate::media::ffmpeg::bitrate::{Sound, Wish};
use crate::media::ffmpeg::container::Container;
use crate::media::ffmpeg::media_info::{Facts, Labels};
use crate::media::ffmpeg::tracks::{Track, Tracks};
use crate::media::settings::Pick;

/// The most streams of a kind that an output gets, and the most fonts.
const MAX_TRACKS: usize = 32;

/// Everything beside the picture that the output holds and the settings do not exclude.
pub(super) fn choose(context: &Context<'_>, container: &Container, facts: &Facts) -> Result<Tracks, Failure> {
    let settings = &context.plan.settings;
    let audio = if settings.mute { Some(&Pick::None) } else { settings.audio.as_ref() };
    let labels: Vec<&Labels> = facts.audio.iter().map(|audio| &audio.labels).collect();
    let most = if container.many_audio { MAX_TRACKS } else { 1 };
    let audio = picked("audio", TaskErrorCode::NoAudioStream, audio, &labels, most)?;
    let wish = wish(context);
    let may_lose = settings.bitrate.is_some() || settings.target_size.is_some();
    let audio = audio.into_iter().map(|index| {
        let source = &facts.audio[index];
        let coding = Sound::decide(container.codec_for(source, may_lose), source, wish);
        Track { index, coding, labels: source.labels.clone() }
    });
    Ok(Tracks {
        audio: audio.collect(),
        subtitles: subtitles(container, facts, settings.subtitles.as_ref())?,
        fonts: facts.fonts.iter().filter(|_| container.fonts).take(MAX_TRACKS).copied().collect(),
        cover: cover(context, container, facts),
    })
}

/// What the settings ask of the sound.
fn wish(context: &Context<'_>) -> Wish {
    let settings = &context.plan.settings;
    Wish {
        bitrate: settings.bitrate,
        sample_rate: settings.sample_rate,
        channels: settings.channels,
        max_channels: if context.plan.output == MediaType::ThreeGpp { 1 } else { u32::MAX },
    }
}

fn subtitles(
    container: &Container,
    facts: &Facts,
    pick: Option<&Pick>,
) -> Result<Vec<Track<&'static str>>, Failure> {
    let Some(form) = container.subtitles else { return Ok(Vec::new()) };
    let labels: Vec<&Labels> = facts.subtitles.iter().map(|subtitle| &subtitle.labels).collect();
    let picked = picked("subtitles", TaskErrorCode::NoSubtitleStream, pick, &labels, MAX_TRACKS)?;
    let writable = picked.into_iter().filter_map(|index| {
        let source = &facts.subtitles[index];
        Some(Track { index, coding: form.encoder(source)?, labels: source.labels.clone() })
    });
    Ok(writable.collect())
}

/// The attached picture, where metadata stay and the output is audio.
fn cover(context: &Context<'_>, container: &Container, facts: &Facts) -> Option<usize> {
    let cover = facts.cover.as_ref()?;
    let is_written =
        matches!(cover.codec.as_str(), "mjpeg" | "png") && cover.pixels <= context.work.caps.pixels;
    let is_wanted = container.cover && !context.plan.settings.strip_metadata;
    (is_written && is_wanted).then_some(cover.index)
}

/// The numbers of the streams of a kind that are wanted, `most` at most.
fn picked(
    kind: &str,
    missing: TaskErrorCode,
    pick: Option<&Pick>,
    labels: &[&Labels],
    most: usize,
) -> Result<Vec<usize>, Failure> {
    let default = || labels.iter().position(|labels| labels.is_default).unwrap_or(0);
    let all = 0..labels.len();
    let mut numbers: Vec<usize> = match pick {
        None | Some(Pick::All) => all.collect(),
        Some(Pick::None) => Vec::new(),
        Some(Pick::Default) => all.filter(|number| *number == default()).collect(),
        Some(Pick::Index(index)) => all.filter(|number| number == index).collect(),
        Some(Pick::Language(language)) => {
            all.filter(|number| labels[*number].language.split('-').next() == Some(language)).collect()
        }
    };
    if numbers.is_empty() && matches!(pick, Some(Pick::Index(_) | Pick::Language(_))) {
        return Err(Failure::file(missing, absent(kind, labels)));
    }
    if most == 1 && numbers.contains(&default()) {
        numbers = vec![default()];
    }
    numbers.truncate(most);
    Ok(numbers)
}

/// What there is in place of what was asked for.
fn absent(kind: &str, labels: &[&Labels]) -> String {
    let languages: std::collections::BTreeSet<&str> = labels
        .iter()
        .map(|labels| labels.language.as_str())
        .filter(|language| !language.is_empty())
        .collect();
    let languages: Vec<&str> = languages.into_iter().take(MAX_TRACKS).collect();
    let languages =
        if languages.is_empty() { String::new() } else { format!(" in {}", languages.join(", ")) };
    format!("The file has no such stream; `{kind}` chooses among {}{languages}, from 0.", labels.len())
}

/// What of the input is not among `tracks`, where no setting asked for that.
pub(super) fn warnings(context: &Context<'_>, facts: &Facts, tracks: &Tracks) -> Vec<Warning> {
    let settings = &context.plan.settings;
    let asked_audio = settings.mute || settings.audio.is_some();
    let asked_subtitles = settings.subtitles.is_some();
    let covers = usize::from(facts.cover.is_some() && tracks.cover.is_none() && !settings.strip_metadata);
    let left = [
        ("audio_dropped", facts.audio.len() - tracks.audio.len(), asked_audio, "audio streams"),
        (
            "subtitles_dropped",
            facts.subtitles.len() - tracks.subtitles.len(),
            asked_subtitles,
            "subtitle streams",
        ),
        (
            "attachments_dropped",
            facts.attachments + facts.fonts.len() - tracks.fonts.len(),
            false,
            "attachments",
        ),
        ("cover_dropped", covers, false, "attached pictures"),
        ("streams_dropped", facts.others, false, "further streams (video, data)"),
    ];
    let lost = left.into_iter().filter(|(_, count, asked, _)| *count > 0 && !asked);
    lost.map(|(code, count, _, what)| Warning::new(code, format!("Not in the output: {count} {what}.")))
        .collect()
}
