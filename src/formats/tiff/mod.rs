//! TIFF (revision 6.0).

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
use crate::formats::codec::Pages;
#[cfg(feature = "full")]
use crate::formats::metadata::Carries;
use crate::formats::{Build, Format, Tables, Traits};

/// The properties of the format.
pub(crate) const FORMAT: Format = Format {
    encoder_bytes: |_| 15,
    encoder_tables: Tables::deflate,
    ..Format::lossless(
        MediaType::Tiff,
        Build::Full,
        Traits::EFFORT
            .and(Traits::ALPHA)
            .and(Traits::GRAY)
            .and(Traits::DEEP)
            .and(Traits::PAGES)
            .and(Traits::ICC)
            .and(Traits::EXIF)
            .and(Traits::IPTC),
    )
};

/// What this build can do with the format.
#[cfg(feature = "full")]
pub(crate) const CODEC: Codec = Codec {
    decode_ns: 25,
    encode_ns: 160,
    carries: Carries {
        icc: true,
        exif: metadata::MAX_DATA,
        xmp: metadata::MAX_DATA,
        iptc: metadata::MAX_DATA,
    },
    header: Some(decode::header),
    pixels: Some(|bytes, _, limits| decode::pixels(bytes, limits)),
    read_metadata: Some(metadata::read),
    write_metadata: Some(metadata::write),
    encode: Some(|image, encoding, has_profile, _| encode::encode(image, encoding.effort(), has_profile)),
    pages: Some(Pages {
        read: decode::pages,
        document: |effort, has_profile| Box::new(encode::Document::new(effort, has_profile)),
    }),
    ..Codec::NONE
};
