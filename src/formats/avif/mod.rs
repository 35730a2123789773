//! AVIF (ISO/IEC 23000-22): AV1 in an ISO base media file.

#[cfg(feature = "full")]
pub(crate) mod decode;
#[cfg(feature = "full")]
pub(crate) mod encode;
#[cfg(feature = "full")]
pub(crate) mod metadata;

use filepress_wire::MediaType;

#[cfg(feature = "full")]
use crate::formats::Codec;
#[cfg(feature = "full")]
use crate::formats::metadata::Carries;
use crate::formats::{Build, Format, Traits};

/// What the format can do.
pub(crate) const FORMAT: Format = Format {
    max_side: 65_535,
    default_quality: 60,
    lossless_refusal: "AVIF is not written losslessly here; write PNG or WebP.",
    ..Format::lossless(
        MediaType::Avif,
        Build::Full,
        Traits::QUALITY
            .and(Traits::AUTO)
            .and(Traits::EFFORT)
            .and(Traits::ALPHA)
            .and(Traits::GRAY)
            .and(Traits::ICC)
            .and(Traits::EXIF)
            .and(Traits::STEPS)
            .and(Traits::MOVES),
    )
};

/// What this build does with it.
#[cfg(feature = "full")]
pub(crate) const CODEC: Codec = Codec {
    decent_quality: 30,
    carries: Carries { icc: true, exif: metadata::MAX_DATA, xmp: metadata::MAX_DATA, iptc: 0 },
    // Chroma has half the resolution, or all of it.
    encoder_bytes: |quality| match quality {
        Some(0..90) => 36,
        Some(90..=95) => 64,
        _ => 76,
    },
    // Planes of 16 bits: up to three of color, and alpha.
    prepared_bytes: 8,
    header: Some(decode::header),
    pixels: Some(|bytes, _, limits| decode::pixels(bytes, limits)),
    read_metadata: Some(metadata::read),
    write_metadata: Some(metadata::write),
    encode: Some(|image, encoding, _, _| {
        encode::encode(image, encoding.quality().unwrap_or(100), encoding.effort())
    }),
    prepare: Some(encode::prepare),
    ..Codec::NONE
};
