//! Quality and effort.

use filepress_webp::{Layout, Settings};

use super::pictures::{encoded, round_trip, scene};

#[test]
fn more_quality_is_more_bytes_and_a_higher_psnr() {
    let scene = scene(160, 120);
    let (mut length, mut psnr) = (0, 0.0);
    for quality in (0..=100).step_by(10) {
        let (now, like) = round_trip(160, 120, &scene, Settings { quality, effort: 4 });
        assert!(now > length, "quality {quality}: {now} bytes after {length}");
        assert!(like > psnr, "quality {quality}: {like} after {psnr}");
        (length, psnr) = (now, like);
    }
}

#[test]
fn every_quality_and_effort_decodes() {
    let scene = scene(50, 34);
    for quality in 0..=101 {
        for effort in 0..=7 {
            let (_, psnr) = round_trip(50, 34, &scene, Settings { quality, effort });
            assert!(psnr > 18.0, "quality {quality}, effort {effort}: {psnr}");
        }
    }
}

#[test]
fn more_effort_is_fewer_bytes_at_equal_psnr() {
    let scene = scene(320, 240);
    let cost = |effort| {
        let (length, psnr) = round_trip(320, 240, &scene, Settings { quality: 60, effort });
        // One decibel is worth about an eighth of the bytes.
        (length as f64).ln() - psnr / 8.0
    };
    assert!(cost(4) < cost(0) - 0.02, "{} {}", cost(4), cost(0));
}

#[test]
fn values_beyond_the_scales_are_clamped() {
    let scene = scene(40, 40);
    let of = |quality, effort| encoded(40, 40, Layout::Rgb, &scene, Settings { quality, effort });
    assert_eq!(of(255, 4), of(100, 4));
    assert_eq!(of(75, 255), of(75, 6));
    assert_eq!(Settings::default(), Settings { quality: 75, effort: 4 });
}

#[test]
fn the_same_call_has_the_same_bytes() {
    let scene = scene(80, 60);
    let once = || encoded(80, 60, Layout::Rgb, &scene, Settings::default());
    assert_eq!(once(), once());
}
