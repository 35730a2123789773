//! Metadata and other non-pixel data do not leak into results that keep the encoded pixels.

use image::{DynamicImage, GrayImage, ImageFormat, Luma, Rgb, RgbImage};
use serde_json::json;

use super::corpus;
use super::support::{bytes_of, coded, photo, png, read, run, run_as, translucent};

const SECRET: &[u8] = b"Jane was here";

pub(super) fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let covered = [kind.as_slice(), data].concat();
    [&(data.len() as u32).to_be_bytes(), covered.as_slice(), &crc32fast::hash(&covered).to_be_bytes()]
        .concat()
}

fn has_secret(bytes: &[u8]) -> bool {
    bytes.windows(SECRET.len()).any(|window| window == SECRET)
}

/// A file as small as it gets, so that coding it again gains nothing.
fn smallest(to: &str, picture: impl Into<DynamicImage>, options: serde_json::Value) -> Vec<u8> {
    let source = png(picture);
    let mut bytes = run(&source, options).expect("a result").bytes.expect("another file");
    while let Some(smaller) = run_as(&bytes, Some(to), json!({ "quality": null })).expect("a result").bytes {
        bytes = smaller;
    }
    bytes
}

fn insert(bytes: &[u8], at: usize, what: &[u8]) -> Vec<u8> {
    [&bytes[..at], what, &bytes[at..]].concat()
}

/// Files of each type with a secret, in all the places where one could stand.
fn files() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let mut files = Vec::new();

    let jpeg = smallest("image/jpeg", photo(60, 40), json!({ "to": "jpeg", "quality": 20 }));
    let segment = |marker: u8, data: &[u8]| {
        [&[0xFF, marker], (data.len() as u16 + 2).to_be_bytes().as_slice(), data].concat()
    };
    for marker in [0x02, 0xBF, 0xC8, 0xF0, 0xFD, 0xFE, 0xE3] {
        files.push((
            "image/jpeg",
            "a segment that decoders skip",
            insert(&jpeg, 2, &segment(marker, SECRET)),
        ));
    }
    let adobe = [b"Adobe\0\x64\0\0\0\0\x01", SECRET].concat();
    files.push(("image/jpeg", "behind Adobe's numbers", insert(&jpeg, 2, &segment(0xEE, &adobe))));
    files.push(("image/jpeg", "behind the picture", [&jpeg, SECRET].concat()));

    let plain = smallest("image/png", photo(24, 16), json!({ "to": "png", "effort": 6 }));
    let small = |name, chunk: Vec<u8>| ("image/png", name, insert(&plain, 33, &chunk));
    files.push(small("a suggested palette", chunk(b"sPLT", &[SECRET, b"\0\x08"].concat())));
    files.push(small("a gamma that is too long", chunk(b"gAMA", &[b"\0\0\xB1\x8F", SECRET].concat())));
    files.push(small(
        "a second density",
        [chunk(b"pHYs", b"\0\0\x0B\x13\0\0\x0B\x13\x01"), chunk(b"pHYs", SECRET)].concat(),
    ));
    files.push(small("a profile that is none", chunk(b"iCCP", &[b"x\0\0", SECRET].concat())));
    files.push(small("a text", chunk(b"tEXt", &[b"Comment\0", SECRET].concat())));
    files.push(("image/png", "behind the picture", [&plain, SECRET].concat()));

    let bmp = smallest("image/bmp", photo(30, 20), json!({ "to": "bmp" }));
    let start = u32::from_le_bytes(*bmp[10..].first_chunk().expect("a header")) as usize;
    files.push(("image/bmp", "behind the pixels", [&bmp, SECRET].concat()));
    let mut gap = insert(&bmp, start, SECRET);
    gap[10..14].copy_from_slice(&((start + SECRET.len()) as u32).to_le_bytes());
    files.push(("image/bmp", "before the pixels", gap));
    let runs = smallest("image/bmp", flat(40, 20), json!({ "to": "bmp" }));
    assert_eq!(runs[30], 1, "run lengths");
    files.push(("image/bmp", "behind the runs", [&runs, SECRET].concat()));

    for (name, pnm) in [
        ("a comment", [b"P5\n# ", SECRET, b"\n4 2\n255\n\x01\x02\x03\x04\x05\x06\x07\x08"].concat()),
        ("behind the pixels", [b"P6 1 1 255 abc", SECRET].concat()),
        ("behind deep pixels", [b"P5 1 1 65535 ab", SECRET].concat()),
        ("in a bitmap", [b"P4 #", SECRET, b"\n9 2\n\xFF\x00\x0F\x80", SECRET].concat()),
        ("around bits", [b"P1 #", SECRET, b"\n4 2\n0101 1010 ", SECRET].concat()),
        ("around numbers", [b"P2 2 2 #", SECRET, b"\n3\n0 1\n2 3 ", SECRET].concat()),
        ("around colors", [b"P3\n#", SECRET, b"\n1 2 9\n0 1 2 3 9 7 ", SECRET].concat()),
        (
            "in a PAM",
            [
                b"P7\n#",
                SECRET,
                b"\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\nab",
                SECRET,
            ]
            .concat(),
        ),
    ] {
        files.push(("image/x-portable-anymap", name, pnm));
    }

    let tga = smallest("image/x-tga", translucent(30, 20), json!({ "to": "tga" }));
    let mut named = insert(&tga, 18, SECRET);
    named[0] = SECRET.len() as u8;
    files.push(("image/x-tga", "a name and an area", [&named, SECRET, b"TRUEVISION-XFILE.\0"].concat()));
    // A palette, which makes it smaller than what is written here.
    let mut indexed =
        vec![0, 1, 1, 0, 0, 3, 0, 24, 0, 0, 0, 0, 40, 0, 20, 0, 8, 0, 1, 2, 3, 50, 60, 70, 90, 100, 110];
    indexed.extend((0..800_u32).map(|at| (at * at % 3) as u8));
    files.push(("image/x-tga", "behind indices", [&indexed, SECRET].concat()));

    let qoi = smallest("image/qoi", photo(30, 20), json!({ "to": "qoi" }));
    files.push(("image/qoi", "behind the end", [&qoi, SECRET].concat()));
    let farbfeld = smallest("image/x-farbfeld", photo(9, 9), json!({ "to": "ff" }));
    files.push(("image/x-farbfeld", "behind the pixels", [&farbfeld, SECRET].concat()));

    let ico = smallest("image/x-icon", translucent(20, 20), json!({ "to": "ico", "effort": 6 }));
    let mut spaced = insert(&ico, 22, SECRET);
    spaced[18..22].copy_from_slice(&(22 + SECRET.len() as u32).to_le_bytes());
    files.push(("image/x-icon", "before and behind the picture", [&spaced, SECRET].concat()));
    let mut commented = insert(&ico, 22 + 33, &chunk(b"tEXt", &[b"Comment\0", SECRET].concat()));
    let longer = commented.len() as u32 - 22;
    commented[14..18].copy_from_slice(&longer.to_le_bytes());
    files.push(("image/x-icon", "in the picture", commented));
    files
}

