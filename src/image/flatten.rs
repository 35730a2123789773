//! Alpha: dropped where every pixel is opaque, painted over a background where the output has none.

use image::{DynamicImage, GrayAlphaImage, GrayImage, ImageBuffer, Pixel, RgbImage};

use super::{Warning, pixels};
use crate::job::Encoding;
use crate::options::Background;

/// Leaves an alpha channel only where it says something and the output can hold it.
pub(super) fn apply(
    image: DynamicImage,
    encoding: Encoding,
    background: Background,
    warnings: &mut Vec<Warning>,
) -> DynamicImage {
    if !image.color().has_alpha() {
        return image;
    }
    if is_opaque(&image) {
        return without_alpha(image);
    }
    if holds_alpha(encoding) {
        return image;
    }
    warnings.push(Warning::new(
        "alpha_flattened",
        "The output has no transparency; transparent pixels were painted over the background.",
    ));
    composite(image, background)
}

/// Whether a coding keeps more than one level of alpha. GIF keeps one bit, which its encoder makes of these pixels.
fn holds_alpha(encoding: Encoding) -> bool {
    !matches!(encoding, Encoding::Jpeg { .. } | Encoding::JpegRecoded | Encoding::Pnm)
}

fn is_opaque(image: &DynamicImage) -> bool {
    match image {
        DynamicImage::ImageLumaA8(image) => image.pixels().all(|pixel| pixel.0[1] == u8::MAX),
        DynamicImage::ImageRgba8(image) => image.pixels().all(|pixel| pixel.0[3] == u8::MAX),
        DynamicImage::ImageLumaA16(image) => image.pixels().all(|pixel| pixel.0[1] == u16::MAX),
        DynamicImage::ImageRgba16(image) => image.pixels().all(|pixel| pixel.0[3] == u16::MAX),
        DynamicImage::ImageRgba32F(image) => image.pixels().all(|pixel| pixel.0[3] >= 1.0),
        _ => true,
    }
}

fn without_alpha(image: DynamicImage) -> DynamicImage {
    match image {
        DynamicImage::ImageLumaA8(_) => DynamicImage::ImageLuma8(pixels::grey8(image)),
        DynamicImage::ImageRgba8(_) => DynamicImage::ImageRgb8(pixels::rgb8(image)),
        DynamicImage::ImageLumaA16(_) => DynamicImage::ImageLuma16(pixels::grey16(image)),
        DynamicImage::ImageRgba16(_) => DynamicImage::ImageRgb16(pixels::rgb16(image)),
        DynamicImage::ImageRgba32F(_) => DynamicImage::ImageRgb16(pixels::rgb16(image)),
        other => other,
    }
}

/// Paints over the background, in the coding of the pixels (not in linear light), as browsers do.
fn composite(image: DynamicImage, background: Background) -> DynamicImage {
    let [r, g, b] = background.0;
    match image {
        DynamicImage::ImageLumaA8(image) if r == g && g == b => {
            DynamicImage::ImageLuma8(composite_grey(&image, r))
        }
        other => {
            let rgba = pixels::rgba8(other);
            let mut out = RgbImage::new(rgba.width(), rgba.height());
            for (from, to) in rgba.pixels().zip(out.pixels_mut()) {
                let alpha = from.0[3];
                for (channel, under) in background.0.into_iter().enumerate() {
                    to.0[channel] = over(from.0[channel], under, alpha);
                }
            }
            DynamicImage::ImageRgb8(out)
        }
    }
}

fn composite_grey(image: &GrayAlphaImage, under: u8) -> GrayImage {
    ImageBuffer::from_fn(image.width(), image.height(), |x, y| {
        let [luma, alpha] = image.get_pixel(x, y).0;
        *image::Luma::from_slice(&[over(luma, under, alpha)])
    })
}

/// `colour` over `under`, rounded to the nearest.
fn over(colour: u8, under: u8, alpha: u8) -> u8 {
    let (colour, under, alpha) = (u32::from(colour), u32::from(under), u32::from(alpha));
    ((colour * alpha + under * (255 - alpha) + 127) / 255) as u8
}
