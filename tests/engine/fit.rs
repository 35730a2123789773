//! Results of a given size, and of a given score.

use image::{Rgba, RgbaImage};
use serde_json::json;

use super::support::{photo, png, run, translucent};

/// Soft shapes and fine grain, as a camera sees them.
pub(super) fn scene(width: u32, height: u32) -> RgbaImage {
    let mut seed = 7_u32;
    let mut image = RgbaImage::from_fn(width, height, |x, y| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let grain = f64::from(seed >> 28) - 7.5;
        let (u, v) = (f64::from(x) / f64::from(width), f64::from(y) / f64::from(height));
        let hill = 0.55 + 0.1 * (u * 9.0).sin() + 0.05 * (u * 23.0 + 1.0).sin();
        let texture = ((u * 70.0 + (v * 31.0).sin() * 3.0).sin() * (v * 90.0).cos()) * 18.0;
        let [r, g, b] = match v < hill {
            true => [110.0 + 80.0 * v, 150.0 + 60.0 * v, 215.0 - 20.0 * u],
            false => [70.0 + 40.0 * u + texture, 95.0 - 50.0 * v + texture * 1.3, 45.0 + texture * 0.6],
        };
        Rgba([r + grain, g + grain, b + grain, 255.0].map(|value| value.clamp(0.0, 255.0) as u8))
    });
    image.put_pixel(0, 0, Rgba([255, 0, 0, 255]));
    image
}

/// Flat areas with sharp edges and a few gradients.
pub(super) fn drawing(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        let (dx, dy) = (i64::from(x) - i64::from(width / 2), i64::from(y) - i64::from(height / 3));
        let ring = (dx * dx + dy * dy) / 900 % 5;
        match (ring, (x / 24 + y / 18) % 3) {
            (0, _) => Rgba([20, 30, 40, 255]),
            (1, 0) => Rgba([(x * 255 / width) as u8, 80, 160, 255]),
            (2, 1) => Rgba([240, (y * 255 / height) as u8, 20, 255]),
            (_, 2) => Rgba([250, 250, 245, 255]),
            _ => Rgba([60, 170, 90, 255]),
        }
    })
}

pub(super) fn noise(width: u32, height: u32) -> RgbaImage {
    let mut seed = 1_u32;
    RgbaImage::from_fn(width, height, |_, _| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [_, r, g, b] = seed.to_le_bytes();
        Rgba([r, g, b, 255])
    })
}

pub(super) fn gradient(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        Rgba([
            (x * 255 / width) as u8,
            (y * 255 / height) as u8,
            ((x + y) * 127 / (width + height)) as u8 + 60,
            255,
        ])
    })
}

/// The types whose bytes a quality changes.
const LOSSY: [&str; 3] = ["jpeg", "webp", "png"];

#[test]
fn a_target_is_filled_and_never_exceeded() {
    let mut shares = Vec::new();
    for (name, picture) in [
        ("photo", photo(480, 360)),
        ("scene", scene(512, 341)),
        ("drawing", drawing(480, 320)),
        ("noise", noise(96, 128)),
        ("gradient", gradient(512, 320)),
        ("translucent", translucent(320, 240)),
    ] {
        let input = png(picture);
        for to in LOSSY {
            for share in [12, 25, 60] {
                // Of the bytes at the quality that one would take without a target.
                let plain = run(&input, json!({ "to": to, "quality": 80 })).expect("a result");
                let usual = plain.bytes.as_ref().map_or(input.len(), Vec::len);
                let target = usual * share / 50;
                let output = run(&input, json!({ "to": to, "targetSize": target }))
                    .unwrap_or_else(|error| panic!("{name} to {to} in {target}: {error}"));
                let size = output.bytes.as_ref().map_or(input.len(), Vec::len);
                assert!(size <= target, "{name} to {to}: {size} > {target}");
                shares.push(size as f64 / target as f64);
            }
        }
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(shares.len() >= 50 && mean >= 0.9, "{} cases, mean {mean:.3}", shares.len());
}
