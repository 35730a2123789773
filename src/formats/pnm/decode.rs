//! PNM by `image`.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::pnm;

use crate::formats::header_probe::Probe;
use crate::formats::image_rs::{Reader, boxed};
use crate::formats::pnm::metadata::Header;

/// How PNM is decoded.
pub(crate) const READER: Reader = Reader {
    media: MediaType::Pnm,
    open: |bytes| Reader::opened(MediaType::Pnm, pnm::PnmDecoder::new(Cursor::new(bytes)).map(boxed)),
    decoder_bytes: |_| 1,
    frame_count: |_| 1,
};

/// The numbers of the header, separated by white space and comments.
pub(crate) fn probe(bytes: &[u8]) -> Option<Probe> {
    let header = Header::read(bytes)?;
    Some(Probe {
        size: (header.width, header.height),
        gray: header.channels < 3,
        has_alpha: header.channels % 2 == 0,
        bit_depth: match header.greatest {
            1 => 1,
            2..=255 => 8,
            _ => 16,
        },
    })
}
