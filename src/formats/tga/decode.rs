//! TGA by `image`.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::tga;

use crate::formats::header_probe::{Fields, Probe};
use crate::formats::image_rs::{Reader, boxed};

/// How TGA is decoded.
pub(crate) const READER: Reader = Reader {
    media: MediaType::Tga,
    open: |bytes| Reader::opened(MediaType::Tga, tga::TgaDecoder::new(Cursor::new(bytes)).map(boxed)),
    decoder_bytes: |_| 1,
    frame_count: |_| 1,
};

/// Types 3 and 11 are gray.
pub(crate) fn probe(bytes: &[u8]) -> Option<Probe> {
    let fields = Fields(bytes);
    Some(Probe {
        size: (fields.le16(12)?, fields.le16(14)?),
        gray: fields.byte(2)? & 7 == 3,
        has_alpha: fields.byte(16)? == 32,
        bit_depth: 8,
    })
}
