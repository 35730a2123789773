//! Color spaces, orientation and metadata.

use std::borrow::Cow;

use png::{BitDepth, ColorType};

use crate::tools::{Picture, cjxl, container, djxl, ours, read};

fn picture() -> Picture {
    Picture::new(120, 80, ColorType::Rgb, BitDepth::Eight)
}

/// The bare codestream that cjxl makes.
fn codestream(arguments: &[&str]) -> Vec<u8> {
    let jxl = cjxl(&picture().png(), &[arguments, &["--container=0"]].concat());
    assert!(jxl.starts_with(b"\xff\x0a"));
    jxl
}

#[test]
fn srgb_needs_no_profile_and_other_spaces_get_one() {
    let profile = |space: &str| {
        let hint = format!("color_space={space}");
        let (png, _) = ours(&codestream(&["-d", "0", "-x", &hint])).unwrap();
        let (made, info) = read(&png);
        assert!(made == picture(), "{space}");
        info.icc_profile.map(Cow::into_owned)
    };
    assert_eq!(profile("RGB_D65_SRG_Rel_SRG"), None);
    for space in ["RGB_D65_DCI_Rel_SRG", "RGB_D65_SRG_Rel_Lin", "RGB_D65_202_Rel_709"] {
        let icc = profile(space).unwrap_or_else(|| panic!("{space} has no profile"));
        assert_eq!((&icc[36..40], &icc[16..20]), (&b"acsp"[..], &b"RGB "[..]));
    }
}

#[test]
fn pq_and_hlg_are_code_points() {
    for (space, primaries, transfer) in [("RGB_D65_202_Rel_PeQ", 9, 16), ("RGB_D65_DCI_Rel_HLG", 12, 18)] {
        for distance in ["0", "1"] {
            let hint = format!("color_space={space}");
            let (png, _) = ours(&codestream(&["-d", distance, "-x", &hint])).unwrap();
            let chunk = [&b"cICP"[..], &[primaries, transfer, 0, 1]].concat();
            assert!(png.windows(chunk.len()).any(|window| window == chunk), "{space}");
            assert!(!png.windows(4).any(|window| window == b"iCCP"), "{space}");
        }
    }
}

#[test]
fn a_profile_is_kept_without_loss_and_becomes_srgb_with_it() {
    let icc = {
        let (png, _) = ours(&codestream(&["-d", "0", "-x", "color_space=RGB_D65_DCI_Rel_SRG"])).unwrap();
        // A description of its own makes it a profile that no code points stand for.
        let mut icc = read(&png).1.icc_profile.unwrap().into_owned();
        let place = icc.windows(4).rposition(|window| window == b"mluc").unwrap();
        icc[place + 30] ^= 1;
        icc
    };
    let source = picture().png_with(|info| info.icc_profile = Some(Cow::Owned(icc.clone())));
    let (made, info) = read(&ours(&cjxl(&source, &["-d", "0"])).unwrap().0);
    assert!(made == picture());
    assert_eq!(info.icc_profile.as_deref().map(<[u8]>::len), Some(icc.len()));
    // cjxl writes lossy files in XYB, whose profile is only a wish.
    let lossy = cjxl(&source, &["-d", "1"]);
    let (png, _) = ours(&lossy).unwrap();
    assert!(read(&png).0.samples.len() == picture().samples.len());
}

#[test]
fn metadata_of_boxes_is_kept_and_upright() {
    let tiff = |orientation| {
        [&b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0"[..], &[orientation, 0, 0, 0], &[0; 4]].concat()
    };
    let exif = [&[0; 4][..], &tiff(6)].concat();
    let xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>";
    let file =
        container(&codestream(&["-d", "0"]), &[(b"Exif", &exif), (b"xml ", xmp), (b"jumb", b"ignored")]);
    let check = |file: &[u8]| {
        let (made, info) = read(&ours(file).unwrap().0);
        assert!(made == picture());
        assert_eq!(info.exif_metadata.as_deref(), Some(&tiff(1)[..]));
        let text = &info.utf8_text[0];
        assert_eq!(
            (text.keyword.as_str(), text.get_text().unwrap().as_bytes()),
            ("XML:com.adobe.xmp", &xmp[..])
        );
    };
    check(&file);

    // Brotli's meta-block without compression (RFC 7932, 9.2): WBITS 16, MNIBBLES 4, MLEN - 1, ISUNCOMPRESSED, and an empty last one.
    let brotli = |data: &[u8]| {
        let bits = (data.len() as u32 - 1) << 4 | 1 << 20;
        [&bits.to_le_bytes()[..3], data, &[3]].concat()
    };
    let [exif, xmp_box] =
        [(b"Exif", &exif[..]), (b"xml ", xmp)].map(|(kind, data)| [&kind[..], &brotli(data)].concat());
    check(&container(&codestream(&["-d", "0"]), &[(b"brob", &exif), (b"brob", &xmp_box)]));
    // A box of length 0 lasts until the end of the file.
    let mut open = file[..file.len() - 15].to_vec();
    let start = open.len() - xmp.len() - 8;
    open[start..start + 4].fill(0);
    check(&open);
}

#[test]
fn a_jpeg_in_jpeg_xl_is_turned_as_its_codestream_says() {
    // cjxl takes the orientation of the EXIF data of a JPEG into the codestream.
    let encoder = mozjpeg_rs::Encoder::new(mozjpeg_rs::Preset::BaselineFastest).quality(90);
    let jpeg = encoder.encode_rgb(&picture().samples, 120, 80).unwrap();
    let tiff = [&b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"[..], &[0; 4]].concat();
    let segment = [&b"\xff\xe1"[..], &(tiff.len() as u16 + 2).to_be_bytes(), &tiff].concat();
    let turned = [&jpeg[..2], &segment, &jpeg[2..]].concat();
    let jxl = cjxl(&turned, &[]);
    let (made, info) = read(&ours(&jxl).unwrap().0);
    assert_eq!((made.width, made.height), (80, 120));
    let orientation = info.exif_metadata.as_deref().map(|exif| exif[18]);
    assert_eq!(orientation, Some(1));
    let (most, mean) = made.difference(&read(&djxl(&jxl, &[])).0);
    assert!(most <= 3.0 && mean <= 0.5, "{most} at most, {mean} on average");
}
