//! Reading and writing AVIF.

mod boxes;
mod grids;
mod hidden;
mod hostile;
mod metadata;
mod programs;
mod reading;
mod writing;

use filepress::image::{Inspection, inspect as look};
use filepress::limits::Limits;
use filepress_wire::MediaType;
use image::{DynamicImage, Rgba, RgbaImage};
use serde_json::json;

use super::support::{assert_same_in_bands, bytes_of, read, run};

/// A picture without edges and noise, which every coding keeps.
fn smooth(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| Rgba(color(x, y).map(|part| (part * 255.0).round() as u8)))
}

/// The colors of [`smooth`], 0 to 1, and 1.
fn color(x: u32, y: u32) -> [f64; 4] {
    let wave = |phase: f64| {
        0.5 + 0.4 * ((f64::from(x) + phase) / 19.0).sin() * ((f64::from(y) - phase) / 23.0).cos()
    };
    [wave(0.0), wave(20.0), wave(45.0), 1.0]
}

/// What an AVIF shows, as the engine sees it: the whole picture, and bands of its rows.
fn shown(avif: &[u8]) -> DynamicImage {
    let output = run(avif, json!({ "to": "png", "effort": 0 })).expect("a picture");
    let picture = read(bytes_of(&output, avif), "image/png");
    let facts = inspect(avif);
    // Linear light is resized before it becomes a PNG.
    let transfer = avif.windows(8).find(|head| head.starts_with(b"nclx")).map_or(0, |head| head[7]);
    if !facts.has_icc_profile && !matches!(transfer, 16 | 18) {
        // A PNG of colors that are all gray is gray.
        let is_colored = picture.color().has_color() || facts.color_space == "gray";
        let colored = match (picture.color().bytes_per_pixel() > 2, picture.color().has_alpha()) {
            _ if is_colored => picture.clone(),
            (true, true) => picture.to_rgba16().into(),
            (false, true) => picture.to_rgba8().into(),
            _ if facts.bit_depth > 8 => picture.to_rgb16().into(),
            _ => picture.to_rgb8().into(),
        };
        assert_same_in_bands(avif, &colored);
    }
    picture
}

fn inspect(avif: &[u8]) -> Inspection {
    look(avif, MediaType::Avif, &Limits::default()).expect("facts")
}
