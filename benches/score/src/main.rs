//! SSIMULACRA2 of JPEG or PNG files against a reference, for the benches: one decoder and one judge for every peer.
//!
//! `filepress-score [--shrunk srgb|linear] REFERENCE PICTURE…` prints one score a line, in the order of the pictures
//! (100 is identical, 90 is hard to tell apart, 70 is high quality, 50 is medium).
//! With `--shrunk` the reference is first scaled by Lanczos3 to each picture's size, on the stored sRGB values or in
//! linear light. Color profiles are not applied: reference and pictures must share one. Where either has transparent
//! pixels, both are painted over black and over white, and the lower score counts.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;

use image::codecs::png::PngDecoder;
use image::imageops::{FilterType, resize};
use image::{DynamicImage, Rgb, Rgb32FImage, Rgba, Rgba32FImage};
use libjpeg_turbo_rs::{PixelFormat, decompress_to};
use ssimulacra2::{LinearRgb, compute_frame_ssimulacra2};

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
    let mut reference =
        Reference::new(read(reference).map_err(|error| format!("{reference}: {error}"))?, shrunk);
    for path in pictures {
        println!("{:.2}", score(&mut reference, path).map_err(|error| format!("{path}: {error}"))?);
    }
    Ok(())
}

fn score(reference: &mut Reference, path: &str) -> Result<f64, Box<dyn Error>> {
    let picture = read(path)?;
    let backgrounds: &[f32] = if reference.opaque && is_opaque(&picture) { &[0.0] } else { &[0.0, 1.0] };
    let mut lowest = f64::MAX;
    for &background in backgrounds {
        let picture = linear(over(&picture, background));
        let reference = reference.before(background, picture.dimensions()).clone();
        lowest = lowest.min(compute_frame_ssimulacra2(frame(reference)?, frame(picture)?)?);
    }
    Ok(lowest)
}

/// What the pictures are held against, and what has been made of it for those that came before.
struct Reference {
    stored: Rgba32FImage,
    opaque: bool,
    shrunk: Option<Light>,
    made: Vec<(f32, (u32, u32), Rgb32FImage)>,
}

impl Reference {
    fn new(stored: Rgba32FImage, shrunk: Option<Light>) -> Self {
        let opaque = is_opaque(&stored);
        Self { stored, opaque, shrunk, made: Vec::new() }
    }

    /// In linear light, before a background, at the size of a picture.
    fn before(&mut self, background: f32, size: (u32, u32)) -> &Rgb32FImage {
        let known = self
            .made
            .iter()
            .position(|(under, made, _)| under.total_cmp(&background).is_eq() && *made == size);
        let index = known.unwrap_or_else(|| {
            let whole = linear(over(&self.stored, background));
            self.made.push((background, size, scaled(whole, size, self.shrunk)));
            self.made.len() - 1
        });
        &self.made[index].2
    }
}

fn is_opaque(picture: &Rgba32FImage) -> bool {
    picture.pixels().all(|pixel| pixel.0[3] >= 1.0)
}

fn scaled(reference: Rgb32FImage, (width, height): (u32, u32), shrunk: Option<Light>) -> Rgb32FImage {
    match shrunk {
        None => reference,
        Some(Light::Linear) => resize(&reference, width, height, FilterType::Lanczos3),
        Some(Light::Srgb) => {
            let stored = mapped(reference, from_linear);
            mapped(resize(&stored, width, height, FilterType::Lanczos3), to_linear)
        }
    }
}

/// The stored values, 0 to 1.
fn read(path: &str) -> Result<Rgba32FImage, Box<dyn Error>> {
    if path.ends_with(".png") {
        let file = BufReader::new(File::open(path)?);
        return Ok(DynamicImage::from_decoder(PngDecoder::new(file)?)?.into_rgba32f());
    }
    let image = decompress_to(&std::fs::read(path)?, PixelFormat::Rgba)?;
    let stored = image.data.iter().map(|&value| f32::from(value) / 255.0).collect();
    let picture = Rgba32FImage::from_raw(u32::try_from(image.width)?, u32::try_from(image.height)?, stored);
    Ok(picture.ok_or("not three channels")?)
}

/// The picture before a background, in steps of 8 bit, as browsers paint it.
fn over(picture: &Rgba32FImage, background: f32) -> Rgb32FImage {
    Rgb32FImage::from_fn(picture.width(), picture.height(), |x, y| {
        let Rgba([r, g, b, alpha]) = *picture.get_pixel(x, y);
        let painted = |value: f32| ((value * alpha + background * (1.0 - alpha)) * 255.0).round() / 255.0;
        Rgb([r, g, b].map(|value| if alpha < 1.0 { painted(value) } else { value }))
    })
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
