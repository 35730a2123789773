//! AVIF (ISO/IEC 23000-22): AV1 in an ISO base media file.

#[cfg(feature = "full")]
pub(crate) mod decode;
#[cfg(feature = "photo_avif")]
pub(crate) mod encode;
#[cfg(feature = "full")]
mod gain_map;
#[cfg(feature = "photo_avif")]
pub(crate) mod metadata;

use filepress_wire::MediaType;

#[cfg(feature = "photo_avif")]
use crate::formats::Codec;
use crate::formats::header_size::be32;
#[cfg(feature = "photo_avif")]
use crate::formats::metadata::Carries;
use crate::formats::{Build, Format, HeaderSize, Traits};

/// The properties of the format.
pub(crate) const FORMAT: Format = Format {
    max_side: 65_535,
    default_quality: 60,
    // Planes of 16 bits, and the file: chroma has half or full resolution, or is green, blue and red of 8 bits. Drawings have chroma of
    // full resolution at any quality, but small files. 4 of the bytes are an index of what a drawing repeats.
    encoder_bytes: |quality| match quality {
        Some(0..90) => 18,
        Some(90..=95) => 29,
        Some(_) => 38,
        None => 34,
    },
    size,
    ..Format::lossless(
        MediaType::Avif,
        Build::Full,
        Traits::QUALITY
            .and(Traits::AUTO)
            .and(Traits::LOSSLESS)
            .and(Traits::EFFORT)
            .and(Traits::ALPHA)
            .and(Traits::GRAY)
            .and(Traits::ICC)
            .and(Traits::EXIF)
            .and(Traits::STEPS)
            .and(Traits::CHROMA)
            .and(Traits::AVIF_OUTPUT)
            .and(Traits::MOVES)
            .and(Traits::EIGHT_BIT),
    )
};

const ISPE: u32 = u32::from_be_bytes(*b"ispe");

/// The largest `ispe` box (ISO/IEC 23008-12, 6.5.3): tiles and thumbnails have some too.
fn size(head: &[u8]) -> HeaderSize {
    let mut largest = HeaderSize::default();
    let area = |width: u32, height: u32| u64::from(width) * u64::from(height);
    for at in (0..head.len()).filter(|at| be32(head, *at) == ISPE) {
        let (width, height) = (be32(head, at + 8), be32(head, at + 12));
        if area(width, height) > area(largest.width, largest.height) {
            largest = HeaderSize::new(width, height);
        }
    }
    largest
}

/// What this build can do with the format.
#[cfg(feature = "photo_avif")]
pub(crate) const CODEC: Codec = Codec {
    decode_ns: 100,
    encode_ns: 2000,
    decent_quality: 30,
    carries: Carries { icc: true, exif: metadata::MAX_DATA, xmp: metadata::MAX_DATA, iptc: 0 },
    // 16-bit planes: up to three of color, and alpha.
    prepared_bytes: 8,
    encoder_block: 64,
    #[cfg(feature = "full")]
    header: Some(decode::header),
    #[cfg(feature = "full")]
    pixels: Some(|bytes, _, limits| decode::pixels(bytes, limits)),
    #[cfg(feature = "full")]
    read_rows: Some(|bytes, _, limits| decode::rows(bytes, limits)),
    #[cfg(feature = "full")]
    row_memory: |bytes, header| decode::has_rows(bytes).then_some(header.decoder_bytes),
    #[cfg(feature = "full")]
    read_metadata: Some(metadata::read),
    write_metadata: Some(metadata::write),
    encode: Some(|image, encoding, _, _| encode::encode(image, encoding)),
    prepare: Some(encode::prepare),
    #[cfg(feature = "full")]
    add_gain_map: Some(gain_map::add),
    ..Codec::NONE
};
