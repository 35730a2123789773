//! Results are never larger than the input, meet `target_size`, and lose metadata unless it was requested.

use filepress_wire::{MediaType, TaskErrorCode};
use serde_json::json;

use crate::tools::{Bench, fact, ffmpeg, is, pnm};

#[tokio::test]
async fn an_image_is_compressed_and_progress_ends_at_one() {
    let bench = Bench::new().await;
    let input = bench.write("photo.pnm", pnm(320, 200));
    let made = bench.convert(&input, MediaType::Pnm, Some(MediaType::Jpeg), json!({ "quality": 50 })).await;
    let made = made.expect("a picture");
    assert!(is(&made.bytes, MediaType::Jpeg));
    assert_eq!((fact(&made.done, "/output/width"), fact(&made.done, "/output/height")), (320.0, 200.0));
    assert_eq!(fact(&made.done, "/output/size"), made.bytes.len() as f64);
    assert_eq!(made.shares.last(), Some(&1.0));
    assert!(!made.done.kept_original);
}

#[tokio::test]
async fn the_original_is_returned_if_the_result_is_not_smaller() {
    let bench = Bench::new().await;
    for (media, is_exact) in [
        (MediaType::Png, true),
        (MediaType::Qoi, true),
        (MediaType::Flac, true),
        (MediaType::Pdf, true),
        (MediaType::Jpeg, false),
        (MediaType::Mp3, false),
        (MediaType::Mp4, false),
    ] {
        let first =
            bench.convert(&bench.sample(media).await, media, None, json!({})).await.expect("optimized");
        let input = bench.write("again", &first.bytes);
        let made = bench.convert(&input, media, None, json!({})).await.expect("optimized");
        assert!(
            made.bytes.len() <= first.bytes.len(),
            "{media}: {} of {}",
            made.bytes.len(),
            first.bytes.len()
        );
        assert_eq!(fact(&made.done, "/bytes_saved"), (first.bytes.len() - made.bytes.len()) as f64);
        assert_eq!(made.done.kept_original, made.done.output == input, "{media}");
        // What loses nothing has nothing left to take after the first time.
        assert!(!is_exact || made.done.kept_original, "{media}");
        assert!(!made.done.kept_original || made.bytes == first.bytes, "{media}");
    }
    // The streams as they are, without what is around them, are still fewer bytes than at that quality.
    let input = bench.video("low.mp4", &["-crf", "45"]);
    let made = bench.convert(&input, MediaType::Mp4, None, json!({ "crf": 1 })).await.expect("a film");
    assert!(made.bytes.len() as u64 <= std::fs::metadata(&input).expect("an input").len());
}

#[tokio::test]
async fn a_target_size_is_met() {
    let bench = Bench::new().await;
    let source = bench.path("noisy.mkv");
    ffmpeg(
        &[
            &["-f", "lavfi", "-i", "testsrc2=d=2:s=320x240:r=25,noise=alls=30", "-f", "lavfi"],
            &["-i", "anoisesrc=d=2:r=44100", "-pix_fmt", "yuv420p"],
        ],
        &source,
    );
    for (to, target) in [
        (MediaType::Mp4, 120_000),
        (MediaType::Webm, 90_000),
        (MediaType::Avi, 150_000),
        (MediaType::Mp3, 12_000),
        (MediaType::OggAudio, 20_000),
        (MediaType::Gif, 400_000),
    ] {
        let settings = json!({ "target_size": target });
        let made = bench.convert(&source, MediaType::Matroska, Some(to), settings).await;
        let size = made.unwrap_or_else(|failure| panic!("{to}: {failure:?}")).bytes.len();
        assert!(size <= target && size * 4 > target, "{to}: {size} of {target}");
    }
    let settings = json!({ "target_size": 500 });
    let (code, _) = bench.refused(&source, MediaType::Matroska, MediaType::Mp3, settings).await;
    assert_eq!(code, TaskErrorCode::TargetUnreachable);
}

#[tokio::test]
async fn what_leads_to_an_output_may_be_larger_than_an_output() {
    let mut bench = Bench::new().await;
    let source = bench.path("noisy.mkv");
    ffmpeg(
        &[&["-f", "lavfi", "-i", "testsrc2=d=1:s=320x240:r=25,noise=alls=60", "-pix_fmt", "yuv420p"]],
        &source,
    );
    for (to, settings, most) in [
        (MediaType::Jpeg, json!({ "quality": 20 }), 30_000),
        (MediaType::Gif, json!({ "target_size": 200_000 }), 250_000),
        (MediaType::Webp, json!({ "target_size": 50_000, "quality": 90 }), 60_000),
        (MediaType::Avi, json!({ "target_size": 40_000 }), 40_001),
        (MediaType::Mpeg, json!({ "target_size": 60_000 }), 60_001),
    ] {
        bench.limits.output = most;
        let made = bench.convert(&source, MediaType::Matroska, Some(to), settings).await;
        let size = made.unwrap_or_else(|failure| panic!("{to}: {failure:?}")).bytes.len();
        assert!(size as u64 <= most, "{to}: {size}");
    }
}

#[tokio::test]
async fn metadata_is_removed_unless_kept_by_a_setting() {
    let bench = Bench::new().await;
    let input =
        bench.video("secret.mp4", &["-metadata", "title=Planted title", "-metadata", "comment=Planted"]);
    for (settings, expected) in
        [(json!({ "crf": 30 }), false), (json!({ "crf": 30, "strip_metadata": false }), true)]
    {
        let made =
            bench.convert(&input, MediaType::Mp4, Some(MediaType::Matroska), settings).await.expect("a film");
        let found = made.bytes.windows(7).any(|window| window == b"Planted");
        assert_eq!(found, expected);
    }
    // Nothing can be gained from it but its metadata: the streams stay as they are.
    let small = bench.path("small.mp3");
    ffmpeg(&[&["-f", "lavfi", "-i", "sine=d=1", "-b:a", "16k", "-metadata", "title=Planted title"]], &small);
    let made =
        bench.convert(&small, MediaType::Mp3, None, json!({ "bitrate": 320_000 })).await.expect("sound");
    assert!(!made.done.kept_original && !made.bytes.windows(7).any(|window| window == b"Planted"));
}
