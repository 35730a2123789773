//! farbfeld by `image`.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::farbfeld;

use crate::formats::header_probe::{Fields, Probe};
use crate::formats::image_rs::{Reader, boxed};

/// How farbfeld is decoded.
pub(crate) const READER: Reader = Reader {
    media: MediaType::Farbfeld,
    open: |bytes| {
        Reader::opened(MediaType::Farbfeld, farbfeld::FarbfeldDecoder::new(Cursor::new(bytes)).map(boxed))
    },
    decoder_bytes: |_| 2,
    frame_count: |_| 1,
};

/// The fixed header (<https://tools.suckless.org/farbfeld/>).
pub(crate) fn probe(bytes: &[u8]) -> Option<Probe> {
    let fields = Fields(bytes);
    Some(Probe { size: (fields.be32(8)?, fields.be32(12)?), gray: false, has_alpha: true, bit_depth: 16 })
}