/// Few colors in long runs.
fn flat(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| Rgb([(x / 20 * 90) as u8, (y / 10 * 120) as u8, 40]))
}

#[test]
fn kept_originals_leak_no_metadata() {
    let files = files();
    let mut kept = std::collections::BTreeSet::new();
    for (mime, name, bytes) in &files {
        assert!(has_secret(bytes), "{mime}, {name}");
        let expected = read(bytes, mime);
        for policy in ["safe", "strip"] {
            let output =
                run_as(bytes, Some(mime), json!({ "metadata": policy, "quality": null })).expect("a result");
            let found = bytes_of(&output, bytes);
            assert!(!has_secret(found), "{mime}, {name}, {policy}");
            assert!(found.len() < bytes.len(), "{mime}, {name}, {policy}");
            if *mime != "image/jpeg" || output.report.kept_original {
                assert_eq!(read(found, mime).to_rgba16(), expected.to_rgba16(), "{mime}, {name}, {policy}");
            }
            if output.report.kept_original {
                kept.insert(*mime);
            }
        }
    }
    assert_eq!(kept.len(), 8, "of each type, a file was kept: {kept:?}");
}

#[test]
fn metadata_in_animation_frames_is_removed() {
    let frame = |secret: bool| {
        let still = coded(DynamicImage::from(photo(8, 8)).to_rgb8(), ImageFormat::WebP);
        let mut frame = [0, 0, 0, 0, 0, 0, 7, 0, 0, 7, 0, 0, 100, 0, 0, 0].to_vec();
        frame.extend_from_slice(&still[12..]);
        if secret {
            frame.extend_from_slice(b"EXIF\x0D\0\0\0");
            frame.extend_from_slice(SECRET);
            frame.push(0);
        }
        frame
    };
    let animation = |secret: bool| {
        let mut body = b"WEBP".to_vec();
        let mut push = |kind: &[u8; 4], data: &[u8]| {
            body.extend_from_slice(kind);
            body.extend((data.len() as u32).to_le_bytes());
            body.extend_from_slice(data);
            body.resize(body.len().next_multiple_of(2), 0);
        };
        push(b"VP8X", &[2, 0, 0, 0, 7, 0, 0, 7, 0, 0]);
        push(b"ANIM", &[0, 0, 0, 0, 0, 0]);
        push(b"ANMF", &frame(secret));
        push(b"ANMF", &frame(secret));
        [b"RIFF", (body.len() as u32).to_le_bytes().as_slice(), &body].concat()
    };
    let input = animation(true);
    assert!(has_secret(&input));
    // It is small enough as it is.
    let output = run(&input, json!({ "targetSize": 100_000 })).expect("a result");
    assert!(output.report.kept_original);
    assert_eq!(bytes_of(&output, &input), animation(false));
}

