//! What each policy leaves.

use exif::{In, Tag};
use filepress_wire::MediaType;
use moxcms::{ColorProfile, ToneReprCurve};

use crate::formats::jpeg::metadata as jpeg;
use crate::formats::metadata::tests::fixtures::{self, Endian};
use crate::formats::metadata::{carries, read};
use crate::metadata::{Metadata, icc};
use crate::options::MetadataPolicy;

fn all() -> Metadata {
    read(&fixtures::talkative(MediaType::Jpeg), MediaType::Jpeg)
}

#[test]
fn safe_leaves_the_profile_author_and_copyright() {
    let kept = all().retain(MetadataPolicy::Safe);
    assert_eq!(kept.icc, Some(fixtures::display_p3()));
    assert_eq!((kept.xmp, kept.iptc, kept.other), (None, None, false));

    let parsed = exif::Reader::new().read_raw(kept.exif.unwrap()).unwrap();
    let texts: Vec<_> =
        parsed.fields().map(|field| (field.tag, field.ifd_num, field.display_value().to_string())).collect();
    let expected = [(Tag::Artist, "\"Jane Doe\""), (Tag::Copyright, "\"(c) Doe\"")];
    assert_eq!(texts, expected.map(|(tag, text)| (tag, In::PRIMARY, text.to_owned())));
}

#[test]
fn safe_leaves_no_exif_where_nobody_is_named() {
    for field in [(0x0112, 3, 1, 6), (0x010E, 2, 4, 0x4142_4300)] {
        let mut exif = fixtures::exif_with(Endian::Big, &field);
        // The tags of author and copyright become ones that are not kept.
        exif[8 + 2 + 2 * 12..][..2].copy_from_slice(&[0x01, 0x31]);
        exif[8 + 2 + 3 * 12..][..2].copy_from_slice(&[0x01, 0x32]);
        let metadata = Metadata { exif: Some(exif), ..Metadata::default() };
        assert_eq!(metadata.retain(MetadataPolicy::Safe), Metadata::default());
    }
}

#[test]
fn names_shorter_than_five_bytes_are_kept() {
    // A copyright of up to three letters stands within its field.
    let exif = fixtures::exif_with(Endian::Big, &(0x0112, 3, 1, 6));
    let mut short = exif.clone();
    short[8 + 2 + 3 * 12..][..12].copy_from_slice(b"\x82\x98\0\x02\0\0\0\x04Doe\0");
    let metadata = Metadata { exif: Some(short), ..Metadata::default() };
    let kept = metadata.retain(MetadataPolicy::Safe).exif.unwrap();
    let parsed = exif::Reader::new().read_raw(kept).unwrap();
    let copyright = parsed.get_field(Tag::Copyright, In::PRIMARY).unwrap();
    assert_eq!(copyright.display_value().to_string(), "\"Doe\"");
}

#[test]
fn keep_leaves_everything_upright() {
    let kept = all().retain(MetadataPolicy::Keep);
    let expected = Metadata {
        icc: Some(fixtures::display_p3()),
        exif: Some(fixtures::exif(Endian::Little, 1)),
        xmp: Some(fixtures::xmp(1)),
        iptc: Some(fixtures::IPTC.to_vec()),
        other: true,
        ..Metadata::default()
    };
    assert_eq!(kept, expected);
}

#[test]
fn keep_sets_the_orientation_in_every_spelling_of_xmp() {
    let spellings: [(&[u8], &[u8]); 5] = [
        (b"<tiff:Orientation>8</tiff:Orientation>", b"<tiff:Orientation>1</tiff:Orientation>"),
        (b"tiff:Orientation = '3' tiff:Orientation=\"5\"", b"tiff:Orientation = '1' tiff:Orientation=\"1\""),
        (b"tiff:Orientation=\"66\"", b"tiff:Orientation=\"66\""),
        (b"tiff:Orientation6", b"tiff:Orientation6"),
        (b"tiff:Orientation=\"", b"tiff:Orientation=\""),
    ];
    for (before, after) in spellings {
        let metadata = Metadata { xmp: Some(before.to_vec()), ..Metadata::default() };
        assert_eq!(metadata.retain(MetadataPolicy::Keep).xmp.unwrap(), after);
    }
}

