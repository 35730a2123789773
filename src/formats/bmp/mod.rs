//! BMP, the Windows bitmap.

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
use crate::formats::image_rs;
use crate::formats::{Build, Format, Traits};

/// The properties of the format.
pub(crate) const FORMAT: Format = Format {
    // The limit of the decoder; the format allows 2³¹ − 1.
    max_side: 65_535,
    encoder_bytes: |_| 8,
    ..Format::lossless(MediaType::Bmp, Build::Core, Traits::ALPHA.and(Traits::EIGHT_BIT))
};

/// What this build can do with the format.
#[cfg(feature = "core")]
pub(crate) const CODEC: Codec = Codec {
    // The encoder converts more than 8 bits per channel first.
    narrowing_bytes: 6,
    header: Some(|bytes| image_rs::header(bytes, &decode::READER)),
    pixels: Some(|bytes, _, limits| image_rs::pixels(bytes, &decode::READER, limits)),
    probe: decode::probe,
    read_metadata: Some(metadata::read),
    write_metadata: Some(metadata::write),
    encode: Some(|image, _, _, _| encode::encode(&image)),
    ..Codec::NONE
};
