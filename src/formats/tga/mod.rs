//! TGA (Truevision).

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
    max_side: 65_535,
    encoder_bytes: |_| 11,
    ..Format::lossless(MediaType::Tga, Build::Core, Traits::ALPHA.and(Traits::EIGHT_BIT))
};

/// What this build can do with the format.
#[cfg(feature = "core")]
pub(crate) const CODEC: Codec = Codec {
    header: Some(|bytes| image_rs::header(bytes, &decode::READER)),
    pixels: Some(|bytes, _, limits| image_rs::pixels(bytes, &decode::READER, limits)),
    probe: decode::probe,
    write_metadata: Some(|file, _| metadata::write(file)),
    encode: Some(|image, _, _, _| encode::encode(image)),
    ..Codec::NONE
};
