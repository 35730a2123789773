//! The resize stage: Lanczos3 on colors premultiplied by alpha.
//!
//! 8-bit pixels are resized row by row (`rows`). Deeper pixels are resized plane by plane at 16 bits, so that the module needs no
//! resampler for each pixel type. Both use integer arithmetic, so every machine rounds alike. Floating-point pixels are
//! resized in `float`.

#[cfg(feature = "full")]
mod float;
#[cfg(feature = "core")]
mod premultiplied;
mod rows;

use std::borrow::Cow;

#[cfg(feature = "core")]
use fast_image_resize::images::TypedImage;
#[cfg(feature = "core")]
use fast_image_resize::pixels::U16;
#[cfg(feature = "core")]
use fast_image_resize::{Filter, FilterType, ResizeAlg, ResizeOptions, Resizer};
#[cfg(feature = "core")]
use filepress_resample::{LOBES, lanczos};
#[cfg(feature = "core")]
use image::RgbaImage;
use image::{DynamicImage, ImageBuffer, Pixel};

use crate::error::Result;
#[cfg(feature = "core")]
use crate::error::{Error, ErrorCode};
use crate::formats::rows::Samples;
use crate::image::geometry::Extent;
use crate::options::Position;
#[cfg(feature = "core")]
use crate::pixels;
use crate::pixels::part::Part;

pub(crate) use rows::{RowResizer, memory};

type Buffer<P> = ImageBuffer<P, Vec<<P as Pixel>::Subpixel>>;

/// The requested size, and the part of the source that it shows.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    width: u32,
    height: u32,
    part: Extent,
}

impl Target {
    /// With a position, a part of another shape than the output is cropped; without, it is stretched.
    pub(crate) fn new(part: Extent, (width, height): (u32, u32), position: Option<Position>) -> Self {
        Self { width, height, part: part.shaped((width, height), position) }
    }

    /// Whether the output has more or fewer pixels than the part. If not, the part is only cut out.
    #[cfg(feature = "core")]
    fn scales(self) -> bool {
        self.part.width != f64::from(self.width) || self.part.height != f64::from(self.height)
    }
}

/// Stretches a picture to (width, height).
pub(crate) fn apply(source: &DynamicImage, size: (u32, u32)) -> Result<DynamicImage> {
    let part = Part::whole((source.width(), source.height())).into();
    apply_to(Cow::Borrowed(source), part, size, None)
}

/// Resizes a part of a picture to (width, height). With a position, a part of another shape is cropped there.
pub(crate) fn apply_to(
    source: Cow<'_, DynamicImage>,
    part: Extent,
    size: (u32, u32),
    position: Option<Position>,
) -> Result<DynamicImage> {
    let target = Target::new(part, size, position);
    match &*source {
        DynamicImage::ImageLuma8(p) => return Ok(eight_bit(p, Samples::Gray, target)?.into()),
        DynamicImage::ImageRgb8(p) => return Ok(eight_bit(p, Samples::Rgb, target)?.into()),
        _ => {}
    }
    // The others are changed before they are resized.
    let source = source.into_owned();
    Ok(match source {
        #[cfg(feature = "core")]
        DynamicImage::ImageRgba8(p) => DynamicImage::ImageRgba8(eight_bit(&p, Samples::Rgba, target)?),
        #[cfg(feature = "core")]
        DynamicImage::ImageLumaA8(_) => {
            let rgba: RgbaImage = eight_bit(&pixels::rgba8(source), Samples::Rgba, target)?;
            DynamicImage::ImageLumaA8(pixels::gray_alpha8(DynamicImage::ImageRgba8(rgba)))
        }
        #[cfg(feature = "core")]
        DynamicImage::ImageLuma16(p) => DynamicImage::ImageLuma16(planes(p, target)?),
        #[cfg(feature = "core")]
        DynamicImage::ImageLumaA16(p) => DynamicImage::ImageLumaA16(planes(p, target)?),
        #[cfg(feature = "core")]
        DynamicImage::ImageRgb16(p) => DynamicImage::ImageRgb16(planes(p, target)?),
        #[cfg(feature = "core")]
        DynamicImage::ImageRgba16(p) => DynamicImage::ImageRgba16(planes(p, target)?),
        #[cfg(feature = "full")]
        DynamicImage::ImageRgb32F(p) => DynamicImage::ImageRgb32F(float::apply(p, target)),
        #[cfg(feature = "full")]
        DynamicImage::ImageRgba32F(p) => DynamicImage::ImageRgba32F(float::apply(p, target)),
        #[cfg(feature = "core")]
        other if other.color().has_alpha() => {
            DynamicImage::ImageRgba16(planes(pixels::rgba16(other), target)?)
        }
        #[cfg(feature = "core")]
        other => DynamicImage::ImageRgb16(planes(pixels::rgb16(other), target)?),
        // JPEG decodes to no other pixel types.
        #[cfg(not(feature = "core"))]
        other => other,
    })
}

