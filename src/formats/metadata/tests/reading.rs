//! What is found in a file, and what is as absent.

use filepress_wire::MediaType;
use image::metadata::Orientation;

use crate::formats::metadata::read;
use crate::formats::metadata::tests::fixtures::{self, Endian, TYPES};
use crate::metadata::{MAX_DECOMPRESSED, Metadata};

#[test]
fn everything_is_found_in_each_type() {
    for media in TYPES {
        let found = read(&fixtures::talkative(media), media);
        assert_eq!(found.icc, Some(fixtures::display_p3()), "{media:?}");
        assert_eq!(found.exif, Some(fixtures::exif(Endian::Little, 6)), "{media:?}");
        assert_eq!(found.xmp, Some(fixtures::xmp(6)), "{media:?}");
        assert_eq!(found.orientation(), Orientation::Rotate90, "{media:?}");
        assert_eq!(found.iptc.as_deref(), (media == MediaType::Jpeg).then_some(fixtures::IPTC));
        assert_eq!(found.other, media != MediaType::Webp);
    }
}

#[test]
fn plain_files_and_other_types_say_nothing() {
    for media in TYPES {
        assert_eq!(read(&fixtures::plain(media), media), Metadata::default(), "{media:?}");
    }
    for media in [MediaType::Gif, MediaType::Bmp, MediaType::Ico, MediaType::Tiff] {
        assert_eq!(read(&fixtures::talkative(MediaType::Jpeg), media), Metadata::default());
    }
    assert_eq!(read(&fixtures::talkative(MediaType::Jpeg), MediaType::Png), Metadata::default());
}

#[test]
fn all_eight_orientations_are_read_in_both_byte_orders() {
    for endian in [Endian::Little, Endian::Big] {
        for value in 1..=8u8 {
            let metadata =
                Metadata { exif: Some(fixtures::exif(endian, value.into())), ..Metadata::default() };
            assert_eq!(metadata.orientation().to_exif(), value);
        }
    }
}

#[test]
fn invalid_orientations_are_upright() {
    let fields =
        [(0x0112, 3, 1, 0), (0x0112, 3, 1, 9), (0x0112, 3, 1, 0x106), (0x0112, 4, 1, 6), (0x0112, 3, 2, 6)];
    for field in fields {
        let exif = Some(fixtures::exif_with(Endian::Big, &field));
        let metadata = Metadata { exif, ..Metadata::default() };
        assert_eq!(metadata.orientation(), Orientation::NoTransforms, "{field:?}");
    }
}

#[test]
fn a_jpeg_profile_with_a_missing_part_is_absent() {
    let icc = fixtures::display_p3();
    let part = |number: u8, count: u8| fixtures::segment(0xE2, &[b"ICC_PROFILE\0", &[number, count], &icc]);
    for parts in
        [part(1, 2), part(0, 1), [part(1, 1), part(1, 1)].concat(), [part(1, 2), part(2, 3)].concat()]
    {
        let jpeg = fixtures::jpeg_with(&fixtures::plain(MediaType::Jpeg), &parts);
        assert_eq!(read(&jpeg, MediaType::Jpeg).icc, None);
    }
}

#[test]
fn a_png_chunk_with_a_wrong_checksum_is_absent() {
    let mut exif = fixtures::chunk(b"eXIf", &[&fixtures::exif(Endian::Big, 3)]);
    let plain = fixtures::plain(MediaType::Png);
    assert!(read(&fixtures::png_with(&plain, &exif, &[]), MediaType::Png).exif.is_some());
    *exif.last_mut().unwrap() ^= 1;
    assert!(read(&fixtures::png_with(&plain, &exif, &[]), MediaType::Png).exif.is_none());
}

#[test]
fn what_unfolds_without_end_is_absent() {
    let bomb = miniz_oxide::deflate::compress_to_vec_zlib(&vec![b' '; MAX_DECOMPRESSED + 1], 6);
    let chunks = [
        fixtures::chunk(b"iCCP", &[b"P3\0\0", &bomb]),
        fixtures::chunk(b"iTXt", &[b"XML:com.adobe.xmp\0\x01\0\0\0", &bomb]),
    ];
    let png = fixtures::png_with(&fixtures::plain(MediaType::Png), &chunks.concat(), &[]);
    assert!(png.len() < 100_000);
    let found = read(&png, MediaType::Png);
    assert_eq!((found.icc, found.xmp), (None, None));
}

#[test]
fn what_is_no_profile_no_tiff_or_no_text_is_absent() {
    let webp = fixtures::webp_of(&[
        (b"VP8X", &[0x2C, 0, 0, 0, 23, 0, 0, 23, 0, 0]),
        (b"ICCP", &[0; 200]),
        fixtures::webp_image(&fixtures::plain(MediaType::Webp)),
        (b"EXIF", b"Exif\0\0no TIFF"),
        (b"XMP ", b"\xFF\xFEno UTF-8"),
    ]);
    assert_eq!(read(&webp, MediaType::Webp), Metadata::default());
}
