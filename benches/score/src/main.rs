//! SSIMULACRA2 of JPEG files against a reference, for `make bench`: one decoder and one judge for every peer.
//!
//! `filepress-score [--shrunk srgb|linear] REFERENCE PICTURE…` prints one score a line, in the order of the pictures
//! (100 is identical, 90 is hard to tell apart, 70 is high quality, 50 is medium).
//! With `--shrunk` the reference is first scaled by Lanczos3 to each picture's size, on the stored sRGB values or in
//! linear light. Colour profiles are not applied: reference and pictures must share one.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;

use image::imageops::{FilterType, resize};
use image::{Rgb, Rgb32FImage};
use ssimulacra2::{LinearRgb, compute_frame_ssimulacra2};
use zune_jpeg::JpegDecoder;

const USAGE: &str = "usage: filepress-score [--shrunk srgb|linear] REFERENCE PICTURE…";

/// The light in which the reference is scaled to a picture's size.
#[derive(Clone, Copy)]
enum Light {
    Srgb,
    Linear,
}

#[expect(clippy::print_stdout, reason = "the scores are what this program is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut shrunk = None;
    if arguments.first().is_some_and(|first| first == "--shrunk") {
        shrunk = Some(match arguments.get(1).map(String::as_str) {
            Some("srgb") => Light::Srgb,
            Some("linear") => Light::Linear,
            _ => return Err(USAGE.into()),
        });
        arguments.drain(..2);
    }
    let [reference, pictures @ ..] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    if pictures.is_empty() {
        return Err(USAGE.into());
    }
    let reference = linear(read(reference).map_err(|error| format!("{reference}: {error}"))?);
    for path in pictures {
        println!("{:.2}", score(&reference, path, shrunk).map_err(|error| format!("{path}: {error}"))?);
    }
    Ok(())
}

fn score(reference: &Rgb32FImage, path: &str, shrunk: Option<Light>) -> Result<f64, Box<dyn Error>> {
    let picture = linear(read(path)?);
    let (width, height) = picture.dimensions();
    let reference = match shrunk {
        None => reference.clone(),
        Some(Light::Linear) => resize(reference, width, height, FilterType::Lanczos3),
        Some(Light::Srgb) => {
            let stored = mapped(reference.clone(), from_linear);
            mapped(resize(&stored, width, height, FilterType::Lanczos3), to_linear)
        }
    };
    Ok(compute_frame_ssimulacra2(frame(reference)?, frame(picture)?)?)
}

fn read(path: &str) -> Result<Rgb32FImage, Box<dyn Error>> {
    let mut decoder = JpegDecoder::new(BufReader::new(File::open(path)?));
    let pixels = decoder.decode().map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions().ok_or("no dimensions")?;
    let stored = pixels.into_iter().map(|value| f32::from(value) / 255.0).collect();
    let picture = Rgb32FImage::from_raw(u32::try_from(width)?, u32::try_from(height)?, stored);
    Ok(picture.ok_or("not three channels")?)
}

fn linear(picture: Rgb32FImage) -> Rgb32FImage {
    mapped(picture, to_linear)
}

fn mapped(mut picture: Rgb32FImage, curve: fn(f32) -> f32) -> Rgb32FImage {
    for Rgb(channels) in picture.pixels_mut() {
        *channels = channels.map(curve);
    }
    picture
}

fn frame(picture: Rgb32FImage) -> Result<LinearRgb, Box<dyn Error>> {
    let (width, height) = picture.dimensions();
    let pixels = picture.pixels().map(|&Rgb(channels)| channels).collect();
    Ok(LinearRgb::new(pixels, usize::try_from(width)?, usize::try_from(height)?)?)
}

/// IEC 61966-2-1; overshoot of the filter below 0 and above 1 is cut, as an 8-bit resizer does.
fn to_linear(stored: f32) -> f32 {
    let stored = stored.clamp(0.0, 1.0);
    if stored <= 0.040_45 { stored / 12.92 } else { ((stored + 0.055) / 1.055).powf(2.4) }
}

fn from_linear(light: f32) -> f32 {
    let light = light.clamp(0.0, 1.0);
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}
