//! Converts between pixel types: gray or color, with or without alpha, 8 or 16 bits.
//!
//! `image` has code for each pair of types, which would be a twentieth of the module. Here every pixel is converted by
//! way of 16-bit RGBA. Pixels that already have the wanted type are returned unchanged.

#[cfg(feature = "pictures")]
pub(crate) mod alpha;
#[cfg(feature = "full")]
pub(crate) mod cmyk;
#[cfg(feature = "full")]
pub(crate) mod hdr_transfer;
#[cfg(feature = "full")]
pub(crate) mod linear_light;
pub(crate) mod orient;
#[cfg(feature = "core")]
pub(crate) mod palette;
pub(crate) mod part;
pub(crate) mod srgb;

use image::{
    DynamicImage, GrayAlphaImage, GrayImage, ImageBuffer, Luma, LumaA, Pixel, Rgb, RgbImage, Rgba, RgbaImage,
};

type Wide<P> = ImageBuffer<P, Vec<u16>>;

/// 8-bit RGB.
pub(crate) fn rgb8(image: DynamicImage) -> RgbImage {
    match image {
        DynamicImage::ImageRgb8(image) => image,
        other => narrow::<Rgb<u8>, 3>(&other, [0, 1, 2]),
    }
}

/// 8-bit RGBA.
pub(crate) fn rgba8(image: DynamicImage) -> RgbaImage {
    match image {
        DynamicImage::ImageRgba8(image) => image,
        other => narrow::<Rgba<u8>, 4>(&other, [0, 1, 2, 3]),
    }
}

/// 8-bit gray. The pixels must be gray already: of color pixels, only red is used.
pub(crate) fn gray8(image: DynamicImage) -> GrayImage {
    match image {
        DynamicImage::ImageLuma8(image) => image,
        other => narrow::<Luma<u8>, 1>(&other, [0]),
    }
}

/// 8-bit gray with alpha; the same condition as for [`gray8`].
pub(crate) fn gray_alpha8(image: DynamicImage) -> GrayAlphaImage {
    match image {
        DynamicImage::ImageLumaA8(image) => image,
        other => narrow::<LumaA<u8>, 2>(&other, [0, 3]),
    }
}

/// 16-bit RGB.
pub(crate) fn rgb16(image: DynamicImage) -> Wide<Rgb<u16>> {
    match image {
        DynamicImage::ImageRgb16(image) => image,
        other => widen::<Rgb<u16>, 3>(&other, [0, 1, 2]),
    }
}

/// 16-bit RGBA.
pub(crate) fn rgba16(image: DynamicImage) -> Wide<Rgba<u16>> {
    match image {
        DynamicImage::ImageRgba16(image) => image,
        other => widen::<Rgba<u16>, 4>(&other, [0, 1, 2, 3]),
    }
}

/// 16-bit gray with alpha; the same condition as for [`gray8`].
#[cfg(feature = "pictures")]
pub(crate) fn gray_alpha16(image: DynamicImage) -> Wide<LumaA<u16>> {
    match image {
        DynamicImage::ImageLumaA16(image) => image,
        other => widen::<LumaA<u16>, 2>(&other, [0, 3]),
    }
}

/// 16-bit gray; the same condition as for [`gray8`].
pub(crate) fn gray16(image: DynamicImage) -> Wide<Luma<u16>> {
    match image {
        DynamicImage::ImageLuma16(image) => image,
        other => widen::<Luma<u16>, 1>(&other, [0]),
    }
}

/// The image with 8 bits per channel, in its own color type.
pub(crate) fn eight_bit(image: DynamicImage) -> DynamicImage {
    match (image.color().has_color(), image.color().has_alpha()) {
        (true, true) => DynamicImage::ImageRgba8(rgba8(image)),
        (true, false) => DynamicImage::ImageRgb8(rgb8(image)),
        (false, true) => DynamicImage::ImageLumaA8(gray_alpha8(image)),
        (false, false) => DynamicImage::ImageLuma8(gray8(image)),
    }
}

fn narrow<P, const N: usize>(image: &DynamicImage, channels: [usize; N]) -> ImageBuffer<P, Vec<u8>>
where
    P: Pixel<Subpixel = u8>,
{
    let mut out = ImageBuffer::<P, _>::new(image.width(), image.height());
    let mut samples = out.as_chunks_mut::<N>().0.iter_mut();
    for_each_pixel(image, &mut |rgba| {
        if let Some(to) = samples.next() {
            *to = channels.map(|channel| ((u32::from(rgba[channel]) + 128) / 257) as u8);
        }
    });
    out
}

fn widen<P, const N: usize>(image: &DynamicImage, channels: [usize; N]) -> Wide<P>
where
    P: Pixel<Subpixel = u16>,
{
    let mut out = ImageBuffer::<P, _>::new(image.width(), image.height());
    let mut samples = out.as_chunks_mut::<N>().0.iter_mut();
    for_each_pixel(image, &mut |rgba| {
        if let Some(to) = samples.next() {
            *to = channels.map(|channel| rgba[channel]);
        }
    });
    out
}

/// Calls `visit` with every pixel as 16-bit RGBA, row by row.
fn for_each_pixel(image: &DynamicImage, take: &mut dyn FnMut([u16; 4])) {
    const OPAQUE: u16 = u16::MAX;
    let wide = |sample: u8| u16::from(sample) * 257;
    match image {
        DynamicImage::ImageLuma8(p) => {
            p.pixels().for_each(|&Luma([l])| take([wide(l), wide(l), wide(l), OPAQUE]))
        }
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLumaA8(p) => {
            p.pixels().for_each(|&LumaA([l, a])| take([wide(l), wide(l), wide(l), wide(a)]));
        }
        DynamicImage::ImageRgb8(p) => {
            p.pixels().for_each(|&Rgb([r, g, b])| take([wide(r), wide(g), wide(b), OPAQUE]))
        }
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgba8(p) => p.pixels().for_each(|&Rgba(rgba)| take(rgba.map(wide))),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLuma16(p) => p.pixels().for_each(|&Luma([l])| take([l, l, l, OPAQUE])),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLumaA16(p) => p.pixels().for_each(|&LumaA([l, a])| take([l, l, l, a])),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgb16(p) => p.pixels().for_each(|&Rgb([r, g, b])| take([r, g, b, OPAQUE])),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgba16(p) => p.pixels().for_each(|&Rgba(rgba)| take(rgba)),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgb32F(p) => {
            p.pixels().for_each(|&Rgb([r, g, b])| take([deep(r), deep(g), deep(b), OPAQUE]));
        }
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgba32F(p) => p.pixels().for_each(|&Rgba(rgba)| take(rgba.map(deep))),
        _ => {}
    }
}

/// Converts a value from 0 to 1 to 16 bits.
fn deep(sample: f32) -> u16 {
    (sample.clamp(0.0, 1.0) * 65_535.0).round() as u16
}
