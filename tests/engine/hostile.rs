//! Hostile input gives an error with a code or a picture. It never panics and never hangs.

use filepress::image::inspect;
use filepress::{ErrorCode, ErrorKind};
use filepress_wire::MediaType;
use image::DynamicImage;
use serde_json::json;

use super::support::{CORE_TYPES, bytes_of, photo, png, run, run_as, translucent};

/// Cuts and flips a file is given at most.
const STEPS: usize = 200;

/// One file of each type, some in several codings.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let sources =
        [png(photo(61, 43)), png(translucent(40, 30)), png(DynamicImage::from(photo(33, 31)).to_luma8())];
    let mut samples = Vec::new();
    for source in &sources {
        for mime in CORE_TYPES {
            for options in [json!({ "to": mime }), json!({ "to": mime, "quality": 60, "effort": 0 })] {
                let output = run(source, options).expect("a sample");
                samples.push((mime, bytes_of(&output, source).to_vec()));
            }
        }
        let lossless = run(source, json!({ "to": "webp", "lossless": true })).expect("a sample");
        samples.push(("image/webp", bytes_of(&lossless, source).to_vec()));
    }
    samples
}

/// Each call must end in a picture or in an error that is not ours.
fn survives(bytes: &[u8], mime: &str) -> bool {
    match run_as(
        bytes,
        Some(mime),
        json!({ "to": "image/png", "effort": 0, "limits": { "maxPixels": 4_000_000 } }),
    ) {
        Ok(_) => true,
        Err(error) => {
            assert_ne!(error.kind(), ErrorKind::Internal, "{mime}: {error}");
            false
        }
    }
}

#[test]
fn truncated_files_are_refused() {
    let samples = samples();
    assert_eq!(samples.len(), 63);
    let mut cuts = 0;
    for (mime, bytes) in &samples {
        for cut in (0..bytes.len()).step_by((bytes.len() / STEPS).max(1)) {
            let survived = survives(&bytes[..cut], mime);
            // The last bytes of some types are padding or an end mark that no pixel depends on.
            assert!(
                !survived || bytes.len() - cut <= 32,
                "{mime}: {cut} of {} bytes gave a picture",
                bytes.len()
            );
            cuts += 1;
        }
        assert!(survives(bytes, mime), "{mime}: the whole file");
    }
    assert!(cuts > 63 * 100, "{cuts} cuts");
}

#[test]
fn flipped_bytes_give_an_error_or_a_picture() {
    let mut flips = 0;
    for (mime, bytes) in samples() {
        for at in (0..bytes.len()).step_by((bytes.len() / STEPS).max(1)) {
            for mask in [0xFF, 0x01, 0x80] {
                let mut broken = bytes.clone();
                broken[at] ^= mask;
                survives(&broken, mime);
                flips += 1;
            }
        }
    }
    assert!(flips > 63 * 300, "{flips} flips");
}

#[test]
fn a_huge_header_is_refused() {
    let mut header = b"\x89PNG\r\n\x1a\n\0\0\0\x0DIHDR".to_vec();
    header.extend(65_000_u32.to_be_bytes());
    header.extend(65_000_u32.to_be_bytes());
    header.extend([8, 6, 0, 0, 0]);
    let mut crc = crc32fast::Hasher::new();
    crc.update(&header[12..]);
    header.extend(crc.finalize().to_be_bytes());
    header.extend(b"\0\0\0\0IDAT\x35\xAF\x06\x1E");
    let error = run(&header, json!({})).expect_err("4.2 gigapixels");
    assert_eq!(error.code(), ErrorCode::TooManyPixels);
}