#[test]
fn strip_leaves_the_profile_alone() {
    let kept = all().retain(MetadataPolicy::Strip);
    assert_eq!(kept, Metadata { icc: Some(fixtures::display_p3()), ..Metadata::default() });
    let srgb = Metadata { icc: Some(fixtures::srgb()), ..all() };
    assert_eq!(srgb.retain(MetadataPolicy::Strip), Metadata::default());
}

#[test]
fn srgb_is_told_from_its_neighbors() {
    let with_curve = |curve: ToneReprCurve| {
        let mut profile = ColorProfile::new_srgb();
        profile.red_trc = Some(curve.clone());
        profile.green_trc = Some(curve.clone());
        profile.blue_trc = Some(curve);
        profile.encode().unwrap()
    };
    // The curve of the profile that Hewlett-Packard and Microsoft published, in as many points.
    let linear = |x: f64| if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
    let sampled = (0..1024).map(|i| (linear(f64::from(i) / 1023.0) * 65535.0).round() as u16).collect();
    assert!(icc::is_srgb(&fixtures::srgb()));
    assert!(icc::is_srgb(&with_curve(ToneReprCurve::Lut(sampled))));
    let with_offsets = vec![2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045, 0.0, 0.0];
    assert!(icc::is_srgb(&with_curve(ToneReprCurve::Parametric(with_offsets))));
    assert!(!icc::is_srgb(&with_curve(ToneReprCurve::Lut(vec![]))));
    assert!(!icc::is_srgb(&with_curve(ToneReprCurve::Lut(vec![0x0233]))));
    assert!(!icc::is_srgb(&with_curve(ToneReprCurve::Parametric(vec![2.2]))));
    assert!(!icc::is_srgb(&fixtures::display_p3()));
    assert!(!icc::is_srgb(&ColorProfile::new_adobe_rgb().encode().unwrap()));
    assert!(!icc::is_srgb(&ColorProfile::new_gray_with_gamma(2.2).encode().unwrap()));
    assert!(!icc::is_srgb(b"no profile"));
}

#[test]
fn what_a_type_cannot_carry_is_said() {
    let all = all();
    assert!(carries(MediaType::Jpeg).loses(&all), "comments are not carried");
    let carried = Metadata { other: false, ..all.clone() };
    assert!(!carries(MediaType::Jpeg).loses(&carried));
    let only = |metadata: Metadata| Metadata { other: false, ..metadata };
    let iptc = only(Metadata { iptc: all.iptc.clone(), ..Metadata::default() });
    let exif = only(Metadata { exif: all.exif.clone(), ..Metadata::default() });
    for (media, loses_iptc, loses_exif) in [
        (MediaType::Jpeg, false, false),
        (MediaType::Png, true, false),
        (MediaType::Webp, true, false),
        (MediaType::Gif, true, true),
        (MediaType::Bmp, true, true),
    ] {
        assert_eq!(carries(media).loses(&iptc), loses_iptc, "{media:?}");
        assert_eq!(carries(media).loses(&exif), loses_exif, "{media:?}");
        assert!(!carries(media).loses(&Metadata::default()), "{media:?}");
        assert_eq!(carries(media).icc, !loses_exif, "{media:?}");
    }
}

#[test]
fn a_segment_of_a_jpeg_has_its_limits() {
    let (fits, over) = (|length: usize| Some(vec![0; length]), |length: usize| Some(vec![0; length + 1]));
    let none = Metadata::default;
    assert!(!carries(MediaType::Jpeg).loses(&Metadata { exif: fits(jpeg::MAX_EXIF), ..none() }));
    assert!(carries(MediaType::Jpeg).loses(&Metadata { exif: over(jpeg::MAX_EXIF), ..none() }));
    assert!(!carries(MediaType::Jpeg).loses(&Metadata { xmp: fits(jpeg::MAX_XMP), ..none() }));
    assert!(carries(MediaType::Jpeg).loses(&Metadata { xmp: over(jpeg::MAX_XMP), ..none() }));
    assert!(carries(MediaType::Jpeg).loses(&Metadata { iptc: over(jpeg::MAX_IPTC), ..none() }));
    assert!(!carries(MediaType::Png).loses(&Metadata { exif: over(jpeg::MAX_EXIF), ..none() }));
    assert_eq!((jpeg::MAX_EXIF, jpeg::MAX_XMP), (65_527, 65_502));
}
