//! What survives a conversion of audio: samples, tags, cover and chapters.

use std::path::{Path, PathBuf};

use filepress_wire::MediaType;
use serde_json::json;

use crate::tools::{Bench, ffmpeg, probe, section, warnings};

/// A second of stereo in samples of a codec and a rate.
fn source(bench: &Bench, name: &str, arguments: &[&str]) -> PathBuf {
    let path = bench.path(name);
    ffmpeg(&[&["-f", "lavfi", "-i", "anoisesrc=d=1:r=96000:a=0.3", "-ac", "2"], arguments], &path);
    path
}

/// The codec, and the bits of a sample.
fn samples(path: &Path) -> String {
    let codec = probe(path, "stream=codec_name");
    let bits = probe(path, "stream=bits_per_raw_sample");
    let is_named = codec[0].starts_with("pcm");
    let bits = bits.first().filter(|bits| *bits != "N/A" && *bits != "0" && !is_named);
    format!("{} {}", codec[0], bits.map_or("", String::as_str)).trim().to_owned()
}

#[tokio::test]
async fn audio_bit_depth_is_kept_if_the_output_supports_it() {
    let bench = Bench::new().await;
    let deep = source(&bench, "24.wav", &["-c:a", "pcm_s24le"]);
    let float = source(&bench, "float.wav", &["-c:a", "pcm_f32le"]);
    let whole = source(&bench, "32.wav", &["-c:a", "pcm_s32le"]);
    let flac = source(&bench, "24.flac", &["-c:a", "flac", "-sample_fmt", "s32"]);
    let alac = source(&bench, "24.m4a", &["-c:a", "alac", "-sample_fmt", "s32p"]);
    let (wav, m4a) = (MediaType::Wav, MediaType::M4a);
    for (input, from, to, expected, lost) in [
        (&deep, wav, wav, "pcm_s24le", &[][..]),
        (&float, wav, wav, "pcm_f32le", &[]),
        (&whole, wav, wav, "pcm_s32le", &[]),
        (&deep, wav, MediaType::Flac, "flac 24", &[]),
        (&float, wav, MediaType::Flac, "flac 24", &["depth_reduced"]),
        (&whole, wav, MediaType::Flac, "flac 24", &["depth_reduced"]),
        (&flac, MediaType::Flac, wav, "pcm_s24le", &[]),
        (&alac, m4a, MediaType::Flac, "flac 24", &[]),
        (&alac, m4a, wav, "pcm_s24le", &[]),
        (&alac, m4a, m4a, "alac 24", &[]),
        (&deep, wav, MediaType::Mp3, "mp3", &["sample_rate_reduced"]),
    ] {
        // A part, so that the original does not come back.
        let settings = json!({ "trim": { "start": 0, "end": 0.5 } });
        let made = bench.convert(input, from, Some(to), settings).await.expect("audio");
        assert_eq!(samples(&made.done.output), expected, "{from} → {to}");
        assert_eq!(warnings(&made.done), lost, "{from} → {to}");
    }
    let asked = bench.convert(&alac, m4a, Some(m4a), json!({ "bitrate": 64000 })).await.expect("audio");
    assert_eq!(samples(&asked.done.output), "aac");
}

const TAGS: [&str; 5] = ["title", "artist", "album", "track", "date"];

/// A sound with tags, a cover and two chapters, as far as the type holds them.
fn tagged(bench: &Bench, media: MediaType) -> PathBuf {
    let cover = bench.path("cover.jpg");
    ffmpeg(&[&["-f", "lavfi", "-i", "color=red:s=16x16:d=0.1", "-frames:v", "1"]], &cover);
    let chapters = bench.write(
        "chapters.txt",
        ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n\
         [CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=Two\n",
    );
    let path = bench.path(&format!("tagged.{}", media.extensions()[0]));
    let (cover, chapters) = (cover.to_str().expect("a path"), chapters.to_str().expect("a path"));
    let tags: Vec<String> = TAGS.iter().map(|tag| format!("{tag}=2001")).collect();
    let tags: Vec<&str> = tags.iter().flat_map(|tag| ["-metadata", tag]).collect();
    let inputs = ["-f", "lavfi", "-i", "sine=d=1:r=44100", "-i", chapters, "-map_metadata", "1", "-ac", "2"];
    let with_cover =
        ["-i", cover, "-map", "0", "-map", "2", "-c:v", "copy", "-disposition:v:0", "attached_pic"];
    match media {
        MediaType::OggAudio => ffmpeg(&[&inputs, &tags], &path),
        _ => ffmpeg(&[&inputs[..6], &with_cover[..2], &inputs[6..], &with_cover[2..], &tags], &path),
    }
    path
}

/// How many of the tags are there, a cover, chapters.
fn marks(path: &Path) -> String {
    let stream = TAGS.map(|tag| !probe(path, &format!("stream_tags={tag}:format_tags={tag}")).is_empty());
    let covers = probe(path, "stream_disposition=attached_pic").iter().filter(|flag| *flag == "1").count();
    let chapters = probe(path, "chapter=id").len();
    format!("{} tags, {covers} cover, {chapters} chapters", stream.iter().filter(|is| **is).count())
}

#[tokio::test]
async fn the_readme_table_matches_audio_conversions() {
    let bench = Bench::new().await;
    let mut rows = Vec::new();
    for from in [MediaType::Flac, MediaType::M4a, MediaType::OggAudio] {
        let input = tagged(&bench, from);
        for to in [MediaType::Mp3, MediaType::Flac, MediaType::M4a, MediaType::OggAudio, MediaType::Wav] {
            let mut row = vec![format!("{} → {}: {}", from.name(), to.name(), marks(&input))];
            for strip in [true, false] {
                // Another rate, so that the original does not come back.
                let settings = json!({ "strip_metadata": strip, "sample_rate": 22050 });
                let made = bench.convert(&input, from, Some(to), settings).await.expect("audio");
                let told: String = warnings(&made.done).iter().map(|code| format!(", `{code}`")).collect();
                row.push(format!("{}{told}", marks(&made.done.output)));
            }
            rows.push(row);
        }
    }
    let depth = depths(&bench).await;
    let head = ["tags, cover, chapters", "by default", "`strip_metadata`: `false`"];
    section::check("audio", &format!("{depth}\n{}", section::table(&head, &rows)));
}

/// The table of samples.
async fn depths(bench: &Bench) -> String {
    let mut rows = Vec::new();
    for (name, from, arguments) in [
        ("float.wav", MediaType::Wav, &["-c:a", "pcm_f32le"][..]),
        ("whole.wav", MediaType::Wav, &["-c:a", "pcm_s32le"]),
        ("deep.flac", MediaType::Flac, &["-c:a", "flac", "-sample_fmt", "s32"]),
        ("deep.m4a", MediaType::M4a, &["-c:a", "alac", "-sample_fmt", "s32p"]),
    ] {
        let input = source(bench, name, arguments);
        let mut row = vec![samples(&input)];
        for to in [MediaType::Wav, MediaType::Flac, MediaType::M4a, MediaType::Opus] {
            let settings = json!({ "trim": { "start": 0, "end": 0.5 } });
            let made = bench.convert(&input, from, Some(to), settings).await.expect("audio");
            let told: String = warnings(&made.done).iter().map(|code| format!(", `{code}`")).collect();
            row.push(format!("{}{told}", samples(&made.done.output)));
        }
        rows.push(row);
    }
    section::table(&["samples", "WAV", "FLAC", "M4A", "Opus"], &rows)
}
