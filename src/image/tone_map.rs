//! The tone-mapping stage: linear light (OpenEXR, Radiance HDR) to sRGB, and back.
//!
//! sRGB ends at 1, diffuse white. Pictures without brighter values are encoded unchanged. In other pictures, values
//! above a knee are compressed by the extended curve of Reinhard, Stark, Shirley and Ferwerda ("Photographic Tone
//! Reproduction for Digital Images", 2002, equation 4). The curve has slope 1 at the knee and maps the brightest value
//! of the picture to 1. It is applied to the largest of red, green and blue; the others are scaled by the same factor,
//! so that hues stay.
//!
//! All arithmetic that the output bytes depend on is exact or by `libm`, so every machine rounds alike.

use image::{DynamicImage, ImageBuffer, Rgb, Rgb32FImage, Rgba, Rgba32FImage};

use crate::formats::Traits;
use crate::options::Background;
use crate::pixels::{self, srgb};
use crate::warning::Warning;

/// The knee: values below it are not compressed.
const KNEE: f32 = 0.8;

/// Converts pixels to what the output stores: linear light for OpenEXR and Radiance HDR, sRGB for all other types.
pub(crate) fn settle(image: DynamicImage, output: Traits, warnings: &mut Vec<Warning>) -> DynamicImage {
    let is_light = matches!(image, DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_));
    match (is_light, output.has(Traits::FLOAT)) {
        (true, false) => shown(image, output.has(Traits::DEEP), warnings),
        (false, true) => linear(image),
        _ => image,
    }
}

/// Composites over the background in linear light.
pub(crate) fn composite(image: &Rgba32FImage, background: Background) -> Rgb32FImage {
    let under = background.0.map(to_light);
    let mut out = Rgb32FImage::new(image.width(), image.height());
    for (to, &Rgba([r, g, b, alpha])) in out.pixels_mut().zip(image.pixels()) {
        let over = |light: f32, under: f32| light * alpha + under * (1.0 - alpha);
        *to = Rgb([over(r, under[0]), over(g, under[1]), over(b, under[2])]);
    }
    out
}

/// Red, green, blue and alpha of floating-point pixels: alpha is linear already.
pub(crate) fn light([red, green, blue, alpha]: [u8; 4]) -> [f32; 4] {
    [to_light(red), to_light(green), to_light(blue), f32::from(alpha) / 255.0]
}

/// The same pixels with an alpha channel that is opaque throughout.
pub(crate) fn with_alpha(image: &Rgb32FImage) -> Rgba32FImage {
    let mut out = Rgba32FImage::new(image.width(), image.height());
    for (to, &Rgb([red, green, blue])) in out.pixels_mut().zip(image.pixels()) {
        *to = Rgba([red, green, blue, 1.0]);
    }
    out
}

/// The linear light of a level in sRGB.
fn to_light(level: u8) -> f32 {
    srgb::decode(f64::from(level) / 255.0) as f32
}

/// Maps linear light to sRGB.
fn shown(image: DynamicImage, deep: bool, warnings: &mut Vec<Warning>) -> DynamicImage {
    let curve = Curve::of(&image);
    if curve.white > 1.0 {
        warnings.push(Warning::new(
            "tone_mapped",
            "The input is HDR; highlights brighter than white were compressed into the range of the output.",
        ));
    }
    let bytes = Bytes::new();
    match (image, deep) {
        (DynamicImage::ImageRgb32F(light), true) => {
            DynamicImage::ImageRgb16(map(&light, |&Rgb(color)| Rgb(curve.apply(color).map(sixteen_bits))))
        }
        (DynamicImage::ImageRgb32F(light), false) => DynamicImage::ImageRgb8(map(&light, |&Rgb(color)| {
            Rgb(curve.apply(color).map(|light| bytes.encoded(light)))
        })),
        (DynamicImage::ImageRgba32F(light), true) => {
            DynamicImage::ImageRgba16(map(&light, |&Rgba([r, g, b, alpha])| {
                let [r, g, b] = curve.apply([r, g, b]).map(sixteen_bits);
                Rgba([r, g, b, (alpha.clamp(0.0, 1.0) * 65_535.0 + 0.5) as u16])
            }))
        }
        (DynamicImage::ImageRgba32F(light), false) => {
            DynamicImage::ImageRgba8(map(&light, |&Rgba([r, g, b, alpha])| {
                let [r, g, b] = curve.apply([r, g, b]).map(|light| bytes.encoded(light));
                Rgba([r, g, b, (alpha.clamp(0.0, 1.0) * 255.0 + 0.5) as u8])
            }))
        }
        (other, _) => other,
    }
}

