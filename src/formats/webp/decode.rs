//! WebP by image-webp: the first frame of an animation. Lossy pixels have a size of their own beside that of the canvas, which is
//! looked at first: image-webp allocates before it compares.

use std::io::Cursor;

use filepress_wire::MediaType;
use image::ImageDecoder;
use image::codecs::webp::WebPDecoder;

use crate::error::Error;
use crate::formats::header_probe::{Fields, Probe};
use crate::formats::image_rs::{Reader, boxed};
use crate::formats::webp::animation_decode::frame_count;

/// How it is decoded. Of a lossy one, alpha is coded as pixels of its own.
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

/// RFC 9649, 2.7: 24 bits less one; 3.4: 14 bits less one; RFC 6386, 9.1: 14 bits below two of scale.
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

/// How many bytes lie between the beginning of a chunk of lossy pixels and the end of its size: its head, the frame tag, the start
/// code, and two sides of 14 bits below two of scale (RFC 6386, 9.1).
const HEAD: usize = 18;

/// Whether no lossy pixels in the file reach beyond the canvas. The chunk is looked for anywhere, since walks from chunk to chunk
/// differ where a length is wrong.
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
