//! Generated pictures, and the PSNR of what they are encoded to.

use std::io::Cursor;

use filepress_webp::{Layout, Picture, Settings, encode};
use image_webp::WebPDecoder;

use crate::seed::seed;

/// Pseudorandom samples.
pub(crate) struct Noise(u32);

impl Noise {
    pub(crate) fn seeded(own: u32) -> Self {
        Self(seed(own.into()) as u32)
    }

    pub(crate) fn next(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 24) as u8
    }
}

/// The samples of a picture, pixel by pixel from `paint`.
pub(crate) fn generated<const N: usize>(
    width: u32,
    height: u32,
    mut paint: impl FnMut(u32, u32) -> [u8; N],
) -> Vec<u8> {
    (0..width * height).flat_map(|index| paint(index % width, index / width)).collect()
}

/// Slopes, an edge, a texture and a little noise: what photographs are encoded of.
pub(crate) fn scene(width: u32, height: u32) -> Vec<u8> {
    let mut noise = Noise::seeded(7);
    generated(width, height, |x, y| {
        let grain = noise.next() / 32;
        let sky = (40 + 150 * y / height) as u8;
        if 3 * y > 2 * height + x / 4 {
            let blade = ((x * 7) ^ (y * 5)) as u8 / 3;
            [60 + blade / 2 + grain, 90 + blade + grain, 40 + grain]
        } else {
            [sky + grain, sky / 2 + 80 + grain, 200 - sky / 3 + grain]
        }
    })
}

pub(crate) fn encoded(
    width: u32,
    height: u32,
    layout: Layout,
    samples: &[u8],
    settings: Settings,
) -> Vec<u8> {
    encode(&Picture::new(width, height, layout, samples).unwrap(), settings).unwrap()
}

/// The decoded samples. Checks the size and whether there is alpha.
pub(crate) fn decoded(file: &[u8], width: u32, height: u32, layout: Layout) -> Vec<u8> {
    let mut decoder = WebPDecoder::new(Cursor::new(file)).unwrap();
    assert_eq!(decoder.dimensions(), (width, height));
    assert_eq!(decoder.has_alpha(), layout == Layout::Rgba);
    let mut samples = vec![0; decoder.output_buffer_size().unwrap()];
    decoder.read_image(&mut samples).unwrap();
    samples
}

/// The PSNR of all samples, in decibels.
pub(crate) fn psnr(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let square: f64 = a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum();
    10.0 * (65025.0 * a.len() as f64 / square.max(1e-9)).log10()
}

/// Encodes and decodes: the length of the file and its PSNR.
pub(crate) fn round_trip(width: u32, height: u32, samples: &[u8], settings: Settings) -> (usize, f64) {
    let file = encoded(width, height, Layout::Rgb, samples, settings);
    (file.len(), psnr(samples, &decoded(&file, width, height, Layout::Rgb)))
}

#[test]
fn a_scene_keeps_its_psnr() {
    let scene = scene(200, 160);
    let (small, low) = round_trip(200, 160, &scene, Settings { quality: 20, effort: 4 });
    let (large, high) = round_trip(200, 160, &scene, Settings { quality: 90, effort: 4 });
    assert!(low > 26.0, "{low}");
    assert!(high > 33.0, "{high}");
    assert!(small * 3 < large, "{small} {large}");
}

#[test]
fn a_picture_of_one_color_is_tiny_and_keeps_it() {
    for color in [[0, 0, 0], [255, 255, 255], [128, 128, 128], [200, 30, 90]] {
        let flat = generated(300, 200, |_, _| color);
        let (length, psnr) = round_trip(300, 200, &flat, Settings::default());
        assert!(length < 400, "{length}");
        assert!(psnr > 40.0, "{color:?}: {psnr}");
    }
}

#[test]
fn gray_stays_gray() {
    let gray = generated(90, 70, |x, y| [((x * 3) ^ (y * 2)) as u8; 3]);
    let back = decoded(&encoded(90, 70, Layout::Rgb, &gray, Settings::default()), 90, 70, Layout::Rgb);
    assert!(back.chunks(3).all(|pixel| pixel[0].abs_diff(pixel[2]) <= 6));
}

#[test]
fn noise_and_hard_edges_survive_every_quality() {
    let mut noise = Noise::seeded(3);
    let pictures = [
        generated(70, 50, |_, _| [noise.next(), noise.next(), noise.next()]),
        generated(70, 50, |x, y| if (x + y) % 2 == 0 { [0; 3] } else { [255; 3] }),
        generated(70, 50, |x, _| if x < 35 { [255, 0, 0] } else { [0, 0, 255] }),
    ];
    for picture in &pictures {
        let psnr = [0, 25, 50, 75, 100]
            .map(|quality| round_trip(70, 50, picture, Settings { quality, effort: 4 }).1);
        assert!(psnr[0] > 10.0 && psnr[0] < psnr[4], "{psnr:?}");
    }
}

#[test]
fn colors_do_not_drift_across_a_large_picture() {
    let (width, height) = (1000, 700);
    let scene = scene(width, height);
    for quality in [30, 75, 100] {
        let file = encoded(width, height, Layout::Rgb, &scene, Settings { quality, effort: 4 });
        let back = decoded(&file, width, height, Layout::Rgb);
        // Parts of the sky, which differ in color alone.
        let part = |samples: &[u8], left: u32| -> Vec<u8> {
            let rows = (0..100).flat_map(|y| samples[(3 * (y * width + left)) as usize..][..300].to_vec());
            rows.collect()
        };
        let [first, last] = [0, 900].map(|left| psnr(&part(&scene, left), &part(&back, left)));
        assert!((first - last).abs() < 1.5, "quality {quality}: {first} on the left, {last} on the right");
    }
}
