//! Files that declare, or have, too much data.

use std::time::Duration;

use filepress_server::config::ConversionLimits;
use filepress_wire::{MediaType, TaskErrorCode};
use serde_json::json;

use crate::tools::{Bench, document, ffmpeg, pnm};

/// The header of a PNG and as many rows of nothing as its size says, which deflate to next to nothing.
fn vast_png(side: u32) -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("a header");
    let mut stream = writer.stream_writer().expect("a stream");
    let row = vec![0; side as usize];
    for _ in 0..side {
        std::io::Write::write_all(&mut stream, &row).expect("a row");
    }
    stream.finish().expect("an end");
    writer.finish().expect("an end");
    png
}

#[tokio::test]
async fn an_image_with_too_many_pixels_is_refused_by_its_header() {
    let bench = Bench::new().await;
    let input = bench.write("vast.png", vast_png(16_000));
    for to in [MediaType::Jpeg, MediaType::Png, MediaType::Pdf] {
        let (code, detail) = bench.refused(&input, MediaType::Png, to, json!({})).await;
        assert_eq!(code, TaskErrorCode::TooManyPixels, "{detail}");
    }
    let film = bench.path("vast.mkv");
    ffmpeg(&[&["-f", "lavfi", "-i", "color=s=12000x12000:d=0.1:r=10", "-c:v", "ffv1"]], &film);
    let (code, _) = bench.refused(&film, MediaType::Matroska, MediaType::Mp4, json!({})).await;
    assert_eq!(code, TaskErrorCode::TooManyPixels);
}

/// The `stts` box of a film claims as many pictures as it can.
#[tokio::test]
async fn a_video_that_claims_too_many_frames_is_refused() {
    let bench = Bench::new().await;
    let film = std::fs::read(bench.video("plain.mp4", &["-an"])).expect("a film");
    let claim = |boxes: [&[u8]; 2], skip: [usize; 2]| {
        let mut film = film.clone();
        for (name, skip) in boxes.into_iter().zip(skip) {
            let at = film.windows(4).position(|window| window == name).expect("a box") + skip;
            film[at..at + 4].copy_from_slice(&1_000_000_000u32.to_be_bytes());
        }
        film
    };
    // Counts of times, and of sizes: with and without one size for all.
    let mut same_size = claim([b"stts", b"stsz"], [12, 12]);
    let at = same_size.windows(4).position(|window| window == b"stsz").expect("a box") + 8;
    same_size[at..at + 4].copy_from_slice(&1u32.to_be_bytes());
    for (name, bytes) in [("times.mp4", claim([b"stts", b"stts"], [12, 12])), ("sizes.mp4", same_size)] {
        let input = bench.write(name, bytes);
        let (code, detail) = bench.refused(&input, MediaType::Mp4, MediaType::Webm, json!({})).await;
        let expected = [
            TaskErrorCode::TooManyFrames,
            TaskErrorCode::TooLong,
            TaskErrorCode::CorruptFile,
            TaskErrorCode::TooMuchMemory,
        ];
        assert!(expected.contains(&code), "{name}: {code}: {detail}");
    }
}

/// A setting may ask for more than a file has.
#[tokio::test]
async fn an_output_with_too_many_pixels_is_refused() {
    let mut bench = Bench::new().await;
    let (film, moving) = (bench.video("film.mkv", &[]), bench.animation("moving.gif"));
    let still = bench.write("still.pnm", pnm(160, 120));
    // Decoders align rows: 160 pixels take as many as 192.
    bench.limits.pixels = 192 * 120;
    let (large, covering) = (json!({ "width": 200 }), json!({ "width": 20, "height": 400, "fit": "cover" }));
    for (input, from, to) in [
        (&film, MediaType::Matroska, MediaType::Mp4),
        (&film, MediaType::Matroska, MediaType::Gif),
        (&film, MediaType::Matroska, MediaType::Webp),
        (&film, MediaType::Matroska, MediaType::Jpeg),
        (&moving, MediaType::Gif, MediaType::Webm),
        (&still, MediaType::Pnm, MediaType::Png),
    ] {
        for resize in [&large, &covering] {
            // The engine crops before it resizes.
            if resize == &covering && !matches!(to, MediaType::Mp4 | MediaType::Gif) {
                continue;
            }
            let (code, detail) = bench.refused(input, from, to, json!({ "resize": resize })).await;
            assert_eq!(code, TaskErrorCode::TooManyPixels, "{from} → {to}, {resize}: {detail}");
        }
        let most = json!({ "resize": { "width": 160 } });
        let made = bench.convert(input, from, Some(to), most).await;
        made.unwrap_or_else(|failure| panic!("{from} → {to}: {failure:?}"));
    }
}

