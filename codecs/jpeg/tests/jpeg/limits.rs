//! Limits, arguments and files that are no pictures.

use filepress_jpeg::{DecodeOptions, Decoder, Error, Limit, Limits, Output, decode_coefficients};

use crate::oracle::{Random, cjpeg, picture};

fn limited(limits: Limits) -> DecodeOptions {
    DecodeOptions { limits, ..DecodeOptions::default() }
}

#[test]
fn limits_are_checked_before_memory_is_taken() {
    let file = cjpeg(&["-progressive"], &picture(&mut Random::new(10), 64, 48));
    let pixels = Decoder::new(&file, limited(Limits { max_pixels: 3_071, ..Limits::default() })).err();
    assert_eq!(pixels, Some(Error::Limit(Limit::Pixels { needed: 3_072, limit: 3_071 })));
    let needed = Decoder::new(&file, DecodeOptions::default()).unwrap().memory();
    let mut row = [0; 192];
    let mut read = |limits| Decoder::new(&file, limited(limits)).unwrap().read_rows(&mut row);
    assert_eq!(read(Limits { max_memory: needed, ..Limits::default() }), Ok(1));
    let memory = read(Limits { max_memory: needed - 1, ..Limits::default() });
    assert_eq!(memory, Err(Error::Limit(Limit::Memory { needed, limit: needed - 1 })));
    let scans = read(Limits { max_scans: 3, ..Limits::default() });
    assert_eq!(scans, Err(Error::Limit(Limit::Scans { limit: 3 })));
}

#[test]
fn coefficients_take_no_more_memory_than_they_may() {
    let file = cjpeg(&["-sample", "1x1"], &picture(&mut Random::new(13), 64, 48));
    let read = |max_memory| {
        let options = limited(Limits { max_memory, ..Limits::default() });
        decode_coefficients(&file, options).map(|(coefficients, _)| coefficients.components.len())
    };
    let refused = read(0);
    let Err(Error::Limit(Limit::Memory { needed, limit: 0 })) = refused else { panic!("{refused:?}") };
    // Three components of 48 blocks, and one of them twice.
    assert!(needed >= 4 * 48 * 128, "{needed}");
    assert_eq!(read(needed), Ok(3));
    assert!(read(needed - 1).is_err());
}

#[test]
fn arguments_without_a_meaning_are_refused() {
    let file = cjpeg(&[], &picture(&mut Random::new(11), 64, 48));
    let mut decoder = Decoder::new(&file, DecodeOptions::default()).unwrap();
    assert!(matches!(decoder.set_scale(0), Err(Error::Argument(_))));
    assert!(matches!(decoder.set_scale(9), Err(Error::Argument(_))));
    assert!(matches!(decoder.set_output(Output::Inks), Err(Error::Argument(_))));
    assert!(matches!(decoder.read_rows(&mut [0; 191]), Err(Error::Argument(_))));
    assert_eq!(decoder.read_rows(&mut [0; 192]), Ok(1));
    assert!(matches!(decoder.set_scale(4), Err(Error::Argument(_))));
    assert_eq!(decoder.read_rows(&mut vec![0; 192 * 100]), Ok(47));
    assert_eq!(decoder.read_rows(&mut [0; 192]), Ok(0));
}

#[test]
fn luma_alone_and_components_as_stored_can_be_asked_for() {
    let ppm = picture(&mut Random::new(12), 64, 48);
    let read = |arguments: &[&str], output| {
        let file = cjpeg(arguments, &ppm);
        let mut decoder = Decoder::new(&file, DecodeOptions::default()).unwrap();
        decoder.set_output(output).unwrap();
        let mut rows = vec![0; 64 * 48 * decoder.samples_per_pixel()];
        assert_eq!(decoder.read_rows(&mut rows), Ok(48));
        rows
    };
    let luma = read(&[], Output::Luma);
    assert_eq!(luma, read(&["-grayscale"], Output::Color));
    let components = read(&[], Output::Components);
    assert!(components.chunks(3).map(|pixel| pixel[0]).eq(luma));
}