fn eight_bit<P>(source: &Buffer<P>, samples: Samples, target: Target) -> Result<Buffer<P>>
where
    P: Pixel<Subpixel = u8>,
{
    let mut resized = Buffer::<P>::new(target.width, target.height);
    rows::whole(source.as_raw(), source.dimensions(), samples, target, resized.as_mut())?;
    Ok(resized)
}

/// Resizes each channel as a plane, and interleaves them again.
#[cfg(feature = "core")]
fn planes<P: Pixel<Subpixel = u16>>(mut source: Buffer<P>, target: Target) -> Result<Buffer<P>> {
    let channels = usize::from(P::CHANNEL_COUNT);
    let has_alpha = P::HAS_ALPHA;
    if has_alpha {
        source.pixels_mut().for_each(|pixel| weigh(pixel.channels_mut()));
    }
    let mut resized = Buffer::<P>::new(target.width, target.height);
    let mut resizer = Resizer::new();
    for channel in 0..channels {
        let plane =
            source.as_raw().iter().skip(channel).step_by(channels).map(|&sample| U16::new(sample)).collect();
        let view = TypedImage::from_pixels(source.width(), source.height(), plane).map_err(internal)?;
        let mut out = TypedImage::<U16>::new(target.width, target.height);
        resizer.resize_typed(&view, &mut out, &options(target)).map_err(internal)?;
        for (to, from) in resized.iter_mut().skip(channel).step_by(channels).zip(out.pixels()) {
            *to = from.0;
        }
    }
    if has_alpha {
        resized.pixels_mut().for_each(|pixel| unweigh(pixel.channels_mut()));
    }
    Ok(resized)
}

#[cfg(feature = "core")]
fn options(target: Target) -> ResizeOptions {
    let Extent { left, top, width, height } = target.part;
    let lanczos = Filter::new("Lanczos3", lanczos, LOBES).map_or(FilterType::Lanczos3, FilterType::Custom);
    ResizeOptions::new().resize_alg(ResizeAlg::Convolution(lanczos)).crop(left, top, width, height)
}

/// Multiplies color by the alpha in the last channel.
#[cfg(feature = "core")]
fn weigh(channels: &mut [u16]) {
    if let Some((alpha, colors)) = channels.split_last_mut() {
        for color in colors {
            *color = ((u32::from(*color) * u32::from(*alpha) + 32_767) / 65_535) as u16;
        }
    }
}

/// Divides color by the alpha in the last channel.
#[cfg(feature = "core")]
fn unweigh(channels: &mut [u16]) {
    if let Some((alpha, colors)) = channels.split_last_mut() {
        let divisor = u32::from((*alpha).max(1));
        for color in colors {
            *color = ((u32::from(*color) * 65_535 + divisor / 2) / divisor).min(65_535) as u16;
        }
    }
}

#[cfg(feature = "core")]
fn internal(cause: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The image could not be resized: {cause}."))
}
