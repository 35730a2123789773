//! Alpha is exact. Colors under alpha 0 are not kept.

use filepress_webp::{Layout, Settings};

use super::pictures::{Noise, decoded, encoded, generated, psnr};

fn alphas(samples: &[u8]) -> Vec<u8> {
    samples.chunks(4).map(|pixel| pixel[3]).collect()
}

#[test]
fn alpha_is_exact_at_every_quality() {
    let mut noise = Noise::seeded(5);
    let pictures = [
        generated(61, 47, |x, y| [x as u8 * 4, 90, y as u8 * 5, (x * 4) as u8]),
        generated(61, 47, |x, y| [200, x as u8, y as u8, noise.next()]),
        generated(61, 47, |x, _| [10, 20, 30, if x < 30 { 0 } else { 255 }]),
        generated(61, 47, |_, _| [1, 2, 3, 77]),
        generated(61, 47, |_, _| [250, 2, 3, 0]),
    ];
    for (index, picture) in pictures.iter().enumerate() {
        for quality in [0, 50, 100] {
            let file = encoded(61, 47, Layout::Rgba, picture, Settings { quality, effort: 4 });
            let back = decoded(&file, 61, 47, Layout::Rgba);
            assert_eq!(alphas(&back), alphas(picture), "picture {index}, quality {quality}");
        }
    }
}

#[test]
fn opaque_pictures_have_no_alpha_chunk() {
    let opaque = generated(30, 30, |x, y| [x as u8, y as u8, 9, 255]);
    let colors = generated(30, 30, |x, y| [x as u8, y as u8, 9]);
    let settings = Settings::default();
    assert_eq!(
        encoded(30, 30, Layout::Rgba, &opaque, settings),
        encoded(30, 30, Layout::Rgb, &colors, settings)
    );
}

#[test]
fn hidden_colors_take_no_bytes() {
    let mut noise = Noise::seeded(9);
    let clear_on_the_left = |x: u32| if x < 64 { 0 } else { 255 };
    let hidden = generated(128, 64, |x, y| match clear_on_the_left(x) {
        0 => [noise.next(), noise.next(), noise.next(), 0],
        alpha => [x as u8, y as u8, 80, alpha],
    });
    let plain = generated(128, 64, |x, y| [x as u8, y as u8, 80, clear_on_the_left(x)]);
    let length = |samples: &[u8]| encoded(128, 64, Layout::Rgba, samples, Settings::default()).len();
    assert!(length(&hidden) < length(&plain) + 60, "{} {}", length(&hidden), length(&plain));
}

#[test]
fn colors_next_to_transparent_pixels_are_not_tinted() {
    // Transparent pixels are green, visible ones red. Chroma that they share has to be that of the red ones.
    let picture = generated(64, 64, |x, _| if x % 2 == 0 { [0, 255, 0, 0] } else { [220, 20, 20, 255] });
    let file = encoded(64, 64, Layout::Rgba, &picture, Settings { quality: 90, effort: 4 });
    let back = decoded(&file, 64, 64, Layout::Rgba);
    let seen = |samples: &[u8]| -> Vec<u8> {
        samples.chunks(4).filter(|pixel| pixel[3] > 0).flat_map(|pixel| pixel[..3].to_vec()).collect()
    };
    let psnr = psnr(&seen(&picture), &seen(&back));
    assert!(psnr > 30.0, "{psnr}");
}
