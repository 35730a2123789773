//! WebP by image-webp: the first frame of an animation. Lossy data declares a size beside that of the canvas. It is
//! checked first, because image-webp allocates before it compares them.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::ImageDecoder;
use image::codecs::webp::WebPDecoder;

use crate::error::Error;
use crate::formats::header_probe::{Fields, Probe};
use crate::formats::image_rs::{Reader, boxed};
use crate::formats::webp::animation_decode::frame_count;

/// How WebP is decoded. In a lossy file, alpha is encoded separately.
pub(crate) const READER: Reader = Reader {
    media: MediaType::Webp,
    open: |bytes| match WebPDecoder::new(Cursor::new(bytes)) {
        Ok(decoder) if !is_within(bytes, decoder.dimensions()) => {
            Err(Error::corrupt(MediaType::Webp.name(), "its pixels reach beyond the canvas"))
        }
        opened => Reader::opened(MediaType::Webp, opened.map(boxed)),
    },
    decoder_bytes: |has_alpha| if has_alpha { 7 } else { 5 },
    frame_count,
};

/// RFC 9649, 2.7: 24 bits minus one; 3.4: 14 bits minus one; RFC 6386, 9.1: 14 bits below a two-bit scale.
pub(crate) fn probe(bytes: &[u8]) -> Option<Probe> {
    let fields = Fields(bytes);
    let (size, has_alpha) = match bytes.get(12..16)? {
        b"VP8X" => {
            let width = (fields.le32(24)? & 0xFF_FFFF) + 1;
            ((width, fields.le32(26)?.wrapping_shr(8) + 1), fields.byte(20)? & 0x10 != 0)
        }
        b"VP8L" => {
            let bits = fields.le32(21)?;
            (((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1), bits >> 28 & 1 == 1)
        }
        b"VP8 " => ((fields.le16(26)? & 0x3FFF, fields.le16(28)? & 0x3FFF), false),
        _ => return None,
    };
    Some(Probe { size, gray: false, has_alpha, bit_depth: 8 })
}

/// The distance from the start of a chunk of lossy data to the end of its size: chunk header, frame tag, start code,
/// and two sides of 14 bits below a two-bit scale (RFC 6386, 9.1).
const HEAD: usize = 18;

/// Whether no lossy data in the file exceeds the canvas. The chunk is searched for anywhere, because readers differ in
/// how they continue after a wrong length.
fn is_within(webp: &[u8], (width, height): (u32, u32)) -> bool {
    webp.windows(HEAD).all(|head| {
        let (kind, rest) = head.split_at(4);
        if kind != b"VP8 " || rest[7..10] != [0x9D, 0x01, 0x2A] {
            return true;
        }
        let side = |at: usize| u32::from(u16::from_le_bytes([rest[at], rest[at + 1]]) & 0x3FFF);
        side(10) <= width && side(12) <= height
    })
}