fn sixteen_bits(light: f32) -> u16 {
    (srgb::encode_clamped(light) * 65_535.0 + 0.5) as u16
}

/// The tone curve of a picture.
struct Curve {
    /// The brightest value of the picture, at least 1. It is mapped to 1.
    white: f32,
}

impl Curve {
    fn of(image: &DynamicImage) -> Self {
        let brightest = match image {
            DynamicImage::ImageRgb32F(light) => light.pixels().flat_map(|pixel| pixel.0).fold(1.0, f32::max),
            DynamicImage::ImageRgba32F(light) => light
                .pixels()
                .filter(|pixel| pixel.0[3] > 0.0)
                .flat_map(|&Rgba([r, g, b, _])| [r, g, b])
                .fold(1.0, f32::max),
            _ => 1.0,
        };
        Self { white: brightest }
    }

    fn apply(&self, color: [f32; 3]) -> [f32; 3] {
        let brightest = color[0].max(color[1]).max(color[2]);
        if self.white <= 1.0 || brightest <= KNEE {
            return color;
        }
        // In units of the range between the knee and 1.
        let unit = f64::from(1.0 - KNEE);
        let (over, white) = (f64::from(brightest - KNEE) / unit, f64::from(self.white - KNEE) / unit);
        let compressed = over * (1.0 + over / (white * white)) / (1.0 + over);
        let scale = (f64::from(KNEE) + compressed * unit) / f64::from(brightest);
        color.map(|light| (f64::from(light) * scale) as f32)
    }
}

/// Converts light to 8 bits by the thresholds between neighboring values.
struct Bytes([f32; 255]);

impl Bytes {
    fn new() -> Self {
        let mut steps = [0.0; 255];
        for (value, step) in steps.iter_mut().enumerate() {
            *step = srgb::decode((value as f64 + 0.5) / 255.0) as f32;
        }
        Self(steps)
    }

    fn encoded(&self, light: f32) -> u8 {
        self.0.partition_point(|&step| step <= light) as u8
    }
}

/// Converts sRGB values to linear light.
fn linear(image: DynamicImage) -> DynamicImage {
    let deep = image.color().bytes_per_pixel() > image.color().channel_count();
    let greatest = if deep { 65_535 } else { 255 };
    let lights: Vec<f32> =
        (0..=greatest).map(|value| srgb::decode(f64::from(value) / f64::from(greatest)) as f32).collect();
    let light = |value: u16| lights.get(usize::from(value)).copied().unwrap_or(1.0);
    let share = |alpha: u16| f32::from(alpha) / greatest as f32;
    match (image.color().has_alpha(), deep) {
        (true, true) => DynamicImage::ImageRgba32F(map(&pixels::rgba16(image), |&Rgba([r, g, b, a])| {
            Rgba([light(r), light(g), light(b), share(a)])
        })),
        (true, false) => DynamicImage::ImageRgba32F(map(&pixels::rgba8(image), |&Rgba([r, g, b, a])| {
            Rgba([light(r.into()), light(g.into()), light(b.into()), share(a.into())])
        })),
        (false, true) => {
            DynamicImage::ImageRgb32F(map(&pixels::rgb16(image), |&Rgb(color)| Rgb(color.map(light))))
        }
        (false, false) => DynamicImage::ImageRgb32F(map(&pixels::rgb8(image), |&Rgb(color)| {
            Rgb(color.map(|value| light(value.into())))
        })),
    }
}

fn map<P, Q>(
    image: &ImageBuffer<P, Vec<P::Subpixel>>,
    convert: impl Fn(&P) -> Q,
) -> ImageBuffer<Q, Vec<Q::Subpixel>>
where
    P: image::Pixel,
    Q: image::Pixel,
{
    let mut out = ImageBuffer::new(image.width(), image.height());
    out.pixels_mut().zip(image.pixels()).for_each(|(to, from)| *to = convert(from));
    out
}
