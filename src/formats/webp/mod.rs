//! WebP (RFC 9649), still and animated.

#[cfg(feature = "pictures")]
#[cfg_attr(not(feature = "core"), allow(dead_code))]
pub(crate) mod animation_decode;
#[cfg(feature = "core")]
pub(crate) mod animation_encode;
#[cfg(feature = "pictures")]
pub(crate) mod decode;
#[cfg(feature = "photo")]
pub(crate) mod encode;
#[cfg(feature = "webp")]
#[cfg_attr(not(feature = "core"), allow(dead_code))]
pub(crate) mod metadata;
#[cfg(feature = "pictures")]
mod rows;

use filepress_wire::MediaType;

#[cfg(feature = "webp")]
use crate::formats::Codec;
#[cfg(feature = "core")]
use crate::formats::codec::{ReadFrames, WriteFrames};
use crate::formats::header_size::le32;
#[cfg(feature = "pictures")]
use crate::formats::image_rs;
#[cfg(feature = "webp")]
use crate::formats::metadata::Carries;
#[cfg(feature = "pictures")]
use crate::formats::rows::Rows;
use crate::formats::{Build, Format, HeaderSize, Traits};

/// The properties of the format.
pub(crate) const FORMAT: Format = Format {
    max_side: 16_383,
    default_quality: 80,
    encoder_bytes: |quality| if quality.is_some() { 8 } else { 35 },
    row_bytes: 2,
    size,
    ..Format::lossless(
        MediaType::Webp,
        Build::Core,
        Traits::QUALITY
            .and(Traits::AUTO)
            .and(Traits::LOSSLESS)
            .and(Traits::EFFORT)
            .and(Traits::ALPHA)
            .and(Traits::ANIMATION)
            .and(Traits::ICC)
            .and(Traits::EXIF)
            .and(Traits::STEPS)
            .and(Traits::PHOTO_OUTPUT)
            .and(Traits::MOVES)
            .and(Traits::AVIF_INPUT)
            .and(Traits::EIGHT_BIT),
    )
};

/// The first chunk (RFC 9649, 2.7 and 3.4; RFC 6386, 9.1).
fn size(head: &[u8]) -> HeaderSize {
    let bits = |at| le32(head, at);
    match bits(12) >> 24 {
        0x58 => HeaderSize::new((bits(24) & 0xFF_FFFF) + 1, (bits(26) >> 8) + 1),
        0x4C => HeaderSize::new((bits(21) & 0x3FFF) + 1, (bits(21) >> 14 & 0x3FFF) + 1),
        _ => HeaderSize::new(bits(26) & 0x3FFF, bits(26) >> 16 & 0x3FFF),
    }
}

/// What this build can do with the format.
#[cfg(feature = "webp")]
pub(crate) const CODEC: Codec = Codec {
    decode_ns: 25,
    encode_ns: 170,
    carries: Carries { icc: true, exif: metadata::MAX_DATA, xmp: metadata::MAX_DATA, iptc: 0 },
    #[cfg(feature = "photo")]
    prepared_bytes: 2,
    #[cfg(feature = "photo")]
    write_metadata: Some(metadata::write),
    #[cfg(feature = "photo")]
    encode: Some(|image, encoding, _, _| encode::encode(image, encoding)),
    #[cfg(feature = "photo")]
    prepare: Some(encode::prepare),
    #[cfg(feature = "pictures")]
    header: Some(|bytes| image_rs::header(bytes, &decode::READER)),
    #[cfg(feature = "pictures")]
    pixels: Some(|bytes, _, limits| image_rs::pixels(bytes, &decode::READER, limits)),
    #[cfg(feature = "pictures")]
    read_rows: Some(|bytes, _, _| {
        rows::rows(bytes, &image_rs::header(bytes, &decode::READER)?).map(Rows::Narrow)
    }),
    #[cfg(feature = "pictures")]
    row_memory: rows::memory,
    #[cfg(feature = "pictures")]
    probe: decode::probe,
    #[cfg(feature = "pictures")]
    read_metadata: Some(metadata::read),
    #[cfg(feature = "pictures")]
    frame_count: animation_decode::frame_count,
    #[cfg(feature = "core")]
    read_frames: Some(ReadFrames { plays: animation_decode::plays, each: animation_decode::each }),
    #[cfg(feature = "core")]
    write_frames: Some(WriteFrames {
        passes: 1,
        // A lossy frame with few colors is also encoded losslessly.
        bytes_per_pixel: |quality| if quality.is_some() { 35 } else { 56 },
        rewrites: |_| true,
        write: |animation, encoding, play, _| animation_encode::encode(animation, encoding, play),
    }),
    ..Codec::NONE
};
