//! Pixels of one colour space to sRGB, by moxcms.

use image::{DynamicImage, RgbImage, RgbaImage};
use moxcms::{ColorProfile, Layout, TransformOptions};

use super::pixels;

/// `None` where the profile can not be applied.
pub(super) fn to_srgb(image: &DynamicImage, icc: &[u8]) -> Option<DynamicImage> {
    let (width, height) = (image.width(), image.height());
    match image {
        DynamicImage::ImageLuma8(grey) => rgb(icc, Layout::Gray, grey, width, height),
        DynamicImage::ImageLumaA8(grey) => rgba(icc, Layout::GrayAlpha, grey, width, height),
        DynamicImage::ImageRgb8(colours) => rgb(icc, Layout::Rgb, colours, width, height),
        other => rgba(icc, Layout::Rgba, &pixels::rgba8(other.clone()), width, height),
    }
}

fn rgb(icc: &[u8], layout: Layout, samples: &[u8], width: u32, height: u32) -> Option<DynamicImage> {
    let mut out = RgbImage::new(width, height);
    transform(icc, layout, Layout::Rgb, samples, &mut out)?;
    Some(DynamicImage::ImageRgb8(out))
}

fn rgba(icc: &[u8], layout: Layout, samples: &[u8], width: u32, height: u32) -> Option<DynamicImage> {
    let mut out = RgbaImage::new(width, height);
    transform(icc, layout, Layout::Rgba, samples, &mut out)?;
    Some(DynamicImage::ImageRgba8(out))
}

fn transform(icc: &[u8], from: Layout, to: Layout, samples: &[u8], out: &mut [u8]) -> Option<()> {
    let profile = ColorProfile::new_from_slice(icc).ok()?;
    profile
        .create_transform_8bit(from, &ColorProfile::new_srgb(), to, TransformOptions::default())
        .ok()?
        .transform(samples, out)
        .ok()
}
