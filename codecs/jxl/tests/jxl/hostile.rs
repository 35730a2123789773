//! Damaged files are errors, and allocate nothing but what their header says.

#[path = "../../../../tests/common/seed.rs"]
mod seed;

use filepress_jxl::{Error, Header, Reader};
use png::{BitDepth, ColorType};

use crate::codestream::with_large_profile;
use crate::tools::{MOST, Picture, cjxl, container, ours};

/// Files of every kind, small.
fn files() -> Vec<Vec<u8>> {
    let rgba = Picture::new(70, 50, ColorType::Rgba, BitDepth::Eight).png();
    let deep = Picture::new(70, 50, ColorType::Rgb, BitDepth::Sixteen).png();
    let gray = Picture::new(300, 40, ColorType::Grayscale, BitDepth::Eight).png();
    let mut files = vec![
        cjxl(&rgba, &["-d", "0", "-e", "4"]),
        cjxl(&rgba, &["-d", "2"]),
        cjxl(&deep, &["-d", "0", "-e", "7"]),
        cjxl(&deep, &["-d", "1", "-m", "1"]),
        cjxl(&gray, &["-d", "1", "-p", "--progressive_dc=1"]),
        cjxl(&gray, &["-d", "4", "--photon_noise=ISO3200", "--dots=1", "--patches=1", "--epf=3"]),
    ];
    let exif = b"\0\0\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let wrapped = files
        .iter()
        .filter(|file| file.starts_with(b"\xff\x0a"))
        .map(|file| container(file, &[(b"Exif", exif)]));
    files.extend(wrapped.collect::<Vec<_>>());
    assert!(files.len() > 8);
    files
}

/// Reads a file as a caller with limits does.
fn read(bytes: &[u8]) -> Result<(), Error> {
    let reader = Reader::open(bytes)?;
    let Header { width, height, .. } = *reader.header();
    if reader.header().pixels() > 1 << 20 {
        return Err(Error::Damaged(format!("{width} × {height} are too many")));
    }
    reader.write_header(MOST, &mut |_| {})?;
    reader.scan(MOST)?.write(MOST, &mut |_| {}, &mut |_| {}).map(|_| ())
}

#[test]
fn a_file_that_is_cut_off_is_damaged() {
    for file in files() {
        // What is after the codestream is missed by nobody.
        let end = file.windows(4).position(|window| window == b"Exif").map_or(file.len(), |at| at - 4);
        let step = (end / 150).max(1);
        for length in (0..end).step_by(step) {
            let outcome = ours(&file[..length]).map(|(_, outcome)| outcome);
            assert!(matches!(outcome, Err(Error::Damaged(_))), "{length} of {end} bytes: {outcome:?}");
        }
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a test runs natively")]
fn flipped_bits_and_bytes_end_in_an_error_or_a_picture() {
    let mut random = seed::seed(2300);
    let mut next = move |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let rounds = if std::env::var("FILEPRESS_SCALE").is_ok() { 5_000 } else { 150 };
    let (mut failed, mut read_on) = (0, 0);
    for file in files() {
        for _ in 0..rounds {
            let mut changed = file.clone();
            for _ in 0..=next(3) {
                let place = if next(2) == 0 { next(changed.len().min(80)) } else { next(changed.len()) };
                changed[place] = if next(2) == 0 { changed[place] ^ (1 << next(8)) } else { next(256) as u8 };
            }
            let outcome = std::panic::catch_unwind(|| read(&changed));
            match outcome {
                Ok(Ok(())) => read_on += 1,
                Ok(Err(_)) => failed += 1,
                Err(_) => {
                    let place = std::env::temp_dir().join("filepress-jxl-panic.jxl");
                    std::fs::write(&place, &changed).unwrap();
                    panic!("panicked at {}", place.display());
                }
            }
        }
    }
    assert!(failed > 100 && read_on > 20, "{failed} failed, {read_on} were read");
}

#[test]
fn what_is_no_jpeg_xl_is_damaged() {
    for bytes in
        [&b""[..], b"\xff", b"\xff\x0a", b"\0\0\0\x0cJXL \r\n\x87\n", b"\x89PNG\r\n\x1a\n", &[0xff; 100]]
    {
        assert!(matches!(ours(bytes), Err(Error::Damaged(_))), "{bytes:?}");
    }
}

#[test]
fn a_color_profile_that_ends_early_is_damaged() {
    assert!(matches!(Reader::open(&with_large_profile()), Err(Error::Damaged(_))));
}
