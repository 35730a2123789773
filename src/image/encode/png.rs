//! PNG by oxipng; with a palette by quantizr first.

use image::DynamicImage;
use oxipng::{BitDepth, ColorType, Options, RGBA8, RawImage};

use super::super::{Warning, palette, pixels};
use crate::error::{Error, ErrorCode, Result};

/// Every pixel as it is, in the smallest colour type that holds them all.
pub(super) fn encode(image: DynamicImage, effort: u8, has_profile: bool) -> Result<Vec<u8>> {
    let (width, height) = (image.width(), image.height());
    let (colour, depth, data) = raw(image);
    let raw = RawImage::new(width, height, colour, depth, data).map_err(failed)?;
    create(&raw, effort, has_profile)
}

/// At most 256 colours, with dithering; lossless where the image has no more.
pub(super) fn encode_palette(
    image: DynamicImage,
    quality: u8,
    effort: u8,
    has_profile: bool,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    let limit = palette::colours_for(quality);
    let rgba = pixels::rgba8(image);
    if palette::exact(&rgba, 256).is_some() {
        return encode(DynamicImage::ImageRgba8(rgba), effort, has_profile);
    }
    let indexed = palette::quantise(&rgba, limit)?;
    warnings.push(Warning::new(
        "colors_reduced",
        format!("The output has {} colours; leave out `quality` for a lossless PNG.", indexed.colours.len()),
    ));
    let palette = indexed.colours.iter().map(|&[r, g, b, a]| RGBA8::new(r, g, b, a)).collect();
    let raw = RawImage::new(
        rgba.width(),
        rgba.height(),
        ColorType::Indexed { palette },
        BitDepth::Eight,
        indexed.indices,
    )
    .map_err(failed)?;
    create(&raw, effort, has_profile)
}

fn create(raw: &RawImage, effort: u8, has_profile: bool) -> Result<Vec<u8>> {
    let options = Options { grayscale_reduction: !has_profile, ..options(effort) };
    raw.create_optimized_png(&options).map_err(failed)
}

fn raw(image: DynamicImage) -> (ColorType, BitDepth, Vec<u8>) {
    let big_endian = |samples: Vec<u16>| samples.into_iter().flat_map(u16::to_be_bytes).collect();
    let grey = ColorType::Grayscale { transparent_shade: None };
    let rgb = ColorType::RGB { transparent_color: None };
    match image {
        DynamicImage::ImageLuma8(p) => (grey, BitDepth::Eight, p.into_raw()),
        DynamicImage::ImageLumaA8(p) => (ColorType::GrayscaleAlpha, BitDepth::Eight, p.into_raw()),
        DynamicImage::ImageRgb8(p) => (rgb, BitDepth::Eight, p.into_raw()),
        DynamicImage::ImageRgba8(p) => (ColorType::RGBA, BitDepth::Eight, p.into_raw()),
        DynamicImage::ImageLuma16(p) => (grey, BitDepth::Sixteen, big_endian(p.into_raw())),
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

/// Effort 0 to 9 as settings of oxipng: its levels 0 to 6, and zopfli at 9, which the planner leaves to the
/// build that has it.
pub(super) fn options(effort: u8) -> Options {
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