/// The beginning of a file of each type that claims to be huge, with the size that it claims.
fn claims() -> Vec<(MediaType, (u32, u32), Vec<u8>)> {
    let big = |numbers: [u32; 2]| numbers.map(u32::to_be_bytes).concat();
    let little = |numbers: [u32; 2]| numbers.map(u32::to_le_bytes).concat();
    let short = |number: u16| [number, number].map(u16::to_le_bytes).concat();
    let png = |sides: [u32; 2]| {
        let mut png =
            [b"\x89PNG\r\n\x1a\n\0\0\0\x0DIHDR".as_slice(), &big(sides), &[16, 6, 0, 0, 0]].concat();
        png.extend(crc32fast::hash(&png[12..]).to_be_bytes());
        png.extend(b"\0\0\0\0IDAT\x35\xAF\x06\x1E");
        png
    };
    let most = i32::MAX as u32;
    let icon = png([70_000, 70_000]);
    let directory =
        [b"\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0".as_slice(), &little([icon.len() as u32, 22])].concat();
    let canvas = b"RIFF\x16\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\x3F\0".to_vec();
    vec![
        (MediaType::Png, (most, most), png([most, most])),
        (MediaType::Qoi, (u32::MAX, u32::MAX), [b"qoif", big([u32::MAX; 2]).as_slice(), &[4, 0]].concat()),
        (MediaType::Farbfeld, (u32::MAX, most), [b"farbfeld", big([u32::MAX, most]).as_slice()].concat()),
        (MediaType::Pnm, (4_000_000_000, 3), b"P6 # wide\n4000000000 3\n255\n".to_vec()),
        (
            MediaType::Pnm,
            (99_999, 99_999),
            b"P7\nWIDTH 99999\nHEIGHT 99999\nDEPTH 4\nMAXVAL 255\nENDHDR\n".to_vec(),
        ),
        (MediaType::Webp, (1 << 24, (1 << 14)), canvas),
        (MediaType::Bmp, (most, most), {
            let mut bmp =
                [b"BM", [0; 8].as_slice(), &[54, 0, 0, 0, 40, 0, 0, 0], &little([most; 2])].concat();
            bmp.extend([1, 0, 24, 0]);
            bmp.resize(54, 0);
            bmp
        }),
        (MediaType::Gif, (65_535, 65_535), [b"GIF89a", short(65_535).as_slice(), b"\0\0\0;"].concat()),
        (
            MediaType::Tga,
            (65_535, 65_535),
            [&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], short(65_535).as_slice(), &[24, 0]].concat(),
        ),
        (MediaType::Ico, (70_000, 70_000), [directory, icon].concat()),
    ]
}

#[test]
fn huge_images_are_inspected_and_not_decoded() {
    for (media, size, bytes) in claims() {
        let error = run_as(&bytes, Some(media.as_str()), json!({ "to": "png" })).expect_err("too large");
        assert_eq!(error.code(), ErrorCode::TooManyPixels, "{media:?}: {error}");
        let found = inspect(&bytes, media, &Default::default()).expect("a header");
        assert_eq!((found.width, found.height), size, "{media:?}");
    }
}

#[test]
fn a_png_without_ihdr_is_corrupt_at_any_declared_size() {
    let png = claims().swap_remove(0).2;
    // The name of the first chunk, and depths that do not exist.
    for (at, byte) in [(12, b'J'), (15, 0), (24, 0), (24, 3), (24, 84)] {
        let mut damaged = png.clone();
        damaged[at] = byte;
        let sum = crc32fast::hash(&damaged[12..29]).to_be_bytes();
        damaged[29..33].copy_from_slice(&sum);
        let error = inspect(&damaged, MediaType::Png, &Default::default()).expect_err("no header");
        assert_eq!(error.code(), ErrorCode::Corrupt, "{at}: {error}");
    }
}

#[test]
fn a_jpeg_with_malformed_metadata_is_decoded() {
    let plain = run(&png(photo(40, 30)), json!({ "to": "jpeg" })).expect("a JPEG").bytes.expect("bytes");
    let expected = run(&plain, json!({ "to": "png" })).expect("a picture").bytes;
    let segment = |data: &[u8]| {
        let length = (data.len() as u16 + 2).to_be_bytes();
        [&plain[..2], &[0xFF, 0xE1], &length, data, &plain[2..]].concat()
    };
    let extended = b"http://ns.adobe.com/xmp/extension/\0";
    for data in [
        extended.to_vec(),
        [extended.as_slice(), &[b'x'; 20]].concat(),
        [extended.as_slice(), &[0xFF; 60]].concat(),
    ] {
        assert_eq!(run(&segment(&data), json!({ "to": "png" })).expect("a picture").bytes, expected);
    }
}

