//! Removes an alpha channel that is opaque throughout.

use image::DynamicImage;
#[cfg(feature = "full")]
use image::{Rgb, Rgb32FImage, Rgba32FImage};

use crate::pixels;

/// The same picture without its alpha channel, if every pixel is opaque.
pub(crate) fn without_opaque(image: DynamicImage) -> DynamicImage {
    if image.color().has_alpha() && is_opaque(&image) { without_alpha(image) } else { image }
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
        DynamicImage::ImageLumaA8(_) => DynamicImage::ImageLuma8(pixels::gray8(image)),
        DynamicImage::ImageRgba8(_) => DynamicImage::ImageRgb8(pixels::rgb8(image)),
        DynamicImage::ImageLumaA16(_) => DynamicImage::ImageLuma16(pixels::gray16(image)),
        DynamicImage::ImageRgba16(_) => DynamicImage::ImageRgb16(pixels::rgb16(image)),
        #[cfg(feature = "full")]
        DynamicImage::ImageRgba32F(image) => DynamicImage::ImageRgb32F(float_without_alpha(&image)),
        other => other,
    }
}

#[cfg(feature = "full")]
fn float_without_alpha(image: &Rgba32FImage) -> Rgb32FImage {
    let mut out = Rgb32FImage::new(image.width(), image.height());
    out.pixels_mut().zip(image.pixels()).for_each(|(to, from)| *to = Rgb([from.0[0], from.0[1], from.0[2]]));
    out
}
