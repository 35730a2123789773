//! Video → video and video → audio.

use std::path::Path;

use filepress_server::media::{ConversionJob, ConversionResult, Failure};
use filepress_wire::{MediaType, TaskErrorCode};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::tools::{Bench, fact, ffmpeg, object, probe, warnings};
use crate::{pair, size};

#[tokio::test]
async fn a_video_is_resized_to_even_dimensions() {
    let bench = Bench::new().await;
    let input = bench.video("film.mkv", &[]);
    for (settings, expected) in [
        (json!({ "resize": { "width": 81 } }), pair(82, 60)),
        (json!({ "resize": { "height": 61 } }), pair(82, 62)),
        (json!({ "resize": { "width": 100, "height": 50 } }), pair(100, 50)),
        (json!({ "resize": { "width": 100, "height": 50, "fit": "inside" } }), pair(66, 50)),
        (json!({ "resize": { "width": 100, "height": 50, "fit": "cover" } }), pair(100, 50)),
        (json!({ "resize": { "max_width": 80, "max_height": 5000 } }), pair(80, 60)),
        (json!({ "resize": { "max_width": 5000 } }), pair(160, 120)),
    ] {
        let settings = json!({ "resize": settings["resize"], "preset": "ultrafast" });
        let made = bench.convert(&input, MediaType::Matroska, Some(MediaType::Mp4), settings.clone()).await;
        let made = made.expect("a film");
        assert_eq!(size(&made.done.output), expected, "{settings}");
    }
}

#[tokio::test]
async fn rotation_is_applied_once() {
    let bench = Bench::new().await;
    let plain = bench.video("plain.mp4", &[]);
    let turned = bench.path("turned.mp4");
    // ffmpeg 5.1 writes the matrix for `rotate`.
    ffmpeg(&[&["-i", plain.to_str().expect("a path"), "-c", "copy", "-metadata:s:v", "rotate=90"]], &turned);
    assert!(probe(&turned, "stream_side_data=rotation")[0].ends_with("90"));
    let made =
        bench.convert(&turned, MediaType::Mp4, Some(MediaType::Webm), json!({})).await.expect("a film");
    assert_eq!(size(&made.done.output), pair(120, 160));
    assert!(probe(&made.done.output, "stream_side_data=rotation").is_empty());
    assert_eq!((fact(&made.done, "/input/width"), fact(&made.done, "/input/height")), (120.0, 160.0));
    let frame =
        bench.convert(&turned, MediaType::Mp4, Some(MediaType::Png), json!({})).await.expect("a frame");
    assert_eq!(size(&frame.done.output), pair(120, 160));
}

#[tokio::test]
async fn a_video_obeys_its_settings() {
    let bench = Bench::new().await;
    let input = bench.video("film.mkv", &[]);
    let convert = async |to, settings| {
        bench.convert(&input, MediaType::Matroska, Some(to), settings).await.expect("a film")
    };
    let coarse = convert(MediaType::Mp4, json!({ "crf": 45, "mute": true })).await;
    let fine = convert(MediaType::Mp4, json!({ "crf": 10, "mute": true })).await;
    assert!(coarse.bytes.len() < fine.bytes.len());
    assert_eq!(probe(&coarse.done.output, "stream=codec_name"), ["h264"]);

    let trimmed = convert(MediaType::Mp4, json!({ "trim": { "start": 0.2, "end": 0.6 }, "fps": 10 })).await;
    let duration = fact(&trimmed.done, "/output/duration");
    assert!((0.35..0.5).contains(&duration), "{duration}");
    assert_eq!(probe(&trimmed.done.output, "stream=avg_frame_rate")[0], "10/1");

    let other =
        convert(MediaType::Webm, json!({ "codec": "vp8", "channels": 1, "sample_rate": 24000 })).await;
    assert_eq!(probe(&other.done.output, "stream=codec_name"), ["vp8", "opus"]);
    assert_eq!(probe(&other.done.output, "stream=channels"), ["1"]);

    let sound =
        convert(MediaType::Mp3, json!({ "bitrate": 64000, "channels": 1, "sample_rate": 22050 })).await;
    assert_eq!(probe(&sound.done.output, "stream=codec_name,sample_rate,channels"), ["mp3", "22050", "1"]);
    assert!(warnings(&sound.done).contains(&"picture_dropped".to_owned()));
}

#[tokio::test]
async fn missing_streams_are_reported() {
    let bench = Bench::new().await;
    let silent = bench.video("silent.mp4", &["-an"]);
    let (code, _) = bench.refused(&silent, MediaType::Mp4, MediaType::Mp3, json!({})).await;
    assert_eq!(code, TaskErrorCode::NoAudioStream);
    let blind = bench.sound("blind.mkv", &["-c:a", "aac"]);
    let (code, _) = bench.refused(&blind, MediaType::Matroska, MediaType::Mp4, json!({})).await;
    assert_eq!(code, TaskErrorCode::NoVideoStream);
    let film = std::fs::read(bench.video("whole.mp4", &[])).expect("a film");
    let cut = bench.write("cut.mp4", &film[..film.len() / 2]);
    let (code, detail) = bench.refused(&cut, MediaType::Mp4, MediaType::Webm, json!({})).await;
    assert_eq!(code, TaskErrorCode::CorruptFile);
    assert!(!detail.contains('/'), "{detail}");
}

#[tokio::test]
async fn a_cancelled_conversion_stops_at_once() {
    let bench = Bench::new().await;
    let input = bench.path("long.mkv");
    ffmpeg(&[&["-f", "lavfi", "-i", "testsrc2=d=20:s=640x480:r=25", "-c:v", "mpeg4"]], &input);
    let ended = cancelled(&bench, &input, MediaType::Mp4, json!({ "preset": "veryslow" })).await;
    assert!(matches!(ended, Err(Failure::Cancelled)), "{ended:?}");
    // Nothing but the metadata is to be removed: the streams are copied, and then the original would be the answer.
    let settings = json!({ "target_size": 1_000_000_000 });
    let ended = cancelled(&bench, &input, MediaType::Matroska, settings).await;
    assert!(matches!(ended, Err(Failure::Cancelled)), "{ended:?}");
}

#[tokio::test]
async fn a_copy_that_reaches_a_limit_is_not_replaced_by_the_original() {
    let mut bench = Bench::new().await;
    let input = bench.video("film.mkv", &[]);
    bench.limits.output = std::fs::metadata(&input).expect("a file").len() / 2;
    let settings = json!({ "target_size": 1_000_000_000 });
    let (code, _) = bench.refused(&input, MediaType::Matroska, MediaType::Matroska, settings).await;
    assert_eq!(code, TaskErrorCode::OutputTooLarge);
}

/// The end of a conversion of a Matroska file that is cancelled as soon as it gets anywhere.
async fn cancelled(
    bench: &Bench,
    input: &Path,
    to: MediaType,
    settings: Value,
) -> Result<ConversionResult, Failure> {
    let plan = bench.tools.plan(MediaType::Matroska, Some(to), &object(settings)).expect("a plan");
    let scratch = bench.scratch();
    let cancel = CancellationToken::new();
    let begun = cancel.clone();
    let progress = move |_| begun.cancel();
    let limits = bench.limits;
    let work = ConversionJob {
        input,
        more_inputs: &[],
        scratch: &scratch,
        limits: &limits,
        progress: &progress,
        cancel,
    };
    bench.tools.run(&plan, work).await
}
