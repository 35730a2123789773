//! ICO, the Windows icon: PNG at one or several sizes.

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
use crate::formats::{Build, Format, Tables, Traits};

/// The properties of the format.
pub(crate) const FORMAT: Format = Format {
    max_side: 256,
    encoder_bytes: |_| 8,
    encoder_tables: Tables::deflate,
    ..Format::lossless(MediaType::Ico, Build::Core, Traits::EFFORT.and(Traits::ALPHA).and(Traits::EIGHT_BIT))
};

/// What this build can do with the format.
#[cfg(feature = "core")]
pub(crate) const CODEC: Codec = Codec {
    shrinks: true,
    header: Some(|bytes| image_rs::header(bytes, &decode::READER)),
    pixels: Some(|bytes, _, limits| image_rs::pixels(bytes, &decode::READER, limits)),
    probe: decode::probe,
    write_metadata: Some(|file, _| metadata::write(file)),
    encode: Some(|image, encoding, _, _| encode::encode(&[image], encoding.effort())),
    rewrite: Some(encode::rewrite),
    ..Codec::NONE
};
