//! GIF (GIF89a), still and animated.

#[cfg(feature = "core")]
pub(crate) mod animation_decode;
#[cfg(feature = "core")]
pub(crate) mod animation_encode;
#[cfg(feature = "core")]
pub(crate) mod decode;
#[cfg(feature = "core")]
pub(crate) mod encode;
#[cfg(feature = "core")]
pub(crate) mod metadata;

use filepress_wire::MediaType;

#[cfg(feature = "core")]
use crate::formats::Codec;
#[cfg(feature = "core")]
use crate::formats::codec::{ReadFrames, WriteFrames};
use crate::formats::header_size::le32;
#[cfg(feature = "core")]
use crate::formats::image_rs;
use crate::formats::{Build, Format, HeaderSize, Traits};

/// The properties of the format.
pub(crate) const FORMAT: Format = Format {
    max_side: 65_535,
    default_quality: 100,
    lossless_refusal: "GIF has at most 256 colors and cannot promise to be lossless; write PNG or WebP.",
    encoder_bytes: |_| 18,
    size,
    ..Format::lossless(
        MediaType::Gif,
        Build::Core,
        Traits::QUALITY
            .and(Traits::ALPHA)
            .and(Traits::ANIMATION)
            .and(Traits::PALETTE)
            .and(Traits::STEPS)
            .and(Traits::MOVES),
    )
};

/// The logical screen (GIF89a, 18).
fn size(head: &[u8]) -> HeaderSize {
    let sides = le32(head, 6);
    HeaderSize::new(sides & 0xFFFF, sides >> 16)
}

/// What this build can do with the format.
#[cfg(feature = "core")]
pub(crate) const CODEC: Codec = Codec {
    decode_ns: 15,
    encode_ns: 400,
    decent_quality: 10,
    header: Some(|bytes| image_rs::header(bytes, &decode::READER)),
    pixels: Some(|bytes, _, limits| decode::pixels(bytes, limits)),
    probe: decode::probe,
    #[cfg(feature = "full")]
    check_complete: animation_decode::check_complete,
    read_metadata: Some(metadata::read),
    write_metadata: Some(|file, _| metadata::write(file)),
    encode: Some(|image, encoding, _, warnings| encode::encode(image, encoding, warnings)),
    frame_count: animation_decode::frame_count,
    read_frames: Some(ReadFrames { plays: animation_decode::plays, each: animation_decode::each }),
    write_frames: Some(WriteFrames {
        passes: 2,
        bytes_per_pixel: |_| 8,
        rewrites: |_| true,
        write: animation_encode::encode,
    }),
    ..Codec::NONE
};
