//! farbfeld (the specification is its manual page, farbfeld(5)).

use image::DynamicImage;

use crate::pixels;

/// Always four channels of 16 bits: the size depends only on width and height.
pub(crate) fn encode(image: DynamicImage) -> Vec<u8> {
    let image = pixels::rgba16(image);
    // The final length: a growing buffer would be in memory twice.
    let mut out = Vec::with_capacity(16 + 2 * image.len());
    out.extend(b"farbfeld");
    out.extend([image.width(), image.height()].into_iter().flat_map(u32::to_be_bytes));
    out.extend(image.iter().flat_map(|sample| sample.to_be_bytes()));
    out
}
