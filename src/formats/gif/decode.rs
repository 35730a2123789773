//! Decodes the first frame of a GIF by `image`.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::DynamicImage;
use image::codecs::gif;

use crate::error::Result;
use crate::formats::gif::animation_decode::{first_size, frame_count};
use crate::formats::header_probe::{Fields, Probe};
use crate::formats::image_rs::{self, Reader, boxed};
use crate::limits::Limits;

/// How GIF is decoded.
pub(crate) const READER: Reader = Reader {
    media: MediaType::Gif,
    open: |bytes| Reader::opened(MediaType::Gif, gif::GifDecoder::new(Cursor::new(bytes)).map(boxed)),
    decoder_bytes: |_| 4,
    frame_count,
};

/// The first frame on its canvas. The limits were checked against the canvas, which a frame can exceed.
pub(crate) fn pixels(bytes: &[u8], limits: &Limits) -> Result<DynamicImage> {
    let (width, height) = first_size(bytes).unwrap_or_default();
    limits.check_pixels("frame", width, height)?;
    let area = |(width, height): (u32, u32)| u64::from(width) * u64::from(height);
    let canvas = probe(bytes).map_or(0, |probe| area(probe.size));
    // As of the frames of an animation.
    let beyond = area((width, height)).saturating_sub(canvas);
    limits.check_memory(bytes.len() as u64 + 4 * canvas + 5 * beyond)?;
    image_rs::pixels(bytes, &READER, limits)
}

/// The logical screen (GIF89a, 18).
pub(crate) fn probe(bytes: &[u8]) -> Option<Probe> {
    let fields = Fields(bytes);
    Some(Probe { size: (fields.le16(6)?, fields.le16(8)?), gray: false, has_alpha: true, bit_depth: 8 })
}
