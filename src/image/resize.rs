//! The resize stage: Lanczos3 on colors premultiplied by alpha.
//!
//! Pixels are resized row by row: those of 8 bits a sample in integers (`rows`), deeper ones at 16 bits (`deep_rows`). Floating-point
//! pixels are resized in `float`. Sums have a fixed order, so that every machine rounds alike.

#[cfg(feature = "pictures")]
mod deep_rows;
#[cfg(feature = "full")]
mod float;
#[cfg(feature = "pictures")]
mod premultiplied;
mod rows;

use std::borrow::Cow;

use filepress_resample::Axis;
#[cfg(feature = "pictures")]
use image::RgbaImage;
use image::{DynamicImage, ImageBuffer, Pixel};

use crate::error::Result;
use crate::formats::coded::Resampling;
use crate::formats::rows::Samples;
use crate::image::geometry::Extent;
use crate::options::Position;
#[cfg(feature = "pictures")]
use crate::pixels;
use crate::pixels::part::Part;

#[cfg(feature = "pictures")]
pub(crate) use deep_rows::{DeepRowResizer, deep_memory};
#[cfg(feature = "full")]
pub(crate) use float::tap_bytes;
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

    /// What the rows and columns become of a source of this size.
    pub(crate) fn resampling(self, (width, height): (u32, u32)) -> Resampling {
        let Extent { left, top, width: columns, height: rows } = self.part;
        Resampling {
            across: Axis { size: width, start: left, length: columns, to: self.width },
            down: Axis { size: height, start: top, length: rows, to: self.height },
        }
    }

    /// Whether pixels of the output are made of several of the source's. If not, the part is only cut out.
    pub(crate) fn interpolates(self) -> bool {
        let Extent { left, top, width, height } = self.part;
        (width, height) != (self.width.into(), self.height.into())
            || left.fract() != 0.0
            || top.fract() != 0.0
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
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgba8(p) => DynamicImage::ImageRgba8(eight_bit(&p, Samples::Rgba, target)?),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLumaA8(_) => {
            let rgba: RgbaImage = eight_bit(&pixels::rgba8(source), Samples::Rgba, target)?;
            DynamicImage::ImageLumaA8(pixels::gray_alpha8(DynamicImage::ImageRgba8(rgba)))
        }
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLuma16(p) => DynamicImage::ImageLuma16(deep(p, target)?),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLumaA16(p) => DynamicImage::ImageLumaA16(deep(p, target)?),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgb16(p) => DynamicImage::ImageRgb16(deep(p, target)?),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgba16(p) => DynamicImage::ImageRgba16(deep(p, target)?),
        #[cfg(feature = "full")]
        DynamicImage::ImageRgb32F(p) => DynamicImage::ImageRgb32F(float::apply(p, target)),
        #[cfg(feature = "full")]
        DynamicImage::ImageRgba32F(p) => DynamicImage::ImageRgba32F(float::apply(p, target)),
        #[cfg(feature = "pictures")]
        other if other.color().has_alpha() => DynamicImage::ImageRgba16(deep(pixels::rgba16(other), target)?),
        #[cfg(feature = "pictures")]
        other => DynamicImage::ImageRgb16(deep(pixels::rgb16(other), target)?),
        // JPEG decodes to no other pixel types.
        #[cfg(not(feature = "pictures"))]
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

/// Resizes a picture of 16 bits a sample.
#[cfg(feature = "pictures")]
fn deep<P: Pixel<Subpixel = u16>>(mut source: Buffer<P>, target: Target) -> Result<Buffer<P>> {
    let channels = usize::from(P::CHANNEL_COUNT);
    let mut resized = Buffer::<P>::new(target.width, target.height);
    let mut resizer = DeepRowResizer::new(target, source.dimensions(), (channels, P::HAS_ALPHA));
    let mut to = resized.chunks_exact_mut(target.width as usize * channels);
    let row = source.width() as usize * channels;
    for row in source.chunks_exact_mut(row) {
        resizer.push(row, &mut |row| {
            if let Some(to) = to.next() {
                to.copy_from_slice(row);
            }
            Ok(())
        })?;
    }
    Ok(resized)
}
