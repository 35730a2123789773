//! The crop stage, and the orient stage: turns stored pixels upright, as EXIF tag 0x0112 and the options ask.

use image::metadata::Orientation;
use image::{DynamicImage, ImageBuffer, Pixel};

use crate::pixels::part::{Part, turned_size};

/// Applies an orientation. An upright image is returned unchanged.
pub(crate) fn apply(image: DynamicImage, orientation: Orientation) -> DynamicImage {
    let part = Part::whole((image.width(), image.height()));
    moved(image, part, orientation)
}

/// Keeps a part of an image, which must be within it.
pub(crate) fn cut(image: DynamicImage, part: Part) -> DynamicImage {
    moved(image, part, Orientation::NoTransforms)
}

/// One function for both: each kind of pixels has its own code in the module.
fn moved(image: DynamicImage, part: Part, orientation: Orientation) -> DynamicImage {
    if orientation == Orientation::NoTransforms && part == Part::whole((image.width(), image.height())) {
        return image;
    }
    match image {
        DynamicImage::ImageLuma8(p) => DynamicImage::ImageLuma8(turn(&p, part, orientation)),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLumaA8(p) => DynamicImage::ImageLumaA8(turn(&p, part, orientation)),
        DynamicImage::ImageRgb8(p) => DynamicImage::ImageRgb8(turn(&p, part, orientation)),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgba8(p) => DynamicImage::ImageRgba8(turn(&p, part, orientation)),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLuma16(p) => DynamicImage::ImageLuma16(turn(&p, part, orientation)),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageLumaA16(p) => DynamicImage::ImageLumaA16(turn(&p, part, orientation)),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgb16(p) => DynamicImage::ImageRgb16(turn(&p, part, orientation)),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgba16(p) => DynamicImage::ImageRgba16(turn(&p, part, orientation)),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgb32F(p) => DynamicImage::ImageRgb32F(turn(&p, part, orientation)),
        #[cfg(feature = "pictures")]
        DynamicImage::ImageRgba32F(p) => DynamicImage::ImageRgba32F(turn(&p, part, orientation)),
        other => other,
    }
}

fn turn<P: Pixel>(
    source: &ImageBuffer<P, Vec<P::Subpixel>>,
    part: Part,
    orientation: Orientation,
) -> ImageBuffer<P, Vec<P::Subpixel>> {
    let width = source.width() as isize;
    let origin = part.top as isize * width + part.left as isize;
    let (last_column, last_row) = (part.width as isize - 1, (part.height as isize - 1) * width);
    // The source of the first output pixel, and the steps between the sources of neighbors: to the right, and down.
    let (start, right, down) = match orientation {
        Orientation::NoTransforms => (0, 1, width),
        Orientation::FlipHorizontal => (last_column, -1, width),
        Orientation::Rotate180 => (last_row + last_column, -1, -width),
        Orientation::FlipVertical => (last_row, 1, -width),
        Orientation::Rotate90FlipH => (0, width, 1),
        Orientation::Rotate90 => (last_row, -width, 1),
        Orientation::Rotate270FlipH => (last_row + last_column, -width, -1),
        Orientation::Rotate270 => (last_column, width, -1),
    };
    let (out_width, out_height) = turned_size(part.size(), orientation);
    let channels = usize::from(P::CHANNEL_COUNT);
    let mut out = ImageBuffer::new(out_width, out_height);
    let mut row_start = origin + start;
    for row in out.chunks_exact_mut(out_width as usize * channels) {
        let mut from = row_start;
        row_start += down;
        if right == 1 {
            let at = from as usize * channels;
            let length = row.len();
            row.copy_from_slice(&source.as_raw()[at..at + length]);
            continue;
        }
        for pixel in row.chunks_exact_mut(channels) {
            let at = from as usize * channels;
            pixel.copy_from_slice(&source.as_raw()[at..at + channels]);
            from += right;
        }
    }
    out
}
