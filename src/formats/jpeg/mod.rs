//! JPEG (ITU-T T.81) in JFIF and EXIF files.

#[cfg(feature = "engine")]
pub(crate) mod decode;
#[cfg(feature = "photo")]
pub(crate) mod encode;
#[cfg(feature = "core")]
mod gain_map;
#[cfg(feature = "engine")]
#[cfg_attr(not(feature = "photo"), allow(dead_code))]
pub(crate) mod metadata;
#[cfg(feature = "core")]
mod multi_picture;
#[cfg(feature = "engine")]
mod quality;
#[cfg(feature = "photo")]
mod recode;
#[cfg(feature = "photo")]
mod resize;
#[cfg(feature = "engine")]
pub(crate) mod segments;
#[cfg(feature = "full")]
pub(crate) mod transcode;

use filepress_wire::MediaType;

#[cfg(feature = "engine")]
use crate::formats::Codec;
#[cfg(feature = "core")]
use crate::formats::codec::GainMaps;
#[cfg(feature = "photo")]
use crate::formats::coded::ResizeCoded;
use crate::formats::header_size::be32;
#[cfg(feature = "engine")]
use crate::formats::metadata::Carries;
#[cfg(feature = "engine")]
use crate::formats::rows::Rows;
use crate::formats::{Build, Format, HeaderSize, Traits};

/// The properties of the format.
pub(crate) const FORMAT: Format = Format {
    // The limit of libjpeg; the format allows 35 more.
    max_side: 65_500,
    default_quality: 80,
    lossless_refusal: "JPEG is only lossless from a JPEG of the same size; leave out `lossless`, or write PNG or WebP.",
    // Of noise, the 16-bit coefficients of as many samples as `encode.rs` keeps, with what tells where they are, and the file. Photos
    // take a third of that, because only coefficients are held that are not zero.
    encoder_bytes: |quality| match quality {
        None => 16,
        Some(0..90) => 5,
        Some(_) => 12,
    },
    size,
    ..Format::lossless(
        MediaType::Jpeg,
        Build::Core,
        Traits::QUALITY
            .and(Traits::AUTO)
            .and(Traits::EFFORT)
            .and(Traits::GRAY)
            .and(Traits::ICC)
            .and(Traits::EXIF)
            .and(Traits::IPTC)
            .and(Traits::STEPS)
            .and(Traits::CHROMA)
            .and(Traits::TRANSCODE)
            .and(Traits::REDUCIBLE)
            .and(Traits::PHOTO_INPUT)
            .and(Traits::AVIF_INPUT)
            .and(Traits::PHOTO_OUTPUT),
    )
};

/// The frame header (ITU-T T.81, B.2.2).
fn size(head: &[u8]) -> HeaderSize {
    let mut at = 2;
    while at < head.len() {
        let segment = be32(head, at);
        let marker = segment >> 16 & 0xFF;
        match marker {
            0xFF => at += 1,
            0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                let sides = be32(head, at + 5);
                return HeaderSize {
                    width: sides & 0xFFFF,
                    height: sides >> 16,
                    progressive: marker & 3 == 2,
                };
            }
            _ => at += 2 + (segment & 0xFFFF) as usize,
        }
    }
    HeaderSize::default()
}

/// What this build can do with the format.
#[cfg(feature = "engine")]
pub(crate) const CODEC: Codec = Codec {
    decode_ns: 12,
    encode_ns: 50,
    carries: Carries {
        icc: true,
        exif: metadata::MAX_EXIF,
        xmp: metadata::MAX_XMP,
        iptc: metadata::MAX_IPTC,
    },
    // Six for coefficients, and larger candidate files beside the best.
    prepared_bytes: 7,
    header: Some(decode::header),
    pixels: Some(|bytes, reduction, _| decode::pixels(bytes, reduction)),
    read_rows: Some(|bytes, reduction, _| decode::rows(bytes, reduction).map(Rows::Narrow)),
    #[cfg(feature = "full")]
    cmyk: Some(decode::cmyk),
    #[cfg(feature = "full")]
    check_complete: decode::check_complete,
    estimate_quality: quality::estimate,
    read_metadata: Some(metadata::read),
    #[cfg(feature = "photo")]
    write_metadata: Some(metadata::write),
    #[cfg(feature = "photo")]
    encode: Some(|image, encoding, _, _| encode::encode(image, encoding)),
    #[cfg(feature = "photo")]
    write_rows: Some(encode::rows),
    #[cfg(feature = "photo")]
    prepare: Some(encode::prepare),
    #[cfg(feature = "photo")]
    recode: Some(recode::recode),
    #[cfg(feature = "photo")]
    prepare_file: Some(recode::prepare),
    #[cfg(feature = "photo")]
    resize_coded: Some(ResizeCoded { takes: resize::takes, resize: resize::resize }),
    #[cfg(feature = "full")]
    rewrite: Some(transcode::rewrite),
    #[cfg(feature = "core")]
    gain_maps: Some(GainMaps {
        find: gain_map::find,
        attach: gain_map::attach,
        #[cfg(feature = "full")]
        describe: gain_map::describe,
    }),
    ..Codec::NONE
};
