//! Damaged AVIF files give an input error or a picture. They never panic, and no allocation follows an unchecked
//! size.

use filepress::{ErrorCode, ErrorKind};
use serde_json::json;

use super::super::support::{bytes_of, png, run, translucent};
use super::boxes::PLAIN;
use super::{reading::grid, smooth};

fn samples() -> [Vec<u8>; 3] {
    let coded = |source: Vec<u8>| {
        let output = run(&source, json!({ "to": "avif", "effort": 0 })).expect("an AVIF");
        bytes_of(&output, &source).to_vec()
    };
    [coded(png(translucent(80, 60))), coded(png(smooth(90, 70))), grid(&PLAIN)]
}

fn survives(bytes: &[u8]) -> bool {
    let options = json!({ "to": "png", "effort": 0, "limits": { "maxPixels": 4_000_000 } });
    match run(bytes, options) {
        Ok(_) => true,
        Err(error) => {
            assert_ne!(error.kind(), ErrorKind::Internal, "{error}");
            assert_ne!(error.kind(), ErrorKind::Options, "{error}");
            false
        }
    }
}

#[test]
fn what_was_cut_off_is_an_error() {
    let mut cuts = 0;
    for sample in samples() {
        assert!(survives(&sample));
        for cut in (12..sample.len()).step_by((sample.len() / 120).max(1)) {
            assert!(!survives(&sample[..cut]), "{cut} of {} bytes gave a picture", sample.len());
            cuts += 1;
        }
    }
    assert!(cuts >= 300, "{cuts} cuts");
}

#[test]
fn flipped_boxes_are_an_error_or_a_picture() {
    let mut flips = 0;
    for sample in samples() {
        for at in 8..data(&sample) {
            for mask in [0xFF, 0x01, 0x80] {
                let mut broken = sample.clone();
                broken[at] ^= mask;
                survives(&broken);
                // Nor does taking metadata out of it.
                if mask == 0x01 {
                    let _ =
                        run(&broken, json!({ "quality": 100, "effort": 0, "resize": { "maxWidth": 9999 } }));
                }
                flips += 1;
            }
        }
    }
    assert!(flips >= 2000, "{flips} flips");
}

/// Where the pictures begin.
fn data(avif: &[u8]) -> usize {
    avif.windows(4).position(|window| window == b"mdat").expect("data") + 4
}

#[test]
fn damaged_pictures_are_an_error_or_a_picture() {
    let (mut refused, mut shown) = (0, 0);
    for sample in samples() {
        let (start, length) = (data(&sample), sample.len());
        for at in (start..length).step_by(((length - start) / 150).max(1)) {
            // A byte, what follows lost, and what follows from somewhere else.
            let mut flipped = sample.clone();
            flipped[at] ^= 0xFF;
            let mut zeroed = sample.clone();
            zeroed[at..].fill(0);
            let mut moved = sample.clone();
            moved[at..].rotate_left((length - at) / 3);
            for broken in [flipped, zeroed, moved] {
                match survives(&broken) {
                    true => shown += 1,
                    false => refused += 1,
                }
            }
        }
    }
    assert!(refused > 50 && shown > 50, "{refused} refused, {shown} shown");
}

#[test]
fn a_huge_claim_is_refused_by_its_header() {
    let [_, sample, tiles] = samples();
    for mut claim in [sample, tiles.clone()] {
        let at = claim.windows(4).position(|window| window == b"ispe").expect("a size") + 8;
        claim[at..at + 8].copy_from_slice(&[65_000u32.to_be_bytes(), 65_000u32.to_be_bytes()].concat());
        let error = run(&claim, json!({})).err();
        match claim.windows(4).any(|window| window == b"grid") {
            // The size of a grid is what its shape says.
            true => assert!(error.is_none()),
            false => assert_eq!(error.map(|error| error.code()), Some(ErrorCode::TooManyPixels)),
        }
    }
    // The shape of a grid, which its tiles do not fill.
    let mut claim = tiles;
    let at = claim.windows(8).position(|window| window == [0, 0, 1, 2, 0, 80, 0, 40]).expect("a shape");
    claim[at + 4..at + 8].copy_from_slice(&[0xFD, 0xE8, 0xFD, 0xE8]);
    assert_eq!(run(&claim, json!({})).expect_err("no picture").code(), ErrorCode::Corrupt);
}

#[test]
fn a_picture_larger_than_it_says_is_an_error() {
    let [_, mut sample, _] = samples();
    let at = sample.windows(4).position(|window| window == b"ispe").expect("a size") + 8;
    sample[at..at + 8].copy_from_slice(&[9u32.to_be_bytes(), 7u32.to_be_bytes()].concat());
    assert_eq!(run(&sample, json!({ "to": "png" })).expect_err("no picture").code(), ErrorCode::Corrupt);
}
