//! Our types are recognized, and only by what they are.

use std::collections::HashSet;

use filepress_wire::Sniffed::{Known, OneOf, Unknown, Unsupported};
use filepress_wire::{MediaType, SNIFF_BYTES, sniff};

use crate::samples::{icon, join, ogg, samples, tga};

#[test]
fn every_type_is_recognized() {
    let mut seen = HashSet::new();
    for (name, head, expected) in samples() {
        let sniffed = sniff(&head);
        assert_eq!(sniffed, expected, "{name}");
        match sniffed {
            Known(media_type) => seen.insert(media_type),
            OneOf(candidates) => seen.insert(candidates[0]),
            Unsupported(_) | Unknown => false,
        };
    }
    let missing: Vec<_> = MediaType::ALL.iter().filter(|media_type| !seen.contains(media_type)).collect();
    assert!(missing.is_empty(), "no sample of {missing:?}");
}

#[test]
fn pictures_make_an_ogg_a_video_wherever_their_stream_stands() {
    let streams = join(&[&ogg(b"OpusHead\x01"), &ogg(b"\x01vorbis"), &ogg(b"\x80theora")]);
    assert_eq!(sniff(&streams), Known(MediaType::OggVideo));
}

#[test]
fn what_follows_the_head_changes_nothing() {
    for (name, mut head, _) in samples() {
        head.resize(SNIFF_BYTES.max(head.len()), b' ');
        let before = sniff(&head);
        head.extend_from_slice(b"\0\0\x01\xbf\x03\xd4%PDF-<svg>");
        assert_eq!(sniff(&head), before, "{name}");
    }
}

#[test]
fn nothing_is_read_into_too_few_bytes() {
    for head in [
        &b""[..],
        b"\0",
        b"\xff",
        b"\xff\xd8",
        b"\x89PNG",
        b"\0\0\x01\0",
        b"\0\0\0\x18ftyp",
        b"\xff\xfb\x90\0",
    ] {
        assert_eq!(sniff(head), Unknown, "{head:?}");
    }
}

#[test]
fn a_header_that_contradicts_itself_is_no_header() {
    let single_frame = join(&[b"\xff\xfb\x90\0", &[0; 413], b"\xff\xf3\x90\0"]);
    let heads = [
        ("tga without pixels", join(&[&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 24, 0]])),
        ("tga with a map it does not have", tga(0, 1, [0; 5], 8, 0)),
        ("tga of 25 bits", tga(0, 2, [0; 5], 25, 0)),
        ("ico without pictures", join(&[&[0, 0, 1, 0, 0, 0], &[0; 16]])),
        ("ico with its picture in the directory", icon(1, 0)[..18].iter().copied().chain([0; 4]).collect()),
        ("bmp with an odd header", join(&[b"BM", &[0; 12], &[41, 0, 0, 0], &[0; 8]])),
        ("two mp3 frames of different kinds", single_frame),
        ("two transport packets", join(&[&[0x47], &[0; 187], &[0x47], &[0; 187]])),
        ("zeros", vec![0; 4096]),
    ];
    for (name, head) in heads {
        assert_eq!(sniff(&head), Unknown, "{name}");
    }
}
