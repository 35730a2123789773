//! Animations of the image-rs corpus, and damaged animations: truncated, or with flipped bytes.

use filepress::{ErrorCode, ErrorKind};
use image::{DynamicImage, Rgba};
use serde_json::json;

use super::animation_support::{Dice, Then, apng, frames, gif, timeline, webp, worst};
use super::corpus;
use super::support::{bytes_of, difference, run};

const SIZE: (u32, u32) = (37, 29);

/// One animation of each type, with every disposal.
fn samples() -> [Vec<u8>; 3] {
    let mut parts = Dice::seeded(77).parts(SIZE, 6, true);
    let all = apng(&parts, 2, 6, None);
    parts.iter_mut().filter(|part| part.then == Then::Restore).for_each(|part| part.then = Then::Clear);
    let webp = webp(SIZE, &parts, 2);
    [gif(SIZE, &Dice::seeded(77).parts(SIZE, 6, false), Some(2)), webp, all]
}

/// Ends in a result or in an error that is not ours.
fn survives(bytes: &[u8], to: &str) -> bool {
    let options =
        json!({ "to": to, "effort": 0, "resize": { "maxWidth": 30 }, "limits": { "maxPixels": 1_000_000 } });
    match run(bytes, options) {
        Ok(_) => true,
        Err(error) => {
            assert_ne!(error.kind(), ErrorKind::Internal, "{error}");
            false
        }
    }
}

#[test]
fn truncated_files_are_refused_or_show_their_complete_frames() {
    for bytes in samples() {
        let whole = frames(&bytes).len();
        let mut cuts = 0;
        for cut in (0..bytes.len()).step_by((bytes.len() / 150).max(1)) {
            let survived = survives(&bytes[..cut], if cut % 2 == 0 { "gif" } else { "webp" });
            cuts += 1;
            // A GIF may end behind any of its frames.
            if survived && !bytes.starts_with(b"GIF8") {
                assert!(bytes.len() - cut <= 16, "{cut} of {} bytes gave a picture", bytes.len());
            }
        }
        assert!(cuts >= 100 && whole == 6 && survives(&bytes, "gif"), "{cuts} cuts of {whole} frames");
    }
}

#[test]
fn flipped_bytes_give_an_error_or_a_picture() {
    for bytes in samples() {
        let mut flips = 0;
        for at in (0..bytes.len()).step_by((bytes.len() / 120).max(1)) {
            for mask in [0xFF, 0x01, 0x80] {
                let mut broken = bytes.clone();
                broken[at] ^= mask;
                survives(&broken, if at % 2 == 0 { "gif" } else { "webp" });
                flips += 1;
            }
        }
        assert!(flips >= 300, "{flips} flips");
    }
}

#[test]
#[ignore = "needs the corpus: make test-corpus CORPUS=…"]
fn animations_of_the_corpus_are_unchanged() {
    let root = corpus::root().join("images");
    let mut walked = 0;
    for folder in ["gif/anim", "png/apng", "png/apng/wpt", "webp/extended_images"] {
        let files = root.join(folder).read_dir().expect("a folder");
        let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        files.sort();
        for file in files
            .into_iter()
            .filter(|file| file.extension().is_some_and(|kind| kind != "txt" && kind != "md"))
        {
            let name = file.display();
            let input = std::fs::read(&file).expect("readable");
            walked += 1;
            let output = match run(&input, json!({ "to": "webp", "lossless": true })) {
                Ok(output) => output,
                Err(error) => {
                    assert!(UNREADABLE.iter().any(|known| file.ends_with(known)), "{name}: {error}");
                    continue;
                }
            };
            let bytes = bytes_of(&output, &input);
            if !bytes.windows(4).any(|kind| kind == b"ANIM") {
                continue;
            }
            let moving = frames(bytes);
            if file.ends_with("rgba16.png") {
                // The reference reads no animation of this depth.
                assert_eq!(moving.len(), 3, "{name}");
            } else {
                let off = worst(&timeline(moving.clone()), &timeline(frames(&input)));
                assert!(off <= 1, "{name}: off by {off}");
            }
            let again = run(&input, json!({ "to": "gif" })).expect("a GIF too");
            let still = frames(bytes_of(&again, &input));
            // What is half clear has to become opaque or clear.
            let (mut a, mut b) = (still[0].0.clone(), moving[0].0.clone());
            for (a, b) in a.pixels_mut().zip(b.pixels_mut()).filter(|(_, b)| b.0[3] != 255) {
                (*a, *b) = (Rgba([0; 4]), Rgba([0; 4]));
            }
            let off = difference(&DynamicImage::from(a), &DynamicImage::from(b));
            assert!(off < 6.0, "{name}: the first frame is off by {off}");
        }
    }
    assert_eq!(walked, 19);
    corpus::assert_walked("animations_of_the_corpus_are_unchanged", walked);
}

/// Files of the corpus that are no pictures.
const UNREADABLE: [&str; 1] = ["issue_1455_undersized.gif"];

#[test]
fn a_frame_larger_than_the_canvas_counts_against_the_limits() {
    let still = gif(SIZE, &Dice::seeded(5).parts(SIZE, 2, false), Some(2));
    let control = still.windows(9).position(|w| w[..3] == [0x21, 0xF9, 4] && w[7..] == [0, 0x2C]);
    let frame = control.expect("a frame") + 8;
    let of = |to: &str, side: u16, limits: serde_json::Value| {
        let mut file = still.clone();
        file[frame + 5..frame + 9].copy_from_slice(&[side, side].map(u16::to_le_bytes).concat());
        run(&file, json!({ "to": to, "limits": limits })).expect_err("a huge frame").code()
    };
    for to in ["webp", "jpeg"] {
        assert_eq!(of(to, 40_000, json!({})), ErrorCode::TooManyPixels, "{to}");
        assert_eq!(of(to, 2_000, json!({ "maxPixels": 1_000_000 })), ErrorCode::TooManyPixels, "{to}");
        let little = json!({ "maxMemoryBytes": 18_000_000 });
        assert_eq!(of(to, 2_000, little), ErrorCode::TooMuchMemory, "{to}");
    }
}

#[test]
fn an_animation_with_two_headers_is_refused() {
    let [_, _, animated] = samples();
    let doubled = [&animated[..33], &animated[8..33], &animated[33..]].concat();
    assert!(run(&animated, json!({ "to": "webp" })).is_ok());
    assert_eq!(run(&doubled, json!({ "to": "webp" })).expect_err("two headers").code(), ErrorCode::Corrupt);
}
