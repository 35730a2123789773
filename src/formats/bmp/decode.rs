//! BMP by `image`.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::bmp;

use crate::formats::header_probe::{Fields, Probe};
use crate::formats::image_rs::{Reader, boxed};

/// How BMP is decoded.
pub(crate) const READER: Reader = Reader {
    media: MediaType::Bmp,
    open: |bytes| Reader::opened(MediaType::Bmp, bmp::BmpDecoder::new(Cursor::new(bytes)).map(boxed)),
    decoder_bytes: |_| 1,
    frame_count: |_| 1,
};

/// The header at offset 14 is 12 bytes long if sides have 16 bits. A negative height means that the top row is first.
pub(crate) fn probe(bytes: &[u8]) -> Option<Probe> {
    let fields = Fields(bytes);
    match fields.le32(14)? {
        12 => Some(Probe {
            size: (fields.le16(18)?, fields.le16(20)?),
            gray: false,
            has_alpha: false,
            bit_depth: 8,
        }),
        _ => Some(Probe {
            size: (fields.le32(18)?, fields.le32(22)?.cast_signed().unsigned_abs()),
            gray: false,
            has_alpha: fields.le16(28)? == 32,
            bit_depth: 8,
        }),
    }
}
