//! PNG by oxipng. For lossy output, the colors are reduced to a palette first.

mod filter;
mod indexed;
mod palette_order;

use image::DynamicImage;
use oxipng::{BitDepth, ColorType, Options, RGB16, RawImage};

use crate::error::{Error, ErrorCode, Result};
use crate::pixels;
use crate::pixels::palette;
use crate::warning::Warning;

/// Lossless, in the smallest color type that can store the pixels.
pub(crate) fn encode(image: DynamicImage, effort: u8, has_profile: bool) -> Result<Vec<u8>> {
    let (width, height) = (image.width(), image.height());
    if let Some(colors) = indexed::colors(&image, !has_profile, effort) {
        drop(image);
        let drawing = indexed::of(colors, width, height, effort)?;
        return create(&drawing.raw, drawing.options, has_profile);
    }
    let (color, depth, data) = raw(image);
    let options = match effort {
        2..=4 if depth == BitDepth::Eight => filter::choose(options(effort), &color, width, &data),
        _ => options(effort),
    };
    let raw = RawImage::new(width, height, color, depth, data).map_err(failed)?;
    create(&raw, options, has_profile)
}

/// At most 256 colors, with dithering. Lossless if the image has no more colors than the quality allows, or if that is
/// no larger.
pub(crate) fn encode_palette(
    image: DynamicImage,
    quality: u8,
    effort: u8,
    has_profile: bool,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    let rgba = pixels::rgba8(image);
    let (width, height) = (rgba.width(), rgba.height());
    let exact = palette::exact(rgba.as_raw(), 4, 256).map(|exact| exact.colors.len());
    if exact.is_some_and(|colors| colors <= palette::colors_for(quality)) {
        return encode(DynamicImage::ImageRgba8(rgba), effort, has_profile);
    }
    let fewer = palette::quantize_at(&rgba, quality);
    let count = fewer.colors.len();
    let fewer = indexed::of(fewer, width, height, effort)?;
    let image = DynamicImage::ImageRgba8(rgba);
    let every = exact.and_then(|_| indexed::colors(&image, !has_profile, effort));
    let every = every.map(|colors| indexed::of(colors, width, height, effort)).transpose()?;
    if let Some(every) = every.as_ref().filter(|every| is_clearly_smaller(every.trial, fewer.trial)) {
        return create(&every.raw, every.options.clone(), has_profile);
    }
    let reduced = create(&fewer.raw, fewer.options, has_profile)?;
    drop(fewer.raw);
    if exact.is_some() && !is_clearly_smaller(fewer.trial, every.as_ref().and_then(|every| every.trial)) {
        let lossless = match every {
            Some(every) => create(&every.raw, every.options, has_profile)?,
            None => encode(image, effort, has_profile)?,
        };
        if lossless.len() <= reduced.len() {
            return Ok(lossless);
        }
    }
    warnings.push(Warning::new(
        "colors_reduced",
        format!("The output has {count} colors; without `quality` and `targetSize` a PNG keeps every one."),
    ));
    Ok(reduced)
}

/// Whether one of two pictures is so much smaller in its trial that it will be smaller in the end.
fn is_clearly_smaller(less: Option<usize>, more: Option<usize>) -> bool {
    less.zip(more).is_some_and(|(less, more)| less * 5 < more * 4)
}

fn create(raw: &RawImage, options: Options, has_profile: bool) -> Result<Vec<u8>> {
    let options = Options { grayscale_reduction: !has_profile, ..options };
    raw.create_optimized_png(&options).map_err(failed)
}

fn raw(image: DynamicImage) -> (ColorType, BitDepth, Vec<u8>) {
    let big_endian = |samples: Vec<u16>| samples.into_iter().flat_map(u16::to_be_bytes).collect();
    let gray = ColorType::Grayscale { transparent_shade: None };
    let rgb = ColorType::RGB { transparent_color: None };
    match image {
        DynamicImage::ImageLuma8(p) => (gray, BitDepth::Eight, p.into_raw()),
        DynamicImage::ImageLumaA8(p) => match color_keyed::<2, 1>(p.as_raw()) {
            Some(([shade], shades)) => {
                let gray = ColorType::Grayscale { transparent_shade: Some(shade.into()) };
                (gray, BitDepth::Eight, shades)
            }
            None => (ColorType::GrayscaleAlpha, BitDepth::Eight, p.into_raw()),
        },
        DynamicImage::ImageRgb8(p) => (rgb, BitDepth::Eight, p.into_raw()),
        DynamicImage::ImageRgba8(p) => match color_keyed::<4, 3>(p.as_raw()) {
            Some((color, colors)) => {
                let transparent_color = Some(RGB16::from(color.map(u16::from)));
                (ColorType::RGB { transparent_color }, BitDepth::Eight, colors)
            }
            None => (ColorType::RGBA, BitDepth::Eight, p.into_raw()),
        },
        DynamicImage::ImageLuma16(p) => (gray, BitDepth::Sixteen, big_endian(p.into_raw())),
        DynamicImage::ImageLumaA16(p) => {
            (ColorType::GrayscaleAlpha, BitDepth::Sixteen, big_endian(p.into_raw()))
        }
        DynamicImage::ImageRgb16(p) => (rgb, BitDepth::Sixteen, big_endian(p.into_raw())),
        other if other.color().has_alpha() => {
            (ColorType::RGBA, BitDepth::Sixteen, big_endian(pixels::rgba16(other).into_raw()))
        }
        other => (rgb, BitDepth::Sixteen, big_endian(pixels::rgb16(other).into_raw())),
    }
}

/// The pixels without alpha, and the color that stands for transparency. Requires that all transparent pixels have one
/// color, that no opaque pixel has it, and that none is partly transparent.
fn color_keyed<const CHANNELS: usize, const COLORS: usize>(
    samples: &[u8],
) -> Option<([u8; COLORS], Vec<u8>)> {
    let pixels = || {
        let pixels = samples.as_chunks::<CHANNELS>().0.iter();
        pixels.filter_map(|pixel| pixel.split_first_chunk::<COLORS>())
    };
    let (key, _) = pixels().find(|(_, alpha)| *alpha == [0])?;
    let agrees = |(color, alpha): (&[u8; COLORS], &[u8])| match alpha {
        [0] => color == key,
        alpha => *alpha == [u8::MAX] && color != key,
    };
    pixels().all(agrees).then(|| (*key, pixels().flat_map(|(color, _)| *color).collect()))
}

/// Maps effort 0 to 9 to settings of oxipng: its levels 0 to 6, and zopfli at 9, for which the planner chooses the
/// build that has it. For photos, levels 1 and 2 are the same (`filter.rs`).
pub(crate) fn options(effort: u8) -> Options {
    let level = [0, 0, 1, 1, 2, 3, 3, 4, 5, 6][usize::from(effort.min(9))];
    let preset = Options::from_preset(level);
    #[cfg(feature = "full")]
    if effort == 9 {
        let zopfli = oxipng::Deflater::Zopfli(oxipng::ZopfliOptions::default());
        return Options { deflater: zopfli, ..preset };
    }
    preset
}

fn failed(cause: oxipng::PngError) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The PNG could not be written: {cause}."))
}
