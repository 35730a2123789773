//! The pad stage: places a picture in a larger one of a single color, for `fit: "contain"`.

use image::{DynamicImage, ImageBuffer, Pixel};

use crate::formats::Traits;
use crate::image::geometry::Geometry;
#[cfg(feature = "full")]
use crate::image::tone_map;
use crate::image::widen;
use crate::options::Background;
use crate::pixels::part::Part;

/// What is added around a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Padding {
    /// Width and height with the padding, in pixels.
    size: (u32, u32),
    /// Where the picture is in it.
    place: Part,
    /// Red, green, blue and alpha in the encoding of the pixels, as the background of transparent ones.
    color: [u8; 4],
}

impl Padding {
    /// The padding of an output with these traits, if there is any: of the background that the call names, otherwise transparent
    /// or, without alpha, white.
    pub(crate) fn of(
        geometry: &Geometry,
        (output, background): (Traits, Option<Background>),
    ) -> Option<Self> {
        let color = match background {
            None if output.has(Traits::ALPHA) => [0; 4],
            _ => {
                let [red, green, blue] = background.unwrap_or_default().0;
                [red, green, blue, u8::MAX]
            }
        };
        let size = (geometry.width, geometry.height);
        geometry.pads().then_some(Self { size, place: geometry.place, color })
    }

    /// Whether it is not transparent.
    pub(crate) fn is_seen(&self) -> bool {
        self.color[3] > 0
    }

    /// Whether the color is another than gray.
    pub(crate) fn is_colored(&self) -> bool {
        let [red, green, blue, _] = self.color;
        red != green || green != blue
    }
}

/// The picture with its padding. Its kind of pixels changes if it cannot hold the color.
pub(crate) fn apply(image: DynamicImage, padding: &Padding) -> DynamicImage {
    let color = &padding.color;
    #[cfg(feature = "pictures")]
    let wide = &color.map(|level| u16::from(level) * 257);
    #[cfg(feature = "full")]
    let light = &tone_map::light(*color);
    let kind = image.color();
    let has_color = kind.has_color() || padding.is_colored();
    let has_alpha = kind.has_alpha() || padding.color[3] < u8::MAX;
    match widen::apply(image, (has_color, has_alpha)) {
        DynamicImage::ImageLuma8(p) => DynamicImage::ImageLuma8(placed(&p, padding, &color[..1])),
        DynamicImage::ImageRgb8(p) => DynamicImage::ImageRgb8(placed(&p, padding, &color[..3])),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLumaA8(p) => DynamicImage::ImageLumaA8(placed(&p, padding, &color[2..])),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgba8(p) => DynamicImage::ImageRgba8(placed(&p, padding, color)),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLuma16(p) => DynamicImage::ImageLuma16(placed(&p, padding, &wide[..1])),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLumaA16(p) => DynamicImage::ImageLumaA16(placed(&p, padding, &wide[2..])),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgb16(p) => DynamicImage::ImageRgb16(placed(&p, padding, &wide[..3])),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgba16(p) => DynamicImage::ImageRgba16(placed(&p, padding, wide)),
        #[cfg(feature = "full")]
        DynamicImage::ImageRgb32F(p) => DynamicImage::ImageRgb32F(placed(&p, padding, &light[..3])),
        #[cfg(feature = "full")]
        DynamicImage::ImageRgba32F(p) => DynamicImage::ImageRgba32F(placed(&p, padding, light)),
        other => other,
    }
}

/// The picture at its place among pixels whose samples are `color`.
fn placed<P: Pixel>(
    image: &ImageBuffer<P, Vec<P::Subpixel>>,
    padding: &Padding,
    color: &[P::Subpixel],
) -> ImageBuffer<P, Vec<P::Subpixel>> {
    let (width, height) = padding.size;
    ImageBuffer::from_raw(width, height, place(image.as_raw(), padding, color)).unwrap_or_default()
}

/// The same on samples: one function for each type of these takes less of the module than one for each kind of pixels.
#[inline(never)]
fn place<S: Copy>(picture: &[S], &Padding { size, place, .. }: &Padding, color: &[S]) -> Vec<S> {
    let (width, height) = (size.0 as usize, size.1 as usize);
    let mut out = color.repeat(width * height);
    let mut at = (place.top as usize * width + place.left as usize) * color.len();
    for row in picture.chunks_exact(place.width as usize * color.len()) {
        out[at..at + row.len()].copy_from_slice(row);
        at += width * color.len();
    }
    out
}
