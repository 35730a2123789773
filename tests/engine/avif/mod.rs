//! Reading and writing AVIF.

mod boxes;
mod grids;
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

use super::support::{bytes_of, read, run};

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

/// What an AVIF shows, as the engine sees it.
fn shown(avif: &[u8]) -> DynamicImage {
    let output = run(avif, json!({ "to": "png", "effort": 0 })).expect("a picture");
    read(bytes_of(&output, avif), "image/png")
}

fn inspect(avif: &[u8]) -> Inspection {
    look(avif, MediaType::Avif, &Limits::default()).expect("facts")
}
