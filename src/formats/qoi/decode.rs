//! QOI by `image`.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::qoi;

use crate::formats::header_probe::{Fields, Probe};
use crate::formats::image_rs::{Reader, boxed};

/// How QOI is decoded.
pub(crate) const READER: Reader = Reader {
    media: MediaType::Qoi,
    open: |bytes| Reader::opened(MediaType::Qoi, qoi::QoiDecoder::new(Cursor::new(bytes)).map(boxed)),
    decoder_bytes: |_| 1,
    frame_count: |_| 1,
};

/// The fixed header (<https://qoiformat.org/qoi-specification.pdf>).
pub(crate) fn probe(bytes: &[u8]) -> Option<Probe> {
    let fields = Fields(bytes);
    Some(Probe {
        size: (fields.be32(4)?, fields.be32(8)?),
        gray: false,
        has_alpha: fields.byte(12)? == 4,
        bit_depth: 8,
    })
}
