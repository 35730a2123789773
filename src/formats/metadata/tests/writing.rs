//! Metadata in fresh files: decoders of others read it back, and the same pixels.

use filepress_wire::MediaType;
use mozjpeg_rs::Preset;

use crate::formats::jpeg::metadata as jpeg;
use crate::formats::metadata::tests::fixtures::{self, Endian, TYPES};
use crate::formats::metadata::{embed, read};
use crate::metadata::Metadata;

fn everything(media: MediaType) -> Metadata {
    Metadata {
        icc: Some(fixtures::display_p3()),
        exif: Some(fixtures::exif(Endian::Big, 1)),
        xmp: Some(fixtures::xmp(1)),
        iptc: (media == MediaType::Jpeg).then(|| fixtures::IPTC.to_vec()),
        other: false,
        ..Metadata::default()
    }
}

#[test]
fn everything_is_read_back() {
    for media in TYPES {
        let plain = fixtures::plain(media);
        let file = embed(plain.clone(), media, &everything(media));
        assert_eq!(read(&file, media), everything(media), "{media:?}");
        assert_eq!(fixtures::decode(&file, media), fixtures::decode(&plain, media), "{media:?}");

        let seen = fixtures::seen(&file, media);
        assert_eq!(
            Metadata { iptc: None, ..seen.clone() },
            Metadata { iptc: None, ..everything(media) },
            "{media:?}"
        );
        // Other libraries hand the whole resource of Photoshop out.
        let has_records =
            |iptc: &Vec<u8>| iptc.windows(fixtures::IPTC.len()).any(|part| part == fixtures::IPTC);
        assert_eq!(seen.iptc.as_ref().is_some_and(has_records), media == MediaType::Jpeg);
    }
}

#[test]
fn each_kind_alone_is_read_back() {
    for media in TYPES {
        let all = everything(media);
        for alone in [
            Metadata { icc: all.icc.clone(), ..Metadata::default() },
            Metadata { exif: all.exif.clone(), ..Metadata::default() },
            Metadata { xmp: all.xmp.clone(), ..Metadata::default() },
        ] {
            let file = embed(fixtures::plain(media), media, &alone);
            assert_eq!(read(&file, media), alone, "{media:?}");
            assert_eq!(fixtures::seen(&file, media), alone, "{media:?}");
        }
    }
}

#[test]
fn nothing_changes_nothing() {
    for media in TYPES {
        let plain = fixtures::plain(media);
        assert_eq!(embed(plain.clone(), media, &Metadata::default()), plain);
    }
    assert_eq!(embed(b"BM".to_vec(), MediaType::Bmp, &everything(MediaType::Jpeg)), b"BM");
}

#[test]
fn a_large_profile_takes_several_segments_of_a_jpeg() {
    let mut icc = fixtures::display_p3();
    icc.extend((0..200_000u32).map(|i| (i % 251) as u8));
    let length = icc.len() as u32;
    icc[..4].copy_from_slice(&length.to_be_bytes());
    let metadata = Metadata { icc: Some(icc), ..Metadata::default() };
    let file = embed(fixtures::plain(MediaType::Jpeg), MediaType::Jpeg, &metadata);
    assert_eq!(file.windows(12).filter(|part| part == b"ICC_PROFILE\0").count(), 4);
    assert_eq!(read(&file, MediaType::Jpeg), metadata);
    assert_eq!(fixtures::seen(&file, MediaType::Jpeg), metadata);
}

#[test]
fn what_is_too_large_for_a_jpeg_is_left_out_and_the_rest_written() {
    let mut large = everything(MediaType::Jpeg);
    let mut exif = fixtures::exif(Endian::Little, 1);
    exif.resize(jpeg::MAX_EXIF, 0);
    large.exif = Some(exif.clone());
    let fitting = embed(fixtures::plain(MediaType::Jpeg), MediaType::Jpeg, &large);
    assert_eq!(read(&fitting, MediaType::Jpeg), large);

    exif.push(0);
    large.exif = Some(exif);
    let file = embed(fixtures::plain(MediaType::Jpeg), MediaType::Jpeg, &large);
    assert_eq!(read(&file, MediaType::Jpeg), Metadata { exif: None, ..everything(MediaType::Jpeg) });
}

#[test]
fn jfif_stays_first() {
    for preset in [Preset::BaselineFastest, Preset::ProgressiveSmallest] {
        let file = embed(fixtures::jpeg(preset), MediaType::Jpeg, &everything(MediaType::Jpeg));
        assert!(file.starts_with(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0"));
        assert_eq!(file[20..22], [0xFF, 0xE1]);
    }
}

#[test]
fn a_simple_webp_becomes_an_extended_one() {
    let exif = Metadata { exif: Some(fixtures::exif(Endian::Big, 1)), ..Metadata::default() };
    let icc_and_xmp = Metadata { exif: None, ..everything(MediaType::Webp) };
    let side = fixtures::SIDE as u8 - 1;
    for (plain, metadata, flags) in [
        (fixtures::plain(MediaType::Webp), &exif, 0x08),
        (fixtures::lossless_webp(false), &icc_and_xmp, 0x24),
        (fixtures::lossless_webp(true), &exif, 0x18),
    ] {
        let file = embed(plain.clone(), MediaType::Webp, metadata);
        assert_eq!(file[12..30], [b"VP8X\x0A\0\0\0", &[flags, 0, 0, 0, side, 0, 0, side, 0, 0][..]].concat());
        assert_eq!(u32::from_le_bytes(*file[4..].first_chunk().unwrap()) as usize, file.len() - 8);
        assert_eq!(fixtures::decode(&file, MediaType::Webp), fixtures::decode(&plain, MediaType::Webp));
        assert_eq!(fixtures::seen(&file, MediaType::Webp), *metadata);
    }
}
