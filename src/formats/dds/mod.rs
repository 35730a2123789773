//! DDS, the texture of DirectX.

#[cfg(feature = "full")]
pub(crate) mod decode;
#[cfg(feature = "full")]
pub(crate) mod encode;

use filepress_wire::MediaType;

#[cfg(feature = "full")]
use crate::formats::Codec;
use crate::formats::{Build, Format, Traits};

/// The properties of the format.
pub(crate) const FORMAT: Format = Format {
    encoder_bytes: |_| 15,
    ..Format::lossless(MediaType::Dds, Build::Full, Traits::QUALITY.and(Traits::LOSSLESS).and(Traits::ALPHA))
};

/// What this build can do with the format.
#[cfg(feature = "full")]
pub(crate) const CODEC: Codec = Codec {
    header: Some(decode::header),
    pixels: Some(|bytes, _, limits| decode::pixels(bytes, limits)),
    encode: Some(|image, encoding, _, _| encode::encode(image, encoding.quality())),
    is_set: decode::is_set,
    ..Codec::NONE
};
