//! Changes pixels of a kind that cannot hold a color or transparency.

use image::DynamicImage;

#[cfg(feature = "full")]
use crate::image::tone_map;
use crate::pixels;

/// The same pixels of a kind that has color, and one that has alpha, if these are wanted. Others are returned unchanged.
pub(crate) fn apply(image: DynamicImage, (has_color, has_alpha): (bool, bool)) -> DynamicImage {
    let kind = image.color();
    if (has_color, has_alpha) == (kind.has_color(), kind.has_alpha()) {
        return image;
    }
    #[cfg(feature = "full")]
    if let DynamicImage::ImageRgb32F(light) = &image {
        return DynamicImage::ImageRgba32F(tone_map::with_alpha(light));
    }
    #[cfg(feature = "pictures")]
    {
        let is_deep = kind.bytes_per_pixel() > kind.channel_count();
        match (is_deep, has_color, has_alpha) {
            (false, false, _) => DynamicImage::ImageLumaA8(pixels::gray_alpha8(image)),
            (false, true, false) => DynamicImage::ImageRgb8(pixels::rgb8(image)),
            (false, true, true) => DynamicImage::ImageRgba8(pixels::rgba8(image)),
            (true, false, _) => DynamicImage::ImageLumaA16(pixels::gray_alpha16(image)),
            (true, true, false) => DynamicImage::ImageRgb16(pixels::rgb16(image)),
            (true, true, true) => DynamicImage::ImageRgba16(pixels::rgba16(image)),
        }
    }
    #[cfg(not(feature = "pictures"))]
    DynamicImage::ImageRgb8(pixels::rgb8(image))
}
