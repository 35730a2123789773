//! Originals with other metadata: what must be gone is gone, and the coded pixels are the same bytes.

use filepress_deflate::{Container, Level};
use filepress_wire::MediaType;
use image::metadata::Orientation;
use mozjpeg_rs::Preset;

use crate::formats::metadata::tests::fixtures::{self, Endian, TYPES};
use crate::formats::metadata::{read, rewrite};
use crate::metadata::Metadata;
use crate::options::MetadataPolicy;

const UPRIGHT: Orientation = Orientation::NoTransforms;

fn contains(file: &[u8], text: &[u8]) -> bool {
    file.windows(text.len()).any(|part| part == text)
}

#[test]
fn a_plain_file_comes_back_byte_for_byte() {
    let files = [
        (fixtures::jpeg(Preset::BaselineFastest), MediaType::Jpeg),
        (fixtures::jpeg(Preset::ProgressiveSmallest), MediaType::Jpeg),
        (fixtures::plain(MediaType::Png), MediaType::Png),
        (fixtures::plain(MediaType::Webp), MediaType::Webp),
        (fixtures::lossless_webp(true), MediaType::Webp),
    ];
    for (file, media) in files {
        assert!(rewrite(&file, media, &Metadata::default(), UPRIGHT) == Some(file), "{media:?}");
    }
}

#[test]
fn a_safe_file_names_neither_place_nor_device() {
    for media in TYPES {
        let original = fixtures::talkative(media);
        let kept = read(&original, media).retain(MetadataPolicy::Safe);
        let trailing = [original.as_slice(), b"ftypmp42 a video"].concat();
        for file in [&original, &trailing] {
            let file = rewrite(file, media, &kept, UPRIGHT).unwrap();
            for secret in
                [&b"GPS"[..], b"Maker", b"preview", b"comment", b"extended", b"Ducky", b"video", b"rgb"]
            {
                assert!(!contains(&file, secret), "{media:?} {:?}", String::from_utf8_lossy(secret));
            }
            assert!(contains(&file, b"Jane Doe"));
            assert_eq!(read(&file, media), kept, "{media:?}");
            assert_eq!(fixtures::seen(&file, media), kept, "{media:?}");
            assert_eq!(fixtures::decode(&file, media), fixtures::decode(&original, media), "{media:?}");
        }
    }
}

#[test]
fn pixels_that_are_not_upright_keep_their_tag_alone() {
    for media in TYPES {
        let original = fixtures::talkative(media);
        for policy in [MetadataPolicy::Safe, MetadataPolicy::Strip] {
            let kept = read(&original, media).retain(policy);
            let file = rewrite(&original, media, &kept, Orientation::Rotate90).unwrap();
            let found = read(&file, media);
            assert_eq!(found.orientation(), Orientation::Rotate90, "{media:?}");
            assert_eq!(contains(&file, b"Jane Doe"), policy == MetadataPolicy::Safe);
            assert!(!contains(&file, b"GPS"));

            let parsed = exif::Reader::new().read_raw(found.exif.unwrap()).unwrap();
            let names = if policy == MetadataPolicy::Safe { 2 } else { 0 };
            assert_eq!(parsed.fields().count(), 1 + names, "{media:?}");
        }
    }
}

#[test]
fn kept_metadata_says_how_the_pixels_lie() {
    let original = fixtures::talkative(MediaType::Jpeg);
    let kept = read(&original, MediaType::Jpeg).retain(MetadataPolicy::Keep);
    let file = rewrite(&original, MediaType::Jpeg, &kept, Orientation::Rotate270).unwrap();
    let found = read(&file, MediaType::Jpeg);
    assert_eq!(found.exif, Some(fixtures::exif(Endian::Little, 8)));
    assert_eq!(found.xmp, Some(fixtures::xmp(8)));
    assert_eq!(found.iptc.as_deref(), Some(fixtures::IPTC));
}

#[test]
fn what_a_jpeg_needs_for_decoding_stays() {
    let adobe = fixtures::segment(0xEE, &[b"Adobe\0\x64\0\0\0\0\x01"]);
    let maker = fixtures::segment(0xEE, &[b"GPS"]);
    let plain = fixtures::jpeg(Preset::ProgressiveSmallest);
    let original = fixtures::jpeg_with(&plain, &[adobe.clone(), maker].concat());
    let file = rewrite(&original, MediaType::Jpeg, &Metadata::default(), UPRIGHT).unwrap();
    assert!(file == fixtures::jpeg_with(&plain, &adobe));
}

#[test]
fn comments_between_scans_are_dropped() {
    let plain = fixtures::jpeg(Preset::ProgressiveSmallest);
    let starts: Vec<usize> =
        plain.windows(2).enumerate().filter_map(|(at, pair)| (pair == [0xFF, 0xDA]).then_some(at)).collect();
    assert!(starts.len() > 3);
    for &at in &starts[1..] {
        let original = [&plain[..at], &fixtures::segment(0xFE, &[b"GPS"]), &plain[at..]].concat();
        let file = rewrite(&original, MediaType::Jpeg, &Metadata::default(), UPRIGHT).unwrap();
        assert!(file == plain);
    }
}

