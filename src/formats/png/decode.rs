//! PNG by `image`. Of an APNG, the default image is decoded.

use std::borrow::Cow;
use std::io::Cursor;

use filepress_wire::MediaType;
use image::codecs::png::PngDecoder;

use crate::formats::header_probe::{Fields, Probe};
use crate::formats::image_rs::{Reader, boxed};
use crate::formats::png::animation_decode::frame_count;
use crate::formats::png::metadata::{Chunks, push};
use crate::metadata::MAX_DECOMPRESSED;

/// The color type of gray in IHDR (11.2.1).
const GRAY: u8 = 0;

/// How PNG is decoded.
pub(crate) const READER: Reader = Reader {
    media: MediaType::Png,
    open: |bytes| Reader::opened(MediaType::Png, open(bytes).map(boxed)),
    decoder_bytes: |_| 1,
    frame_count,
};

/// A PNG decoder whose memory is limited to the input's chunks, a row, and a profile of [`MAX_DECOMPRESSED`] bytes. A
/// larger profile counts as absent.
pub(crate) fn open(bytes: &[u8]) -> image::ImageResult<PngDecoder<Cursor<Cow<'_, [u8]>>>> {
    let width = probe(bytes).map_or(0, |probe| probe.size.0);
    let mut bounds = image::Limits::no_limits();
    bounds.max_alloc = Some(4 * bytes.len() as u64 + 16 * u64::from(width) + MAX_DECOMPRESSED as u64);
    PngDecoder::with_limits(Cursor::new(with_masked_key(bytes)), bounds)
}

/// The file with a transparent gray that has no bits above the depth. Only the lowest bits of `tRNS` count (PNG, third edition,
/// 11.3.1.1), but `png` compares all of them with a pixel of 1, 2 or 4 bits.
fn with_masked_key(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(&[depth @ (1 | 2 | 4), GRAY]) = bytes.get(24..26) else { return bytes.into() };
    let mut start = 8;
    for chunk in Chunks::new(bytes).take_while(|chunk| &chunk.kind != b"IDAT") {
        let key =
            <[u8; 2]>::try_from(chunk.data).ok().filter(|_| &chunk.kind == b"tRNS" && chunk.is_intact());
        if let Some([_, key]) = key.filter(|[_, key]| key >> depth != 0) {
            let mut file = bytes[..start].to_vec();
            if push(&mut file, b"tRNS", &[&[0, key & ((1 << depth) - 1)]]).is_some() {
                file.extend_from_slice(&bytes[start + chunk.whole.len()..]);
                return file.into();
            }
        }
        start += chunk.whole.len();
    }
    bytes.into()
}

/// The color type has bits for color (2) and alpha (4): PNG, third edition, 11.2.1.
pub(crate) fn probe(bytes: &[u8]) -> Option<Probe> {
    let fields = Fields(bytes);
    let (bit_depth, kind) = (fields.byte(24)?, fields.byte(25)?);
    let is_header = bytes.get(12..16)? == b"IHDR" && matches!(bit_depth, 1 | 2 | 4 | 8 | 16);
    let size = (fields.be32(16)?, fields.be32(20)?);
    is_header.then_some(Probe { size, gray: kind & 2 == 0, has_alpha: kind & 4 != 0, bit_depth })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::image_rs;
    use crate::limits::Limits;
    use image::codecs::png;
    use image::{ExtendedColorType, ImageDecoder, ImageEncoder};

    #[test]
    fn a_profile_that_unfolds_without_end_is_as_absent() {
        for (size, is_there) in [(1 << 16, true), (2 * MAX_DECOMPRESSED, false)] {
            let mut file = Vec::new();
            let mut encoder = png::PngEncoder::new(&mut file);
            encoder.set_icc_profile(vec![0; size]).expect("a profile");
            encoder.write_image(&[1, 2, 3], 1, 1, ExtendedColorType::Rgb8).expect("a PNG");
            let mut decoder = (READER.open)(&file).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(decoder.icc_profile().expect("chunks").is_some(), is_there, "{size} bytes");
            assert!(image_rs::pixels(&file, &READER, &Limits::default()).is_ok());
        }
    }
}
