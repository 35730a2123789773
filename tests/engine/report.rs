//! The report of a result: sizes, kept originals, warnings, metadata.

use filepress::ErrorCode;
use image::{DynamicImage, ImageFormat};
use serde_json::json;

use super::animation_support::{chunk, frames};
use super::support::{CORE_TYPES, bytes_of, photo, png, run, run_as};

#[test]
fn compressing_never_makes_a_file_larger() {
    let source = png(photo(90, 60));
    for mime in CORE_TYPES {
        let first = run(&source, json!({ "to": mime })).expect("a result");
        let mut bytes = bytes_of(&first, &source).to_vec();
        for round in 1..=3 {
            let again = run_as(&bytes, Some(mime), json!({})).expect("a result");
            let next = bytes_of(&again, &bytes).to_vec();
            assert!(next.len() <= bytes.len(), "{mime}, round {round}: {} > {}", next.len(), bytes.len());
            assert!(
                again.report.kept_original || next.len() < bytes.len(),
                "{mime}: neither kept nor smaller"
            );
            bytes = next;
        }
    }
}

#[test]
fn a_kept_original_is_reported_and_has_the_same_bytes() {
    let input = png(photo(90, 60));
    let smallest = run(&input, json!({ "effort": 6 })).expect("a result");
    let smallest = bytes_of(&smallest, &input).to_vec();
    let again = run(&smallest, json!({ "effort": 0 })).expect("a result");
    assert!(again.report.kept_original);
    assert_eq!(again.bytes, None, "the input's own bytes are the result");
    assert!(again.report.warnings.is_empty());
}

#[test]
fn a_requested_size_or_format_is_given_even_if_larger() {
    let input = png(photo(40, 40));
    let larger = run(&input, json!({ "resize": { "width": 400 } })).expect("a result");
    assert_eq!(larger.report.width, 400);
    assert!(!larger.report.kept_original && bytes_of(&larger, &input).len() > input.len());
    let farbfeld = run(&input, json!({ "to": "ff" })).expect("a result");
    assert_eq!(bytes_of(&farbfeld, &input).len(), 16 + 40 * 40 * 8, "farbfeld has a fixed size");
}

#[test]
fn ignored_options_are_named() {
    let output = run(&png(photo(20, 20)), json!({ "to": "bmp", "quality": 50 })).expect("a result");
    assert!(output.report.warnings.iter().any(|warning| warning.code == "option_ignored"));
    assert_eq!(output.report.quality, None);
    let jpeg = run(&png(photo(20, 20)), json!({ "to": "jpeg" })).expect("a result");
    assert_eq!(jpeg.report.quality, Some(80));
}

/// Three frames, with a comment before them and something behind them where `secrets` are asked for.
fn animation(secrets: bool) -> Vec<u8> {
    let mut gif = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut gif);
    for turns in 0..3 {
        let picture = image::imageops::huerotate(&photo(30, 20), turns * 120);
        encoder.encode_frame(image::Frame::new(picture)).expect("a frame");
    }
    drop(encoder);
    if secrets {
        let first =
            gif.windows(2).position(|pair| pair == [0x21, 0xF9]).expect("a graphic control extension");
        gif.splice(first..first, *b"\x21\xFE\x06secret\0\x21\xFF\x0BXMP DataXMP\x06secret\0");
        gif.extend(b"secret");
    }
    gif
}

#[test]
fn a_smaller_animation_is_equal_and_has_no_comments() {
    let gif = animation(true);
    for policy in ["safe", "strip"] {
        let output = run(&gif, json!({ "metadata": policy })).expect("a result");
        let bytes = bytes_of(&output, &gif);
        assert!(bytes.len() < gif.len() && !bytes.windows(6).any(|window| window == b"secret"), "{policy}");
        assert!(output.report.warnings.is_empty(), "{policy}: {:?}", output.report.warnings);
        assert!(frames(bytes) == frames(&gif), "{policy}: pixels or delays differ");
    }
    let unended = &animation(false)[..animation(false).len() - 1];
    let output = run(unended, json!({})).expect("a result");
    assert_eq!(frames(bytes_of(&output, unended)).len(), 3, "a missing trailer is no reason to drop frames");
}

