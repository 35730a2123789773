//! PNG (third edition). An animated PNG is read, and written again in its geometry.

#[cfg(feature = "pictures")]
#[cfg_attr(not(feature = "core"), allow(dead_code))]
pub(crate) mod animation_decode;
#[cfg(feature = "core")]
pub(crate) mod animation_encode;
#[cfg(feature = "pictures")]
pub(crate) mod color_chunks;
#[cfg(feature = "pictures")]
pub(crate) mod decode;
#[cfg(feature = "core")]
pub(crate) mod encode;
#[cfg(feature = "pictures")]
pub(crate) mod metadata;

use filepress_wire::MediaType;

#[cfg(feature = "pictures")]
use crate::formats::Codec;
#[cfg(feature = "core")]
use crate::formats::codec::{ReadFrames, WriteFrames};
use crate::formats::header_size::be32;
#[cfg(feature = "pictures")]
use crate::formats::image_rs;
#[cfg(feature = "pictures")]
use crate::formats::metadata::Carries;
#[cfg(feature = "pictures")]
use crate::formats::rows::Rows;
use crate::formats::{Build, Format, HeaderSize, Tables, Traits};

/// The properties of the format.
pub(crate) const FORMAT: Format = Format {
    encoder_bytes: |quality| if quality.is_some() { 16 } else { 8 },
    encoder_tables: Tables::deflate,
    row_bytes: 1,
    size,
    ..Format::lossless(
        MediaType::Png,
        Build::Core,
        Traits::QUALITY
            .and(Traits::AUTO)
            .and(Traits::LOSSLESS)
            .and(Traits::EFFORT)
            .and(Traits::ALPHA)
            .and(Traits::GRAY)
            .and(Traits::DEEP)
            .and(Traits::ICC)
            .and(Traits::CODE_POINTS)
            .and(Traits::EXIF)
            .and(Traits::PALETTE)
            .and(Traits::STEPS)
            .and(Traits::MOVES)
            .and(Traits::AVIF_INPUT),
    )
};

/// The first chunk, IHDR (PNG, third edition, 11.2.1).
fn size(head: &[u8]) -> HeaderSize {
    HeaderSize::new(be32(head, 16), be32(head, 20))
}

/// What this build can do with the format.
#[cfg(feature = "pictures")]
pub(crate) const CODEC: Codec = Codec {
    decode_ns: 15,
    encode_ns: 350,
    decent_quality: 10,
    carries: Carries { icc: true, exif: metadata::MAX_DATA, xmp: metadata::MAX_XMP, iptc: 0 },
    header: Some(|bytes| image_rs::header(bytes, &decode::READER)),
    pixels: Some(|bytes, _, limits| decode::pixels(bytes, limits)),
    read_rows: Some(|bytes, _, _| decode::rows(bytes).map(Rows::Narrow)),
    row_memory: |bytes, header| decode::has_rows(bytes, header).then_some(header.decoder_bytes),
    probe: decode::probe,
    read_metadata: Some(metadata::read),
    #[cfg(feature = "core")]
    write_metadata: Some(metadata::write::write),
    #[cfg(feature = "core")]
    encode: Some(|image, encoding, has_profile, warnings| match encoding.quality() {
        None => encode::encode(image, encoding.effort(), has_profile),
        Some(_) => encode::encode_palette(image, encoding, has_profile, warnings),
    }),
    // The color type in IHDR (11.2.1).
    #[cfg(feature = "core")]
    is_indexed: |bytes| bytes.get(25) == Some(&3),
    frame_count: animation_decode::frame_count,
    #[cfg(feature = "core")]
    read_frames: Some(ReadFrames { plays: animation_decode::plays, each: animation_decode::each }),
    #[cfg(feature = "core")]
    write_frames: Some(WriteFrames {
        passes: 2,
        bytes_per_pixel: |_| 34,
        rewrites: animation_decode::is_rewritable,
        write: |animation, encoding, play, _| animation_encode::encode(animation, encoding, play),
    }),
    ..Codec::NONE
};
