//! Quality and effort.

use filepress_webp::{Layout, Settings};

use super::pictures::{made, scene, tried};

#[test]
fn more_quality_is_more_bytes_and_more_likeness() {
    let scene = scene(160, 120);
    let (mut length, mut likeness) = (0, 0.0);
    for quality in (0..=100).step_by(10) {
        let (now, like) = tried(160, 120, &scene, Settings { quality, effort: 4 });
        assert!(now > length, "quality {quality}: {now} bytes after {length}");
        assert!(like > likeness, "quality {quality}: {like} after {likeness}");
        (length, likeness) = (now, like);
    }
}

#[test]
fn every_quality_and_effort_decodes() {
    let scene = scene(50, 34);
    for quality in 0..=101 {
        for effort in 0..=7 {
            let (_, likeness) = tried(50, 34, &scene, Settings { quality, effort });
            assert!(likeness > 18.0, "quality {quality}, effort {effort}: {likeness}");
        }
    }
}

#[test]
fn more_effort_is_fewer_bytes_for_the_likeness() {
    let scene = scene(320, 240);
    let cost = |effort| {
        let (length, likeness) = tried(320, 240, &scene, Settings { quality: 60, effort });
        // A decibel is about an eighth of the bytes.
        (length as f64).ln() - likeness / 8.0
    };
    assert!(cost(4) < cost(0) - 0.02, "{} {}", cost(4), cost(0));
}

#[test]
fn what_is_beyond_the_scales_is_their_end() {
    let scene = scene(40, 40);
    let of = |quality, effort| made(40, 40, Layout::Rgb, &scene, Settings { quality, effort });
    assert_eq!(of(255, 4), of(100, 4));
    assert_eq!(of(75, 255), of(75, 6));
    assert_eq!(Settings::default(), Settings { quality: 75, effort: 4 });
}

#[test]
fn the_same_call_has_the_same_bytes() {
    let scene = scene(80, 60);
    let once = || made(80, 60, Layout::Rgb, &scene, Settings::default());
    assert_eq!(once(), once());
}
