//! Converts pixels to sRGB by their ICC profile, with moxcms.
//!
//! Pixels keep their bit depth, and gray stays gray. The perceptual table of a profile is used, on which
//! implementations agree; without one, the colorimetric table.
//! Limits: the table of an RGB or gray profile is sampled at 33 levels, without black point compensation.

use image::{DynamicImage, ImageBuffer, Pixel, RgbImage};
use moxcms::{ColorProfile, Layout, TransformExecutor, TransformOptions};

use crate::image::cmyk_lut;
use crate::pixels::cmyk::Cmyk;

type Buffer<P> = ImageBuffer<P, Vec<<P as Pixel>::Subpixel>>;

/// A transform from a profile to sRGB.
struct Way {
    from: ColorProfile,
    to: ColorProfile,
}

/// Returns `None` if the profile cannot be applied: it is damaged, or the pixels are linear floating point.
pub(crate) fn to_srgb(image: &DynamicImage, icc: &[u8]) -> Option<DynamicImage> {
    let srgb = ColorProfile::new_srgb();
    let to = match image.color().has_color() {
        true => srgb,
        false => {
            let mut gray = ColorProfile::new_gray_with_gamma(1.0);
            gray.gray_trc = srgb.red_trc;
            gray
        }
    };
    let way = Way::new(icc, to)?;
    Some(match image {
        DynamicImage::ImageLuma8(p) => DynamicImage::ImageLuma8(way.shallow(p, Layout::Gray)?),
        DynamicImage::ImageLumaA8(p) => DynamicImage::ImageLumaA8(way.shallow(p, Layout::GrayAlpha)?),
        DynamicImage::ImageRgb8(p) => DynamicImage::ImageRgb8(way.shallow(p, Layout::Rgb)?),
        DynamicImage::ImageRgba8(p) => DynamicImage::ImageRgba8(way.shallow(p, Layout::Rgba)?),
        DynamicImage::ImageLuma16(p) => DynamicImage::ImageLuma16(way.deep(p, Layout::Gray)?),
        DynamicImage::ImageLumaA16(p) => DynamicImage::ImageLumaA16(way.deep(p, Layout::GrayAlpha)?),
        DynamicImage::ImageRgb16(p) => DynamicImage::ImageRgb16(way.deep(p, Layout::Rgb)?),
        DynamicImage::ImageRgba16(p) => DynamicImage::ImageRgba16(way.deep(p, Layout::Rgba)?),
        _ => return None,
    })
}

/// Converts CMYK to sRGB. Returns `None` if the profile cannot be applied.
pub(crate) fn cmyk_to_srgb(inks: &Cmyk, icc: &[u8]) -> Option<RgbImage> {
    cmyk_lut::to_srgb(inks, icc).or_else(|| cmyk_by_curves(inks, icc))
}

/// For version 4 profiles with `lutAToBType` tables.
fn cmyk_by_curves(inks: &Cmyk, icc: &[u8]) -> Option<RgbImage> {
    let Way { from, to } = Way::new(icc, ColorProfile::new_srgb())?;
    let mut out = RgbImage::new(inks.width, inks.height);
    // moxcms reads four inks in the layout of RGBA.
    from.create_transform_8bit(Layout::Rgba, &to, Layout::Rgb, options())
        .ok()?
        .transform(&inks.samples, &mut out)
        .ok()?;
    Some(out)
}

impl Way {
    fn new(icc: &[u8], to: ColorProfile) -> Option<Self> {
        let mut from = ColorProfile::new_from_slice(icc).ok()?;
        from.lut_a_to_b_perceptual = from.lut_a_to_b_perceptual.or(from.lut_a_to_b_colorimetric.take());
        Some(Self { from, to })
    }

    /// Converts 8-bit samples.
    fn shallow<P: Pixel<Subpixel = u8>>(&self, image: &Buffer<P>, layout: Layout) -> Option<Buffer<P>> {
        run(&*self.from.create_transform_8bit(layout, &self.to, layout, options()).ok()?, image)
    }

    /// Converts 16-bit samples.
    fn deep<P: Pixel<Subpixel = u16>>(&self, image: &Buffer<P>, layout: Layout) -> Option<Buffer<P>> {
        run(&*self.from.create_transform_16bit(layout, &self.to, layout, options()).ok()?, image)
    }
}

fn run<P: Pixel>(transform: &dyn TransformExecutor<P::Subpixel>, image: &Buffer<P>) -> Option<Buffer<P>>
where
    P::Subpixel: Default,
{
    let mut out = Buffer::<P>::new(image.width(), image.height());
    transform.transform(image, &mut out).ok()?;
    Some(out)
}

/// Disables moxcms's fixed-point paths: they are coarser, and CPU intrinsics round differently from WebAssembly.
fn options() -> TransformOptions {
    TransformOptions { prefer_fixed_point: false, ..TransformOptions::default() }
}
