//! The flatten stage: drops an alpha channel that is opaque throughout, and composites over a background if the output
//! has no alpha.

use image::{DynamicImage, ImageBuffer, Pixel, Primitive};

use crate::formats::Traits;
#[cfg(feature = "full")]
use crate::image::tone_map;
use crate::options::Background;
use crate::pixels::{self, alpha};
use crate::warning::Warning;

/// Keeps an alpha channel only if it is not opaque throughout and the output can store it.
pub(crate) fn apply(
    image: DynamicImage,
    output: Traits,
    background: Background,
    warnings: &mut Vec<Warning>,
) -> DynamicImage {
    let image = alpha::without_opaque(image);
    if !image.color().has_alpha() || output.has(Traits::ALPHA) {
        return image;
    }
    warnings.push(Warning::new(
        "alpha_flattened",
        "The output has no transparency; transparent pixels were painted over the background.",
    ));
    composite(image, background)
}

/// Composites over the background in the encoding of the pixels (not in linear light), as browsers do.
fn composite(image: DynamicImage, background: Background) -> DynamicImage {
    let [red, green, blue] = background.0;
    let gray = red == green && green == blue;
    match image {
        #[cfg(feature = "full")]
        DynamicImage::ImageRgba32F(image) => {
            DynamicImage::ImageRgb32F(tone_map::composite(&image, background))
        }
        DynamicImage::ImageLumaA8(image) if gray => DynamicImage::ImageLuma8(paint(&image, [red])),
        DynamicImage::ImageLumaA16(image) if gray => DynamicImage::ImageLuma16(paint(&image, [wide(red)])),
        deep @ (DynamicImage::ImageLumaA16(_) | DynamicImage::ImageRgba16(_)) => {
            DynamicImage::ImageRgb16(paint(&pixels::rgba16(deep), background.0.map(wide)))
        }
        other => DynamicImage::ImageRgb8(paint(&pixels::rgba8(other), background.0)),
    }
}

/// The same level with 16 bits.
fn wide(level: u8) -> u16 {
    u16::from(level) * 257
}

/// Composites over the `N` samples of `under`. The last channel of each pixel is alpha.
fn paint<From, To, const N: usize>(
    image: &ImageBuffer<From, Vec<From::Subpixel>>,
    under: [From::Subpixel; N],
) -> ImageBuffer<To, Vec<To::Subpixel>>
where
    From: Pixel,
    From::Subpixel: Into<u32> + TryFrom<u32>,
    To: Pixel<Subpixel = From::Subpixel>,
{
    let opaque: u32 = From::Subpixel::DEFAULT_MAX_VALUE.into();
    let mut out = ImageBuffer::new(image.width(), image.height());
    let to = out.as_chunks_mut::<N>().0.iter_mut();
    for (from, to) in image.as_raw().chunks_exact(N + 1).zip(to) {
        let alpha: u32 = from[N].into();
        for ((to, &color), &under) in to.iter_mut().zip(from).zip(&under) {
            // Rounded to nearest. The sum of two 16-bit products fits into 32 bits.
            let sum = color.into() * alpha + under.into() * (opaque - alpha);
            *to = From::Subpixel::try_from((sum + opaque / 2) / opaque).unwrap_or(under);
        }
    }
    out
}
