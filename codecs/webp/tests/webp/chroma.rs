//! Chroma has half the resolution of luma: what pictures keep nevertheless.

use std::io::Cursor;

use filepress_webp::{Layout, Picture, Settings, encode};

/// The mean difference in lightness between pixels: in the square root of the light of their colors.
fn lightness_error(a: &[u8], b: &[u8]) -> f64 {
    let lightness = |pixel: &[u8]| {
        let light = |share: f64, sample: u8| share * f64::from(sample).powi(2);
        (light(0.3, pixel[0]) + light(0.64, pixel[1]) + light(0.06, pixel[2])).sqrt()
    };
    let pixels = a.chunks(3).zip(b.chunks(3));
    pixels.map(|(a, b)| (lightness(a) - lightness(b)).abs()).sum::<f64>() / (a.len() / 3) as f64
}

#[test]
fn pixels_keep_their_light() {
    // Borders between saturated colors in all positions.
    let colors = [[210, 30, 40], [20, 60, 150], [40, 150, 60]];
    let color = |x: usize, y: usize| colors[(x / 5 + y / 7) % 3];
    let pixels: Vec<u8> = (0..80).flat_map(|y| (0..96).flat_map(move |x| color(x, y))).collect();
    let picture = Picture::new(96, 80, Layout::Rgb, &pixels).unwrap();
    let file = encode(&picture, Settings { quality: 97, ..Settings::default() }).unwrap();
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(file)).unwrap();
    let mut decoded = vec![0; pixels.len()];
    decoder.read_image(&mut decoded).unwrap();
    let error = lightness_error(&decoded, &pixels);
    // It is 7 with the luma of each pixel's own color.
    assert!(error < 3.0, "{error}");
}
