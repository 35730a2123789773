//! HEIC → image. The files are written by libheif's heif-enc.

use std::path::{Path, PathBuf};

use filepress_wire::{ErrorCode, MediaType, TaskErrorCode};
use serde_json::json;

use crate::pixels;
use crate::tools::{Bench, fact, ffmpeg, heif_enc, is, object, pnm, run, warnings};

/// EXIF with a description, and with an orientation that does not apply to HEIC.
const EXIF: &[u8] = b"\xFF\xE1\0\x36Exif\0\0MM\0*\0\0\0\x08\0\x02\x01\x0e\0\x02\0\0\0\x08\0\0\0\x26\
    \x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0Planted\0";

/// A picture of another type, of which a HEIC is made.
async fn picture(bench: &Bench, size: (u32, u32), media: MediaType) -> PathBuf {
    let source = bench.write("source.pnm", pnm(size.0, size.1));
    let made = bench.convert(&source, MediaType::Pnm, Some(media), json!({})).await.expect("a picture");
    bench.write(&format!("picture.{}", media.extensions()[0]), &made.bytes)
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The mean difference of the samples of two PPM files of one size.
fn difference(one: &[u8], other: &[u8]) -> u64 {
    let (one, other) = (pixels(one), pixels(other));
    assert_eq!(one.len(), other.len());
    let sum: u64 = one.iter().zip(other).map(|(one, other)| u64::from(one.abs_diff(*other))).sum();
    sum / one.len() as u64
}

#[tokio::test]
async fn a_heic_becomes_an_image() {
    let bench = Bench::new().await;
    let heic = bench.path("photo.heic");
    heif_enc(&["-q", "90"], &[&picture(&bench, (320, 208), MediaType::Png).await], &heic);
    for media in [MediaType::Jpeg, MediaType::Webp, MediaType::Avif, MediaType::Png, MediaType::Tiff] {
        let settings = json!({ "resize": { "max_width": 160 } });
        let made = bench.convert(&heic, MediaType::Heic, Some(media), settings).await.expect("an image");
        assert!(is(&made.bytes, media), "{media}");
        let size = ["/input/width", "/input/height", "/output/width", "/output/height"];
        assert_eq!(size.map(|pointer| fact(&made.done, pointer)), [320.0, 208.0, 160.0, 104.0], "{media}");
        assert_eq!(warnings(&made.done), Vec::<String>::new(), "{media}");
        assert!(!made.done.kept_original && made.shares.last() == Some(&1.0));
        let engine = made.done.metadata["engine"].as_str().expect("a name");
        assert!(engine.starts_with("libheif ") && engine.contains(", filepress "), "{engine}");
    }
    let made = bench.convert(&heic, MediaType::Heic, Some(MediaType::Pnm), json!({})).await.expect("pixels");
    let off = difference(&made.bytes, &pnm(320, 208));
    assert!(off < 12, "{off}");
}

#[tokio::test]
async fn what_exif_says_of_a_heic_is_removed_or_kept_and_turns_nothing() {
    let bench = Bench::new().await;
    let jpeg = std::fs::read(picture(&bench, (96, 64), MediaType::Jpeg).await).expect("a JPEG");
    let turned = bench.write("turned.jpg", [&jpeg[..2], EXIF, &jpeg[2..]].concat());
    let heic = bench.path("turned.heic");
    heif_enc(&[], &[&turned], &heic);
    // Newer versions of heif-enc write what EXIF says as a rotation, and that applies.
    let is_rotated = run("heif-info", &[heic.to_str().expect("a path")]).contains("image: 64x96");
    let expected = if is_rotated { (64.0, 96.0) } else { (96.0, 64.0) };
    for media in [MediaType::Jpeg, MediaType::Png, MediaType::Webp] {
        for strips in [true, false] {
            let settings = json!({ "strip_metadata": strips, "effort": 0 });
            let made = bench.convert(&heic, MediaType::Heic, Some(media), settings).await.expect("an image");
            let size = (fact(&made.done, "/output/width"), fact(&made.done, "/output/height"));
            assert_eq!(size, expected, "{media}");
            assert_eq!(holds(&made.bytes, b"Planted"), !strips, "{media}");
            assert!(!holds(&made.bytes, b"\x01\x12\0\x03\0\0\0\x01\0\x06"), "{media}");
        }
    }
}

#[tokio::test]
async fn transparency_is_kept_where_the_output_has_it() {
    let bench = Bench::new().await;
    let clear = bench.path("clear.png");
    ffmpeg(&[&["-f", "lavfi", "-i", "color=red@0.5:s=64x48,format=rgba", "-frames:v", "1"]], &clear);
    let heic = bench.path("clear.heic");
    heif_enc(&[], &[&clear], &heic);
    let made = bench.convert(&heic, MediaType::Heic, Some(MediaType::Png), json!({})).await.expect("a PNG");
    assert_eq!(warnings(&made.done), Vec::<String>::new());
    let settings = json!({ "background": "#0000ff" });
    let made = bench.convert(&heic, MediaType::Heic, Some(MediaType::Pnm), settings).await.expect("pixels");
    assert_eq!(warnings(&made.done), ["alpha_flattened"]);
    let [red, _, blue] = pixels(&made.bytes)[..3] else { panic!("no pixel") };
    assert!(red.abs_diff(127) < 12 && blue.abs_diff(127) < 12, "{red} {blue}");
}

#[tokio::test]
async fn of_several_images_the_main_one_is_converted() {
    let bench = Bench::new().await;
    let first = picture(&bench, (96, 64), MediaType::Png).await;
    let second = picture(&bench, (64, 48), MediaType::Jpeg).await;
    let heic = bench.path("two.heic");
    heif_enc(&[], &[&first, &second], &heic);
    let made = bench.convert(&heic, MediaType::Heic, Some(MediaType::Jpeg), json!({})).await.expect("one");
    assert_eq!(warnings(&made.done), ["pages_dropped"]);
    assert_eq!((fact(&made.done, "/output/width"), fact(&made.done, "/output/height")), (96.0, 64.0));
}

#[tokio::test]
async fn what_is_damaged_or_too_large_is_refused() {
    let mut bench = Bench::new().await;
    let heic = bench.path("photo.heic");
    heif_enc(&[], &[&picture(&bench, (320, 208), MediaType::Png).await], &heic);
    let whole = std::fs::read(&heic).expect("a HEIC");
    let code = async |bench: &Bench, path: &Path| {
        bench.refused(path, MediaType::Heic, MediaType::Jpeg, json!({})).await.0
    };
    for length in [40, whole.len() / 3, whole.len() - 20] {
        let cut = bench.write("cut.heic", &whole[..length]);
        assert_eq!(code(&bench, &cut).await, TaskErrorCode::CorruptFile, "{length} of {}", whole.len());
    }
    bench.limits.pixels = 320 * 208 - 1;
    assert_eq!(code(&bench, &heic).await, TaskErrorCode::TooManyPixels);
    bench.limits.pixels += 1;
    assert!(bench.convert(&heic, MediaType::Heic, Some(MediaType::Jpeg), json!({})).await.is_ok());
}

#[tokio::test]
async fn many_images_are_refused_by_their_pixels_together() {
    let mut bench = Bench::new().await;
    let picture = picture(&bench, (96, 64), MediaType::Png).await;
    bench.limits.pixels = 96 * 64;
    let four = bench.path("four.heic");
    heif_enc(&[], &[&*picture; 4], &four);
    assert!(bench.convert(&four, MediaType::Heic, Some(MediaType::Jpeg), json!({})).await.is_ok());
    let five = bench.path("five.heic");
    heif_enc(&[], &[&*picture; 5], &five);
    let (code, _) = bench.refused(&five, MediaType::Heic, MediaType::Jpeg, json!({})).await;
    assert_eq!(code, TaskErrorCode::TooManyPixels);
}

#[tokio::test]
async fn a_sequence_without_a_still_image_is_not_supported() {
    let bench = Bench::new().await;
    let movie = bench.path("movie.mp4");
    let encoder = ["-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p"];
    ffmpeg(&[&["-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=0.6"], &encoder], &movie);
    let movie = std::fs::read(&movie).expect("a movie");
    assert_eq!(&movie[..8], b"\0\0\0\x1cftyp");
    // libheif refuses each of them for another reason.
    for brands in [b"msf1\0\0\0\0msf1hevciso8", b"msf1\0\0\0\0msf1hevcmif1", b"hevc\0\0\0\0msf1hevcmif1"] {
        let sequence = bench.write("sequence.heic", [&movie[..8], brands, &movie[28..]].concat());
        let (code, _) = bench.refused(&sequence, MediaType::Heic, MediaType::Jpeg, json!({})).await;
        assert_eq!(code, TaskErrorCode::UnsupportedFile, "{}", brands.escape_ascii());
    }
}

#[tokio::test]
async fn nothing_becomes_a_heic_and_no_heic_a_document() {
    let bench = Bench::new().await;
    for (from, to) in [
        (MediaType::Heic, None),
        (MediaType::Heic, Some(MediaType::Heic)),
        (MediaType::Heic, Some(MediaType::Pdf)),
        (MediaType::Png, Some(MediaType::Heic)),
        (MediaType::Mp4, Some(MediaType::Heic)),
    ] {
        let refusal = bench.tools.plan(from, to, &object(json!({}))).expect_err("no such pair");
        assert_eq!(refusal.code, ErrorCode::UnsupportedPair, "{from} → {to:?}");
    }
}