/// A JPEG, a PNG and a WebP that carry a profile, coded as small as it gets.
fn profiled(icc: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let gray = GrayImage::from_fn(9, 9, |x, y| Luma([(x * y) as u8]));
    let icc_png = insert(
        &png(DynamicImage::from(gray).to_rgb8()),
        33,
        &chunk(b"iCCP", &[b"x\0\0", miniz_oxide::deflate::compress_to_vec_zlib(icc, 6).as_slice()].concat()),
    );
    let jpeg = smallest("image/jpeg", photo(60, 40), json!({ "to": "jpeg", "quality": 20 }));
    let segment = [b"ICC_PROFILE\0\x01\x01", icc].concat();
    let length = (segment.len() as u16 + 2).to_be_bytes();
    let icc_jpeg = insert(&jpeg, 2, &[&[0xFF, 0xE2], length.as_slice(), &segment].concat());
    let still = coded(DynamicImage::from(photo(8, 8)).to_rgb8(), ImageFormat::WebP);
    let mut body = b"WEBPVP8X\x0A\0\0\0\x20\0\0\0\x07\0\0\x07\0\0ICCP".to_vec();
    body.extend((icc.len() as u32).to_le_bytes());
    body.extend_from_slice(icc);
    body.resize(body.len().next_multiple_of(2), 0);
    body.extend_from_slice(&still[12..]);
    let icc_webp = [b"RIFF", (body.len() as u32).to_le_bytes().as_slice(), &body].concat();
    vec![("image/png", icc_png), ("image/jpeg", icc_jpeg), ("image/webp", icc_webp)]
}

#[test]
fn bytes_after_a_profile_are_removed() {
    let icc = moxcms::ColorProfile::new_display_p3().encode().expect("a profile");
    let longer = [&icc, SECRET].concat();
    let cut = &icc[..icc.len() - 1];
    for (mime, bytes) in profiled(&longer) {
        for to in ["image/png", "image/jpeg", "image/webp"] {
            let options = json!({ "to": to, "lossless": (to == "image/webp").then_some(true) });
            let output = run(&bytes, options).expect("a result");
            let found = profile_of(bytes_of(&output, &bytes), to);
            assert_eq!(found.as_deref(), Some(icc.as_slice()), "{mime} to {to}");
        }
    }
    for (mime, bytes) in profiled(cut) {
        let output = run(&bytes, json!({})).expect("a result");
        assert_eq!(profile_of(bytes_of(&output, &bytes), mime), None, "{mime}");
    }
}

/// The profile of a file, by a reader of others.
fn profile_of(bytes: &[u8], mime: &str) -> Option<Vec<u8>> {
    if mime == "image/jpeg" {
        return libjpeg_turbo_rs::decompress(bytes).expect("a JPEG").icc_profile;
    }
    let format = ImageFormat::from_mime_type(mime).expect("a type");
    let reader = image::ImageReader::with_format(std::io::Cursor::new(bytes), format);
    image::ImageDecoder::icc_profile(&mut reader.into_decoder().expect("readable")).expect("readable")
}

#[test]
#[ignore = "needs the corpus: make test-corpus CORPUS=…"]
fn files_of_the_corpus_keep_their_pixels() {
    let mut kept = 0;
    let names = corpus::files("", 390);
    corpus::assert_walked("files_of_the_corpus_keep_their_pixels", names.len());
    for name in names {
        let bytes = corpus::bytes_of(&name);
        let Some(media) = filepress::media::recognize(&bytes, None, Some(&name)).ok() else { continue };
        let mime = media.as_str();
        let pixels = |bytes: &[u8]| {
            run_as(bytes, Some(mime), json!({ "to": "ff", "limits": { "maxPixels": 4_000_000 } }))
                .map(|output| output.bytes)
        };
        let Ok(expected) = pixels(&bytes) else { continue };
        // It is small enough as it is.
        let Ok(output) = run_as(&bytes, Some(mime), json!({ "targetSize": 1 << 30 })) else { continue };
        assert!(pixels(bytes_of(&output, &bytes)) == Ok(expected), "{name}");
        kept += usize::from(output.report.kept_original);
    }
    assert!(kept > 300, "{kept} files");
}

#[test]
fn a_bmp_with_overlapping_palette_and_pixels_does_not_grow() {
    // One bit a pixel, and one color: the other is read from the first four bytes of the pixels.
    let place = 14 + 40 + 4;
    let header = [40_u32, 6, 6, 1 | 1 << 16, 0, 24, 0, 0, 0, 0].map(u32::to_le_bytes).concat();
    let pixels: Vec<u8> = (0..24_u8).map(|at| at.wrapping_mul(37)).collect();
    let whole = [
        b"BM".as_slice(),
        &[(place + 24) as u8],
        &[0; 7],
        &[place as u8, 0, 0, 0],
        &header,
        &[9, 8, 7, 0],
        &pixels,
    ];
    let bmp = whole.concat();
    let behind = [bmp.as_slice(), b"what nobody sees"].concat();
    let output = run(&behind, json!({})).expect("a picture");
    assert_eq!(bytes_of(&output, &behind), bmp);
    assert!(output.report.kept_original);
}
