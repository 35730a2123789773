//! PNG by `codecs/png`. For lossy output, the colors are reduced to a palette first.

use filepress_png::{Color, Picture, Prepared, Settings};
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::Encoding;
use crate::pixels;
use crate::pixels::palette::{self, Indexed};
use crate::warning::Warning;

/// When a trial decides whether every color is kept.
struct Decisive {
    /// Every color is if that takes less than this share of the bytes of fewer colors.
    every: usize,
    /// Fewer colors are taken if these take less than this share.
    fewer: usize,
}

/// The first trial flatters dithered pictures: what gaps between repetitions cost shows only where all of them are found.
const FIRST: Decisive = Decisive { every: 95, fewer: 80 };
const SECOND: Decisive = Decisive { every: 97, fewer: 88 };

/// Lossless, in the smallest color type that can store the pixels. With `has_profile`, gray stays gray and color stays color.
pub(crate) fn encode(image: DynamicImage, effort: u8, has_profile: bool) -> Result<Vec<u8>> {
    Ok(prepare(picture(image), Settings { effort, reduce: true, gray: !has_profile })?.encode())
}

/// Lossless RGBA with 8 bits per channel.
pub(crate) fn encode_rgba(image: DynamicImage, effort: u8) -> Result<Vec<u8>> {
    let image = DynamicImage::ImageRgba8(pixels::rgba8(image));
    Ok(prepare(picture(image), Settings { effort, reduce: false, gray: false })?.encode())
}

/// At most 256 colors, with dithering, at the quality of the encoding. Lossless if the image has no more colors than the encoding
/// allows, or if that is no larger and the caller does not limit the colors.
pub(crate) fn encode_palette(
    image: DynamicImage,
    encoding: Encoding,
    has_profile: bool,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    let (effort, limit) = (encoding.effort(), encoding.palette_limit());
    let tolerance = palette::tolerance_for(encoding.quality().unwrap_or(100));
    let rgba = pixels::rgba8(image);
    let exact = palette::exact(rgba.as_raw()).map(|exact| exact.colors.len());
    if exact.is_some_and(|colors| colors <= limit) {
        return encode(DynamicImage::ImageRgba8(rgba), effort, has_profile);
    }
    let settings = Settings { effort, reduce: true, gray: !has_profile };
    let fewer = palette::quantize(&rgba, limit, encoding.dither(), tolerance);
    let count = fewer.colors.len();
    let fewer = prepare(indexed(fewer, rgba.width(), rgba.height()), settings)?;
    let every = match exact {
        Some(colors) if encoding.colors().is_none_or(|most| colors <= most.into()) => {
            Some(prepare(picture(DynamicImage::ImageRgba8(rgba)), settings)?)
        }
        _ => None,
    };
    let reduced = match every.map(|every| (keeps_every(&every, &fewer), every)) {
        Some((Some(true), every)) => return Ok(every.encode()),
        Some((None, every)) => {
            let (reduced, lossless) = (fewer.encode(), every.encode());
            if lossless.len() <= reduced.len() {
                return Ok(lossless);
            }
            reduced
        }
        _ => fewer.encode(),
    };
    if encoding.colors().is_none() {
        warnings.push(Warning::new(
            "colors_reduced",
            format!(
                "The output has {count} colors; without `quality` and `targetSize` a PNG keeps every one."
            ),
        ));
    }
    Ok(reduced)
}

/// Whether every color takes fewer bytes than a palette of fewer does. `None` if only the files tell.
fn keeps_every(every: &Prepared, fewer: &Prepared) -> Option<bool> {
    let decided = |every: usize, fewer: usize, by: Decisive| {
        let is_every = every * 100 < fewer * by.every;
        (is_every || fewer * 100 < every * by.fewer).then_some(is_every)
    };
    decided(every.trial(), fewer.trial(), FIRST)
        .or_else(|| decided(every.second_trial()?, fewer.second_trial()?, SECOND))
}

fn prepare(picture: Picture, settings: Settings) -> Result<Prepared> {
    Prepared::new(picture, settings).ok_or_else(|| {
        Error::new(ErrorCode::EncodeFailed, "The PNG could not be written: its size and pixels differ.")
    })
}

fn indexed(Indexed { colors, indices }: Indexed, width: u32, height: u32) -> Picture {
    Picture { width, height, color: Color::Indexed { palette: colors }, depth: 8, rows: indices }
}

fn picture(image: DynamicImage) -> Picture {
    let (width, height) = (image.width(), image.height());
    let big_endian = |samples: Vec<u16>| samples.into_iter().flat_map(u16::to_be_bytes).collect();
    let (gray, rgb) = (Color::Gray { key: None }, Color::Rgb { key: None });
    let (color, depth, rows) = match image {
        DynamicImage::ImageLuma8(p) => (gray, 8, p.into_raw()),
        DynamicImage::ImageLumaA8(p) => (Color::GrayAlpha, 8, p.into_raw()),
        DynamicImage::ImageRgb8(p) => (rgb, 8, p.into_raw()),
        DynamicImage::ImageRgba8(p) => (Color::Rgba, 8, p.into_raw()),
        DynamicImage::ImageLuma16(p) => (gray, 16, big_endian(p.into_raw())),
        DynamicImage::ImageLumaA16(p) => (Color::GrayAlpha, 16, big_endian(p.into_raw())),
        DynamicImage::ImageRgb16(p) => (rgb, 16, big_endian(p.into_raw())),
        other if other.color().has_alpha() => (Color::Rgba, 16, big_endian(pixels::rgba16(other).into_raw())),
        other => (rgb, 16, big_endian(pixels::rgb16(other).into_raw())),
    };
    Picture { width, height, color, depth, rows }
}