#[test]
fn icon_entries_that_share_bytes_are_decoded_once() {
    let picture = png(photo(256, 256));
    let icon = |places: &[(usize, usize)], pictures: &[u8]| {
        let mut icon = [0, 0, 1, 0, places.len() as u8, (places.len() >> 8) as u8].to_vec();
        for (length, at) in places {
            icon.extend([0; 8]);
            let offset = 6 + 16 * places.len() + at;
            icon.extend([*length as u32, offset as u32].map(u32::to_le_bytes).concat());
        }
        [&icon, pictures].concat()
    };
    let repeated = icon(&[(picture.len(), 0); 256], &picture);
    let output = run(&repeated, json!({})).expect("an icon");
    assert_eq!(bytes_of(&output, &repeated)[4..6], [1, 0], "one picture is left");

    let small = png(photo(9, 9));
    let places: Vec<_> = (0..65).map(|at| (small.len() + at, 0)).collect();
    let many = icon(&places, &[small.as_slice(), &[0; 70]].concat());
    let output = run(&many, json!({ "metadata": "keep" })).expect("an icon");
    assert!(output.report.kept_original && output.bytes.is_none(), "more than are worth it");
}

#[test]
fn a_jpeg_side_above_65500_is_output_too_large() {
    let plain = run(&png(photo(8, 8)), json!({ "to": "jpeg" })).expect("a JPEG").bytes.expect("bytes");
    let frame =
        plain.windows(2).position(|pair| pair[0] == 0xFF && matches!(pair[1], 0xC0 | 0xC2)).expect("a frame");
    let mut wide = plain.clone();
    wide[frame + 7..frame + 9].copy_from_slice(&65_501_u16.to_be_bytes());
    for options in [json!({}), json!({ "lossless": true })] {
        assert_eq!(run(&wide, options).expect_err("too wide").code(), ErrorCode::OutputTooLarge);
    }
}

#[test]
fn unsupported_formats_are_recognized_and_named() {
    use ErrorCode::{NeedsDecoder, UnsupportedType};
    let foreign: [(&[u8], &str, ErrorCode); 6] = [
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC", NeedsDecoder),
        (b"\xFF\x0A\xFA\x7F\x01\x90", "JPEG XL", NeedsDecoder),
        (b"8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x10", "Photoshop", NeedsDecoder),
        (
            b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0a.txt",
            "ZIP",
            UnsupportedType,
        ),
        (b"\x1F\x8B\x08\0\0\0\0\0\0\x03", "gzip", UnsupportedType),
        (b"\x7FELF\x02\x01\x01\0\0\0\0\0", "ELF", UnsupportedType),
    ];
    for (bytes, name, code) in foreign {
        let error = run_as(bytes, Some("image/png"), json!({})).expect_err("not ours");
        assert_eq!(error.code(), code, "{name}: {error}");
        assert!(error.message().to_lowercase().contains(&name.to_lowercase()), "{name}: {error}");
    }
    assert_eq!(run(b"", json!({})).expect_err("nothing").code(), ErrorCode::EmptyInput);
    assert_eq!(
        run(&[0x81, 0x02, 0x93, 0xF4, 0x05, 0xE6, 0x17, 0xD8], json!({})).expect_err("nothing known").code(),
        ErrorCode::UnknownType
    );
}

