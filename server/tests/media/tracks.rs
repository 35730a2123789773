//! Several audio and subtitle streams, chapters and fonts, and the settings that choose among them.

use std::path::{Path, PathBuf};

use filepress_wire::{MediaType, TaskErrorCode};
use serde_json::json;

use crate::tools::{Bench, ffmpeg, probe, warnings};

/// A film with English and German audio, the latter the default one, subtitles in French and Italian, and two chapters.
pub(crate) fn film(bench: &Bench) -> PathBuf {
    let path = bench.path("tracks.mkv");
    let subtitles = bench.write("text.srt", "1\n00:00:00,100 --> 00:00:00,800\nHello\n");
    let chapters = bench.write(
        "film-chapters.txt",
        ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n\
         [CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=Two\n",
    );
    let font = bench.write("font.ttf", [0, 1, 0, 0, 0, 0]);
    let paths = [&subtitles, &chapters, &font].map(|path| path.to_str().expect("a path"));
    ffmpeg(
        &[
            &[
                "-f",
                "lavfi",
                "-i",
                "testsrc2=d=1:s=64x48:r=10",
                "-f",
                "lavfi",
                "-i",
                "sine=d=1",
                "-i",
                paths[0],
            ],
            &[
                "-i",
                paths[1],
                "-map",
                "0",
                "-map",
                "1",
                "-map",
                "1",
                "-map",
                "2",
                "-map",
                "2",
                "-map_chapters",
                "3",
            ],
            &["-attach", paths[2], "-metadata:s:t", "mimetype=application/x-truetype-font", "-c:s", "srt"],
            &["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu"],
            &["-metadata:s:a:1", "title=Commentary", "-disposition:a:0", "0", "-disposition:a:1", "default"],
            &[
                "-metadata:s:s:0",
                "language=fra",
                "-metadata:s:s:1",
                "language=ita",
                "-c:a",
                "aac",
                "-ac:a:1",
                "2",
            ],
        ],
        &path,
    );
    path
}

fn codecs(path: &Path) -> Vec<String> {
    probe(path, "stream=codec_name")
}

#[tokio::test]
async fn all_streams_that_the_output_supports_are_kept() {
    let bench = Bench::new().await;
    let input = film(&bench);
    for (to, streams, lost) in [
        (MediaType::Matroska, &["h264", "aac", "aac", "subrip", "subrip", "ttf"][..], &[][..]),
        (
            MediaType::Mp4,
            &["h264", "aac", "aac", "mov_text", "mov_text", "bin_data"],
            &["attachments_dropped"],
        ),
        (MediaType::Webm, &["vp9", "opus", "opus", "webvtt", "webvtt"], &["attachments_dropped"]),
        (
            MediaType::Avi,
            &["mpeg4", "mp3"],
            &["audio_dropped", "subtitles_dropped", "attachments_dropped", "chapters_dropped"],
        ),
    ] {
        let settings = json!({ "fps": 5 });
        let made = bench.convert(&input, MediaType::Matroska, Some(to), settings).await.expect("a film");
        let output = &made.done.output;
        assert_eq!(codecs(output), streams, "{to}");
        assert_eq!(warnings(&made.done), lost, "{to}");
        let languages = probe(output, "stream_tags=language").join(" ");
        assert!(to == MediaType::Avi || languages.contains("eng deu fra ita"), "{to}: {languages}");
        let chapters = probe(output, "chapter_tags=title");
        assert_eq!(chapters, if to == MediaType::Avi { &[][..] } else { &["One", "Two"] }, "{to}");
        if to == MediaType::Matroska {
            assert_eq!(probe(output, "stream_disposition=default")[1..3], ["0", "1"]);
            assert!(probe(output, "stream_tags=title").contains(&"Commentary".to_owned()));
        }
    }
    // One audio stream of two: the one that the file marks, which alone is stereo.
    let avi =
        bench.convert(&input, MediaType::Matroska, Some(MediaType::Mp3), json!({})).await.expect("audio");
    assert_eq!(probe(&avi.done.output, "stream=channels"), ["2"]);
    assert!(warnings(&avi.done).contains(&"audio_dropped".to_owned()));
}

#[tokio::test]
async fn settings_select_streams() {
    let bench = Bench::new().await;
    let input = film(&bench);
    for (settings, streams) in [
        (json!({ "audio": "none", "subtitles": "none" }), &["h264", "ttf"][..]),
        (json!({ "audio": 0, "subtitles": "ita" }), &["h264", "aac", "subrip", "ttf"]),
        (json!({ "audio": "default", "subtitles": "all" }), &["h264", "aac", "subrip", "subrip", "ttf"]),
        (json!({ "mute": true, "subtitles": 1 }), &["h264", "subrip", "ttf"]),
    ] {
        let made = bench.convert(&input, MediaType::Matroska, None, settings.clone()).await.expect("a film");
        assert_eq!(codecs(&made.done.output), streams, "{settings}");
        assert!(warnings(&made.done).is_empty(), "{settings}: {:?}", warnings(&made.done));
    }
    let german = json!({ "audio": "deu" });
    let german =
        bench.convert(&input, MediaType::Matroska, Some(MediaType::Flac), german).await.expect("audio");
    assert_eq!(probe(&german.done.output, "stream=channels"), ["2"]);
    for (to, settings, expected) in [
        (MediaType::Mp4, json!({ "audio": 2 }), TaskErrorCode::NoAudioStream),
        (MediaType::Mp3, json!({ "audio": "swe" }), TaskErrorCode::NoAudioStream),
        (MediaType::Mp4, json!({ "subtitles": "eng" }), TaskErrorCode::NoSubtitleStream),
    ] {
        let (code, detail) = bench.refused(&input, MediaType::Matroska, to, settings).await;
        assert_eq!(code, expected);
        assert!(detail.contains("has 2 streams"), "{detail}");
    }
}

#[tokio::test]
async fn the_number_of_streams_is_limited() {
    let bench = Bench::new().await;
    let path = bench.path("many.mkv");
    let maps = ["-map", "1"].repeat(100);
    ffmpeg(
        &[
            &[
                "-f",
                "lavfi",
                "-i",
                "testsrc=d=0.2:s=16x16:r=5,format=yuv420p",
                "-f",
                "lavfi",
                "-i",
                "sine=d=0.2:r=8000",
            ],
            &["-map", "0", "-c:a", "pcm_u8"],
            &maps,
            &["-metadata:s:a:0", &format!("title={}", "x".repeat(60_000))],
        ],
        &path,
    );
    let made =
        bench.convert(&path, MediaType::Matroska, Some(MediaType::Mp4), json!({})).await.expect("a film");
    assert_eq!(codecs(&made.done.output).len(), 33);
    assert_eq!(warnings(&made.done), ["audio_dropped"]);
}