#[test]
fn a_kept_animation_loses_its_comments() {
    let gif = animation(false);
    let small = run(&gif, json!({})).expect("a result");
    let small = bytes_of(&small, &gif).to_vec();
    let again = run(&small, json!({})).expect("a result");
    assert!(again.report.kept_original && again.report.warnings.is_empty());
    assert_eq!(bytes_of(&again, &small), small);

    let first = small.windows(2).position(|pair| pair == [0x21, 0xF9]).expect("a graphic control extension");
    let secret = [&small[..first], b"\x21\xFE\x06secret\0", &small[first..]].concat();
    let output = run(&secret, json!({})).expect("a result");
    assert_eq!(bytes_of(&output, &secret), small);
    let kept = run(&secret, json!({ "metadata": "keep", "to": "gif" })).expect("a result");
    assert!(bytes_of(&kept, &secret).len() <= secret.len());
}

#[test]
fn apng_frames_are_counted_wherever_actl_is() {
    let still = png(photo(8, 8));
    let control = |number: u8| {
        let mut control = [0; 26];
        (control[3], control[7], control[11]) = (number, 8, 8);
        chunk(b"fcTL", &control)
    };
    let frames_with = |first: Vec<u8>, claimed: u8, controls: u8| {
        let count = chunk(b"acTL", &[0, 0, 0, claimed, 0, 0, 0, 0]);
        let controls = (0..controls).map(control).collect::<Vec<_>>().concat();
        let bytes = [&still[..33], &first, &count, &controls, &still[33..]].concat();
        filepress::image::inspect(&bytes, filepress_wire::MediaType::Png, &Default::default())
            .expect("a PNG")
            .frames
    };
    assert_eq!(frames_with(Vec::new(), 7, 7), 7);
    assert_eq!(frames_with(chunk(b"tEXt", &[b'x'; 70_000]), 7, 7), 7, "behind 64 KiB");
    assert_eq!(frames_with(chunk(b"tEXt", b"k\0acTL\0\0\0\x01"), 7, 7), 7, "behind a text that says acTL");
    assert_eq!(frames_with(Vec::new(), 7, 1), 1, "no more than there are");
    assert_eq!(frames_with(Vec::new(), 2, 7), 2, "no more than are announced");
}

#[test]
fn limits_are_checked_before_pixels() {
    let input = png(photo(100, 100));
    let refused = |options| run(&input, options).expect_err("over a limit");
    let pixels = refused(json!({ "limits": { "maxPixels": 9_999 } }));
    assert_eq!(pixels.code(), ErrorCode::TooManyPixels);
    let detail = |name| pixels.details().get(name).cloned();
    assert_eq!([detail("actual"), detail("limit")], [Some(10_000.into()), Some(9_999.into())]);
    assert_eq!(refused(json!({ "limits": { "maxInputBytes": 10 } })).code(), ErrorCode::InputTooLarge);
    assert_eq!(refused(json!({ "limits": { "maxMemoryBytes": 1_000 } })).code(), ErrorCode::TooMuchMemory);
    assert_eq!(refused(json!({ "resize": { "width": 16_383 } })).code(), ErrorCode::TooManyPixels);
    assert!(run(&input, json!({ "limits": { "maxPixels": 10_000 } })).is_ok());
}

#[test]
fn a_profile_is_kept_or_applied() {
    let profile = moxcms::ColorProfile::new_display_p3().encode().expect("a profile");
    let mut input = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut input);
    image::ImageEncoder::set_icc_profile(&mut encoder, profile.clone()).expect("PNG carries profiles");
    let picture = image::RgbImage::from_pixel(16, 16, image::Rgb([255, 0, 0]));
    DynamicImage::from(picture).write_with_encoder(encoder).expect("a PNG");

    for (to, format) in [("png", ImageFormat::Png), ("webp", ImageFormat::WebP)] {
        for policy in ["safe", "keep", "strip"] {
            let output =
                run(&input, json!({ "to": to, "metadata": policy, "lossless": true })).expect("a result");
            let reader = std::io::Cursor::new(bytes_of(&output, &input).to_vec());
            let mut decoder =
                image::ImageReader::with_format(reader, format).into_decoder().expect("readable");
            let kept = image::ImageDecoder::icc_profile(&mut decoder).expect("readable");
            assert_eq!(kept.as_deref(), Some(profile.as_slice()), "{to}, {policy}");
        }
    }
    let bmp = run(&input, json!({ "to": "bmp" })).expect("a result");
    assert!(bmp.report.warnings.iter().any(|warning| warning.code == "color_converted"));
    let [r, g, b] = super::support::read(bytes_of(&bmp, &input), "image/bmp").to_rgb8().get_pixel(8, 8).0;
    assert!(r == 255 && g < 10 && b < 10, "P3 red is outside sRGB and becomes its reddest red: {r} {g} {b}");
}
