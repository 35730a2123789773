//! Hostile input: an error with a code or a picture, never a panic, never a hang.

use std::time::{Duration, Instant};

use filepress::{ErrorCode, ErrorKind};
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
fn a_file_that_was_cut_off_is_an_error() {
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
fn a_file_with_flipped_bytes_is_an_error_or_a_picture() {
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
#[expect(clippy::disallowed_methods, reason = "the refusal has a time limit")]
fn a_huge_header_is_refused_at_once() {
    let mut header = b"\x89PNG\r\n\x1a\n\0\0\0\x0DIHDR".to_vec();
    header.extend(65_000_u32.to_be_bytes());
    header.extend(65_000_u32.to_be_bytes());
    header.extend([8, 6, 0, 0, 0]);
    let mut crc = crc32fast::Hasher::new();
    crc.update(&header[12..]);
    header.extend(crc.finalize().to_be_bytes());
    header.extend(b"\0\0\0\0IDAT\x35\xAF\x06\x1E");
    let begin = Instant::now();
    let error = run(&header, json!({})).expect_err("4.2 gigapixels");
    let took = begin.elapsed();
    assert_eq!(error.code(), ErrorCode::TooManyPixels);
    assert!(took < Duration::from_millis(10), "the refusal took {took:?}");
}

#[test]
fn other_types_are_recognised_and_named() {
    let foreign: [(&[u8], &str); 6] = [
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
        (b"\xFF\x0A\xFA\x7F\x01\x90", "JPEG XL"),
        (b"8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x10", "Photoshop"),
        (b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0a.txt", "ZIP"),
        (b"\x1F\x8B\x08\0\0\0\0\0\0\x03", "gzip"),
        (b"\x7FELF\x02\x01\x01\0\0\0\0\0", "ELF"),
    ];
    for (bytes, name) in foreign {
        let error = run_as(bytes, Some("image/png"), json!({})).expect_err("not ours");
        assert_eq!(error.code(), ErrorCode::UnsupportedType, "{name}: {error}");
        assert!(error.message().to_lowercase().contains(&name.to_lowercase()), "{name}: {error}");
    }
    assert_eq!(run(b"", json!({})).expect_err("nothing").code(), ErrorCode::EmptyInput);
    assert_eq!(
        run(&[0x81, 0x02, 0x93, 0xF4, 0x05, 0xE6, 0x17, 0xD8], json!({})).expect_err("nothing known").code(),
        ErrorCode::UnknownType
    );
}