#[test]
fn jpegs_whose_colors_would_be_wrong_are_refused() {
    let source = png(photo(64, 64));
    let plain = run(&source, json!({ "to": "jpeg", "quality": 75, "effort": 0 })).expect("a JPEG");
    let plain = plain.bytes.expect("bytes");
    let find = |marker: u8| plain.windows(2).position(|pair| pair == [0xFF, marker]).expect("a marker");
    let (frame, scan) = (find(0xC0), find(0xDA));
    assert_eq!([plain[frame + 11], plain[frame + 14], plain[frame + 17]], [0x22, 0x11, 0x11]);

    let mut swapped = plain.clone();
    (swapped[frame + 11], swapped[frame + 14], swapped[frame + 17]) = (0x11, 0x22, 0x22);
    let alone = [0x00, 0x08, 1, plain[scan + 5], plain[scan + 6], 0, 63, 0];
    let split = [&plain[..scan + 2], &alone, &plain[scan + 14..]].concat();
    for broken in [swapped, split] {
        let error = run(&broken, json!({ "to": "png" })).expect_err("colors that are not known");
        assert_eq!(error.code(), ErrorCode::Corrupt, "{error}");
    }
}

/// Bytes of memory that a call needs at least.
fn needed(bytes: &[u8], options: serde_json::Value) -> f64 {
    let mut options = options;
    options["limits"] = json!({ "maxMemoryBytes": 1 });
    let error = run(bytes, options).expect_err("next to no memory");
    match error.details().get("needBytes") {
        Some(filepress::error::Detail::Number(bytes)) => *bytes,
        other => panic!("{error}: {other:?}"),
    }
}

#[test]
fn bytes_between_jpeg_segments_do_not_lower_the_memory_estimate() {
    // Large enough for several scans to be smaller than one.
    const SIDE: u32 = 256;
    let source = png(photo(SIDE, SIDE));
    let to_webp = json!({ "to": "webp", "resize": { "width": 40 } });
    let smooth = |effort: u8| {
        // Of this quality on, chroma has as many coefficients as luma.
        let options = json!({ "to": "jpeg", "quality": 95, "effort": effort });
        run(&source, options).expect("a JPEG").bytes.expect("bytes")
    };
    let coefficients = f64::from(SIDE * SIDE) * 2.0;
    let (baseline, progressive) = (smooth(0), smooth(4));
    assert!(progressive.windows(2).any(|pair| pair == [0xFF, 0xC2]), "a progressive file");
    let (plain, expected) = (needed(&baseline, to_webp.clone()), needed(&progressive, to_webp.clone()));
    assert!(expected > plain + coefficients, "{expected} and {plain}");
    let behind = 4 + usize::from(u16::from_be_bytes([progressive[4], progressive[5]]));
    for stray in [&[0][..], &[0, 0, 0], &[0x12], &[0xFF]] {
        let between = [&progressive[..behind], stray, &progressive[behind..]].concat();
        assert_eq!(needed(&between, to_webp.clone()), expected + stray.len() as f64, "{stray:?}");
    }

    // One scan for luma alone: the others have to follow, and all is kept until then.
    let scan = baseline.windows(2).position(|pair| pair == [0xFF, 0xDA]).expect("a scan");
    let alone = [0x00, 0x08, 1, baseline[scan + 5], baseline[scan + 6], 0, 63, 0];
    let split = [&baseline[..scan + 2], &alone, &baseline[scan + 14..]].concat();
    assert!(needed(&split, to_webp) > plain + coefficients);
}

#[test]
fn lossy_pixels_larger_than_their_canvas_are_refused_by_the_header() {
    let lossy = run(&png(photo(40, 30)), json!({ "to": "webp" })).expect("a WebP").bytes.expect("bytes");
    let chunk = &lossy[12..];
    assert!(chunk.starts_with(b"VP8 "), "lossy pixels");
    let within = |width: u8, height: u8| {
        let canvas = [b"VP8X\x0A\0\0\0\0\0\0\0", &[width - 1, 0, 0, height - 1, 0, 0][..]].concat();
        let length = (4 + canvas.len() + chunk.len()) as u32;
        let file = [b"RIFF", &length.to_le_bytes()[..], b"WEBP", &canvas, chunk].concat();
        inspect(&file, MediaType::Webp, &Default::default()).map(|header| header.width)
    };
    assert_eq!(within(40, 30), Ok(40));
    for (width, height) in [(39, 30), (40, 29), (1, 1)] {
        assert_eq!(within(width, height).expect_err("too large").code(), ErrorCode::Corrupt);
    }
}
