//! OpenEXR by `codecs/exr`: the first part, or layer of a part, with colors. Its data window is placed into the display window.
//!
//! The output has the primaries of sRGB and straight alpha; NaN becomes 0.
//!
//! Limits: those of `codecs/exr`: no deep data, no subsampled channels, only the first level of detail.

mod part;
mod primaries;

use filepress_exr::{Block, File};
use image::{DynamicImage, Rgb32FImage, Rgba32FImage};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::{ColorModel, Header, bytes_of_pixels};
use crate::limits::Limits;
use crate::pixels::linear_light;
use part::Chosen;

const NAME: &str = "OpenEXR";

pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let chosen = Chosen::of(&File::read(bytes).map_err(refused)?)?;
    let (width, height) = chosen.part.display.size().ok_or_else(|| corrupt("it has no pixels"))?;
    let has_alpha = chosen.alpha.is_some();
    Ok(Header {
        width,
        height,
        frames: 1,
        scalable: false,
        reducible: false,
        has_alpha,
        color_model: if chosen.is_gray() { ColorModel::Gray } else { ColorModel::Rgb },
        bit_depth: chosen.bit_depth(),
        bytes_per_pixel: if has_alpha { 16 } else { 12 },
        decoder_bytes: bytes_of_pixels((width, height), 4),
    })
}

/// The pixels. The limits were checked against the header.
pub(crate) fn pixels(bytes: &[u8], limits: &Limits) -> Result<DynamicImage> {
    let file = File::read(bytes).map_err(refused)?;
    let chosen = Chosen::of(&file)?;
    let part = &chosen.part;
    let (width, height) = part.display.size().ok_or_else(|| corrupt("it has no pixels"))?;
    let (data_width, data_height) = part.data.size().ok_or_else(|| corrupt("it has no pixels"))?;
    limits.check_pixels("data window", data_width, data_height)?;
    let pixel = if chosen.alpha.is_some() { 16 } else { 12 };
    limits.check_memory(part.memory().saturating_add(u64::from(width) * u64::from(height) * pixel))?;

    let mut picture = match chosen.alpha {
        Some(_) => DynamicImage::ImageRgba32F(Rgba32FImage::new(width, height)),
        None => DynamicImage::ImageRgb32F(Rgb32FImage::new(width, height)),
    };
    let light: &mut [f32] = match &mut picture {
        DynamicImage::ImageRgba32F(light) => light,
        DynamicImage::ImageRgb32F(light) => light,
        _ => &mut [],
    };
    file.decode(chosen.index, part, &mut |block| place(block, &chosen, light, width, height))
        .map_err(refused)?;
    finish(&mut picture, &chosen);
    Ok(picture)
}

/// Copies the colors of a block that are within the display window.
fn place(block: &Block<'_>, chosen: &Chosen<'_>, out: &mut [f32], width: u32, height: u32) {
    let (display, data) = (chosen.part.display, chosen.part.data);
    let channels = chosen.colors.len() + usize::from(chosen.alpha.is_some());
    let left = i64::from(data.left) - i64::from(display.left) + i64::from(block.left);
    let top = i64::from(data.top) - i64::from(display.top) + i64::from(block.top);
    for (place, channel) in chosen.colors.iter().chain(&chosen.alpha).enumerate() {
        for (y, row) in (top..i64::from(height)).zip(block.rows(channel)) {
            let Ok(y) = usize::try_from(y) else { continue };
            let samples = row.chunks_exact(channel.kind.size());
            let hidden = usize::try_from(-left).unwrap_or(0);
            let first = usize::try_from(left).unwrap_or(0);
            let line = &mut out[y * width as usize * channels..][..width as usize * channels];
            let pixels = line.chunks_exact_mut(channels).skip(first);
            for (pixel, sample) in pixels.zip(samples.skip(hidden)) {
                pixel[place] = linear_light::finite(channel.kind.number(sample));
            }
        }
    }
}

/// Converts to straight alpha and the primaries of sRGB.
fn finish(picture: &mut DynamicImage, chosen: &Chosen<'_>) {
    let matrix = chosen.part.chromaticities.and_then(|chromaticities| primaries::to_srgb(&chromaticities));
    let convert = |color: &mut [f32]| {
        if let (Some(matrix), &mut [r, g, b]) = (&matrix, &mut *color) {
            let light = [r, g, b].map(f64::from);
            for (out, row) in color.iter_mut().zip(matrix) {
                let sum = row[0] * light[0] + row[1] * light[1] + row[2] * light[2];
                *out = linear_light::finite(sum as f32);
            }
        }
    };
    match picture {
        DynamicImage::ImageRgba32F(light) => {
            for pixel in light.pixels_mut() {
                let [color @ .., alpha] = &mut pixel.0;
                *alpha = alpha.clamp(0.0, 1.0);
                if *alpha > 0.0 {
                    color.iter_mut().for_each(|color| *color = linear_light::finite(*color / *alpha));
                }
                convert(color);
            }
        }
        DynamicImage::ImageRgb32F(light) => light.pixels_mut().for_each(|pixel| convert(&mut pixel.0)),
        _ => {}
    }
}

fn corrupt(cause: impl std::fmt::Display) -> Error {
    Error::corrupt(NAME, cause)
}

fn refused(cause: filepress_exr::Error) -> Error {
    match cause {
        filepress_exr::Error::Unsupported(variant) => unsupported(variant),
        other => corrupt(other),
    }
}

/// An error that names the unsupported variant.
fn unsupported(variant: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::UnsupportedType, format!("This variant of {NAME} cannot be read: {variant}."))
        .with_detail("type", "image/x-exr")
        .with_detail("name", NAME)
}
