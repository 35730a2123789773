//! Probes an input for ffmpeg: its demuxer, its video stream and its duration.

use filepress_wire::{MediaType, SNIFF_BYTES, TaskErrorCode};
use tokio::io::AsyncReadExt;

use super::context::Context;
use crate::media::Failure;
use crate::media::ffmpeg::container::{self, Container};
use crate::media::ffmpeg::media_info::{self, Video};
use crate::media::ffmpeg::trim::Trim;

/// The container of a type.
pub(super) fn container(media: MediaType) -> Result<&'static Container, Failure> {
    container::of(media).ok_or_else(|| Failure::Infrastructure(format!("{media} has no container")))
}

/// The demuxer of the input. A file of the type `video/mpeg` may also be an elementary video stream.
pub(super) async fn demuxer(context: &Context<'_>) -> Result<&'static str, Failure> {
    let plain = container(context.plan.input)?.demuxer;
    if plain != "mpeg" {
        return Ok(plain);
    }
    let mut head = Vec::new();
    let read = async {
        let file = tokio::fs::File::open(context.job.input).await?;
        file.take(SNIFF_BYTES as u64).read_to_end(&mut head).await
    };
    read.await.map_err(|error| Failure::Infrastructure(format!("the input: {error}")))?;
    // An elementary stream begins with a sequence header (ISO/IEC 13818-2, 6.2.2.1), a program stream with a pack header.
    Ok(if head.starts_with(&[0, 0, 1, 0xB3]) { "mpegvideo" } else { plain })
}

/// The video stream; an error if there is none.
pub(super) fn pictures(info: &media_info::MediaInfo) -> Result<&Video, Failure> {
    let video = info.video.as_ref().filter(|video| video.width > 0 && video.height > 0);
    video.ok_or_else(|| Failure::file(TaskErrorCode::NoVideoStream, "This file has no video stream."))
}

/// The duration of the output in seconds; 0 if unknown.
pub(super) fn length(info: &media_info::MediaInfo, trim: Option<Trim>) -> Result<f64, Failure> {
    let Some(trim) = trim else { return Ok(info.duration) };
    if info.duration > 0.0 && trim.start >= info.duration {
        return Err(Failure::file(
            TaskErrorCode::TrimOutOfRange,
            format!(
                "`trim.start` is after the end: the input lasts {:.3} s, and `trim.start` is {} s.",
                info.duration, trim.start
            ),
        ));
    }
    let end = if info.duration > 0.0 { info.duration } else { f64::MAX };
    let end = trim.end.unwrap_or(end).min(end);
    Ok(if end == f64::MAX { 0.0 } else { (end - trim.start).max(0.0) })
}
