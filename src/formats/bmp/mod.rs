//! BMP, the bitmap of Windows.

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

/// What the format can do.
pub(crate) const FORMAT: Format = Format {
    // What the decoder reads; the format itself holds 2³¹ − 1.
    max_side: 65_535,
    encoder_bytes: |_| 8,
    ..Format::lossless(MediaType::Bmp, Build::Core, Traits::ALPHA)
};

/// What this build does with it.
#[cfg(feature = "core")]
pub(crate) const CODEC: Codec = Codec {
    // Deep pixels are made narrow before it is looked at how to code them.
    narrowing_bytes: 6,
    header: Some(|bytes| image_rs::header(bytes, &decode::READER)),
    pixels: Some(|bytes, _, limits| image_rs::pixels(bytes, &decode::READER, limits)),
    probe: decode::probe,
    read_metadata: Some(metadata::read),
    write_metadata: Some(metadata::write),
    encode: Some(|image, _, _, _| encode::encode(&image)),
    ..Codec::NONE
};