#[tokio::test]
async fn an_output_with_too_many_frames_is_refused_before_it_is_encoded() {
    let mut bench = Bench::new().await;
    let (film, moving) = (bench.video("film.mkv", &[]), bench.animation("moving.gif"));
    bench.limits.frames = 25;
    for (input, from, to) in [
        (&film, MediaType::Matroska, MediaType::Mp4),
        (&film, MediaType::Matroska, MediaType::Webp),
        (&moving, MediaType::Gif, MediaType::Webm),
    ] {
        let (code, detail) = bench.refused(input, from, to, json!({ "fps": 50 })).await;
        assert_eq!(code, TaskErrorCode::TooManyFrames, "{from} → {to}: {detail}");
        let made = format!("output.{}", to.extensions()[0]);
        assert!(!bench.last_scratch().join(&made).exists(), "{from} → {to} was begun");
        let part = json!({ "fps": 50, "trim": { "start": 0.25, "end": 0.5 } });
        assert!(bench.convert(input, from, Some(to), part).await.is_ok(), "{from} → {to}");
    }
}

#[tokio::test]
async fn limits_apply_to_valid_files() {
    let mut bench = Bench::new().await;
    let film = bench.video("film.mkv", &[]);
    bench.limits.frames = 10;
    let (code, _) = bench.refused(&film, MediaType::Matroska, MediaType::Mp4, json!({})).await;
    assert_eq!(code, TaskErrorCode::TooManyFrames);
    // As many as it has, but not twice as many.
    bench.limits.frames = 25;
    assert!(bench.convert(&film, MediaType::Matroska, Some(MediaType::Mp4), json!({})).await.is_ok());
    let (code, detail) =
        bench.refused(&film, MediaType::Matroska, MediaType::Mp4, json!({ "fps": 50 })).await;
    assert_eq!(code, TaskErrorCode::TooManyFrames);
    assert!(detail.contains("frame rate"), "{detail}");
    bench.limits = ConversionLimits { duration: Duration::from_millis(500), ..Default::default() };
    let (code, _) = bench.refused(&film, MediaType::Matroska, MediaType::Mp4, json!({})).await;
    assert_eq!(code, TaskErrorCode::TooLong);
    bench.limits = ConversionLimits { pages: 3, ..Default::default() };
    let input = bench.write("four.pdf", document(4));
    for to in [MediaType::Pdf, MediaType::Png] {
        let (code, _) = bench.refused(&input, MediaType::Pdf, to, json!({})).await;
        assert_eq!(code, TaskErrorCode::TooManyPages);
    }
    bench.limits = ConversionLimits { output: 5_000, ..Default::default() };
    let noise = bench.path("noise.wav");
    ffmpeg(&[&["-f", "lavfi", "-i", "anoisesrc=d=2"]], &noise);
    for to in [MediaType::Flac, MediaType::Mp3] {
        let (code, _) = bench.refused(&noise, MediaType::Wav, to, json!({})).await;
        assert_eq!(code, TaskErrorCode::OutputTooLarge);
    }
    bench.limits = ConversionLimits { time: Duration::from_millis(300), ..Default::default() };
    let long = bench.path("long.mkv");
    ffmpeg(&[&["-f", "lavfi", "-i", "testsrc2=d=30:s=320x240", "-c:v", "mpeg4"]], &long);
    let settings = json!({ "preset": "veryslow" });
    let (code, _) = bench.refused(&long, MediaType::Matroska, MediaType::Mp4, settings).await;
    assert_eq!(code, TaskErrorCode::TimedOut);
}
