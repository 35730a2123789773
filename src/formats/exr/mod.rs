//! OpenEXR.

#[cfg(feature = "full")]
pub(crate) mod decode;
#[cfg(feature = "full")]
pub(crate) mod encode;
#[cfg(feature = "full")]
pub(crate) mod metadata;

use filepress_wire::MediaType;

#[cfg(feature = "full")]
use crate::formats::Codec;
use crate::formats::{Build, Format, Traits};

/// The bytes per pixel that the encoder holds beside the picture. Linear light has 12 or 16, whatever the input had.
const ENCODER_BYTES: u64 = 48;

/// The properties of the format.
pub(crate) const FORMAT: Format = Format {
    encoder_bytes: |_| ENCODER_BYTES,
    ..Format::lossless(
        MediaType::Exr,
        Build::Full,
        Traits::QUALITY.and(Traits::LOSSLESS).and(Traits::ALPHA).and(Traits::FLOAT),
    )
};

/// What this build can do with the format.
#[cfg(feature = "full")]
pub(crate) const CODEC: Codec = Codec {
    decode_ns: 250,
    encode_ns: 650,
    header: Some(decode::header),
    pixels: Some(|bytes, _, limits| decode::pixels(bytes, limits)),
    read_metadata: Some(metadata::read),
    write_metadata: Some(|file, _| metadata::write(file)),
    encode: Some(|image, encoding, _, _| encode::encode(image, encoding.quality().is_some())),
    ..Codec::NONE
};
