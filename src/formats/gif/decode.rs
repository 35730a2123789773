//! Decodes the first frame of a GIF by `image`.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::gif;

use crate::formats::gif::animation_decode::frame_count;
use crate::formats::header_probe::{Fields, Probe};
use crate::formats::image_rs::{Reader, boxed};

/// How GIF is decoded.
pub(crate) const READER: Reader = Reader {
    media: MediaType::Gif,
    open: |bytes| Reader::opened(MediaType::Gif, gif::GifDecoder::new(Cursor::new(bytes)).map(boxed)),
    decoder_bytes: |_| 4,
    frame_count,
};

/// The logical screen (GIF89a, 18).
pub(crate) fn probe(bytes: &[u8]) -> Option<Probe> {
    let fields = Fields(bytes);
    Some(Probe { size: (fields.le16(6)?, fields.le16(8)?), gray: false, has_alpha: true, bit_depth: 8 })
}