#[test]
fn a_damaged_file_is_not_rewritten() {
    let jpeg = fixtures::plain(MediaType::Jpeg);
    let png = fixtures::plain(MediaType::Png);
    let webp = fixtures::plain(MediaType::Webp);
    let stray = [&jpeg[..2], b"stray", &jpeg[2..]].concat();
    let unknown = fixtures::png_with(&png, &fixtures::chunk(b"CgBI", &[&[0; 4]]), &[]);
    for (file, media) in [
        (&jpeg[..jpeg.len() - 2], MediaType::Jpeg),
        (&stray, MediaType::Jpeg),
        (&png[..png.len() - 12], MediaType::Png),
        (&unknown, MediaType::Png),
        (&webp[..webp.len() - 2], MediaType::Webp),
        (&jpeg, MediaType::Png),
        (&png, MediaType::Webp),
        (&webp, MediaType::Jpeg),
        (&jpeg, MediaType::Gif),
    ] {
        assert_eq!(rewrite(file, media, &Metadata::default(), UPRIGHT), None, "{media:?}");
    }
}

#[test]
fn what_a_png_needs_for_rendering_stays_as_it_is() {
    let plain = fixtures::plain(MediaType::Png);
    let rendering: Vec<u8> = [b"gAMA", b"sBIT", b"tRNS", b"acTL", b"fcTL", b"fdAT", b"pHYs"]
        .into_iter()
        .flat_map(|kind| fixtures::chunk(kind, &[b"1234"]))
        .collect();
    let saying: Vec<u8> = [b"tEXt", b"zTXt", b"iTXt", b"tIME", b"eXIf", b"caBX", b"prVW"]
        .into_iter()
        .flat_map(|kind| fixtures::chunk(kind, &[b"GPS\0\0"]))
        .collect();
    let original = fixtures::png_with(&plain, &[rendering.clone(), saying.clone()].concat(), &saying);
    let file = rewrite(&original, MediaType::Png, &Metadata::default(), UPRIGHT).unwrap();
    assert!(file == fixtures::png_with(&plain, &rendering, &[]));
}

#[test]
fn a_profile_that_stays_grows_no_larger_and_one_that_goes_takes_its_substitutes_along() {
    let plain = fixtures::plain(MediaType::Png);
    let profile = |icc: &[u8], is_tight| {
        let folded = match is_tight {
            true => filepress_deflate::compress(icc, Container::Zlib, Level::Optimal),
            false => miniz_oxide::deflate::compress_to_vec_zlib(icc, 0),
        };
        [fixtures::chunk(b"iCCP", &[b"x\0\0", &folded]), fixtures::chunk(b"gAMA", &[&[0, 1, 0, 0]])].concat()
    };
    for is_tight in [false, true] {
        let original = fixtures::png_with(&plain, &profile(&fixtures::display_p3(), is_tight), &[]);
        let kept = read(&original, MediaType::Png).retain(MetadataPolicy::Strip);
        let file = rewrite(&original, MediaType::Png, &kept, UPRIGHT).unwrap();
        assert_eq!((file == original, file.len() < original.len()), (is_tight, !is_tight));
        assert_eq!(fixtures::seen(&file, MediaType::Png), kept);
        assert!(file.windows(4).any(|kind| kind == b"gAMA"));
    }

    let original = fixtures::png_with(&plain, &profile(&fixtures::srgb(), true), &[]);
    let kept = read(&original, MediaType::Png).retain(MetadataPolicy::Strip);
    assert!(rewrite(&original, MediaType::Png, &kept, UPRIGHT) == Some(plain));
}

#[test]
fn an_animated_webp_stays_animated() {
    let frame = [&[0; 16], b"VP8 \x03\0\0\0abc\0".as_slice()].concat();
    let chunks: [(&[u8; 4], &[u8]); 3] = [(b"ANIM", &[0; 6]), (b"ANMF", &frame), (b"ANMF", &frame)];
    let description = |flags: u8| [flags, 0, 0, 0, 23, 0, 0, 23, 0, 0];
    let (with, without) = (description(0x1E), description(0x12));
    let all: Vec<_> =
        [(b"VP8X", &with[..])].into_iter().chain(chunks).chain([(b"EXIF", &b"GPS"[..])]).collect();
    let bare: Vec<_> = [(b"VP8X", &without[..])].into_iter().chain(chunks).collect();
    let file = rewrite(&fixtures::webp_of(&all), MediaType::Webp, &Metadata::default(), UPRIGHT);
    assert_eq!(file, Some(fixtures::webp_of(&bare)));
}
