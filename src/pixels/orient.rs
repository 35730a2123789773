//! The orient stage: turns stored pixels upright, as EXIF tag 0x0112 asks.

use image::metadata::Orientation;
use image::{DynamicImage, ImageBuffer, Pixel};

/// Applies an orientation. An upright image is returned unchanged.
pub(crate) fn apply(image: DynamicImage, orientation: Orientation) -> DynamicImage {
    if orientation == Orientation::NoTransforms {
        return image;
    }
    match image {
        DynamicImage::ImageLuma8(p) => DynamicImage::ImageLuma8(turn(&p, orientation)),
        #[cfg(feature = "core")]
        DynamicImage::ImageLumaA8(p) => DynamicImage::ImageLumaA8(turn(&p, orientation)),
        DynamicImage::ImageRgb8(p) => DynamicImage::ImageRgb8(turn(&p, orientation)),
        #[cfg(feature = "core")]
        DynamicImage::ImageRgba8(p) => DynamicImage::ImageRgba8(turn(&p, orientation)),
        #[cfg(feature = "core")]
        DynamicImage::ImageLuma16(p) => DynamicImage::ImageLuma16(turn(&p, orientation)),
        #[cfg(feature = "core")]
        DynamicImage::ImageLumaA16(p) => DynamicImage::ImageLumaA16(turn(&p, orientation)),
        #[cfg(feature = "core")]
        DynamicImage::ImageRgb16(p) => DynamicImage::ImageRgb16(turn(&p, orientation)),
        #[cfg(feature = "core")]
        DynamicImage::ImageRgba16(p) => DynamicImage::ImageRgba16(turn(&p, orientation)),
        #[cfg(feature = "core")]
        DynamicImage::ImageRgb32F(p) => DynamicImage::ImageRgb32F(turn(&p, orientation)),
        #[cfg(feature = "core")]
        DynamicImage::ImageRgba32F(p) => DynamicImage::ImageRgba32F(turn(&p, orientation)),
        other => other,
    }
}

/// Whether an orientation turns by 90° or 270°, which swaps width and height.
pub(crate) fn swaps(orientation: Orientation) -> bool {
    matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    )
}

fn turn<P: Pixel>(
    source: &ImageBuffer<P, Vec<P::Subpixel>>,
    orientation: Orientation,
) -> ImageBuffer<P, Vec<P::Subpixel>> {
    let (width, height) = (source.width() as isize, source.height() as isize);
    let (last_column, last_row) = (width - 1, (height - 1) * width);
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
    let (out_width, out_height) = match swaps(orientation) {
        true => (source.height(), source.width()),
        false => (source.width(), source.height()),
    };
    let channels = usize::from(P::CHANNEL_COUNT);
    let mut out = ImageBuffer::new(out_width, out_height);
    let mut row_start = start;
    for row in out.chunks_exact_mut(out_width as usize * channels) {
        let mut from = row_start;
        for pixel in row.chunks_exact_mut(channels) {
            let at = from as usize * channels;
            pixel.copy_from_slice(&source.as_raw()[at..at + channels]);
            from += right;
        }
        row_start += down;
    }
    out
}
