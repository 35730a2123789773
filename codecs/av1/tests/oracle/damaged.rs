//! Bytes that are no picture, or no longer one.

use crate::content::Source;
use crate::encoders::Encoded;
use crate::programs::Folder;
use crate::random::{Random, scaled};
use filepress_av1::{DecodeOptions, Error, Info, Limits, decode};

/// Files at `FILEPRESS_SCALE=1`.
const FILES: usize = 100;
/// Damaged headers may claim any size.
const LIMITS: Limits = Limits { max_pixels: 1 << 20, max_memory: 256 << 20 };

fn files(own: u64) -> impl Iterator<Item = (Random, Vec<u8>)> {
    let (random, folder) = (Random::new(own), Folder::new(own));
    let made = (0..).filter_map(move |number| {
        let mut random = random.fork(number);
        let source = Source::new(&mut random, number, usize::MAX / 12);
        Encoded::new(&mut random, &folder, &source).map(|encoded| (random, encoded.obus))
    });
    made.take(scaled(FILES))
}

#[test]
fn a_truncated_file_is_an_error() {
    let mut cut = 0;
    for (_, obus) in files(41) {
        for length in (0..obus.len()).step_by(1 + obus.len() / 40) {
            let refused = decode(&obus[..length], &LIMITS, &DecodeOptions::default()).map(|_| length);
            assert!(matches!(refused, Err(Error::Corrupt(_))), "{refused:?} of {}", obus.len());
            cut += 1;
        }
    }
    assert!(cut >= 20 * scaled(FILES), "{cut}");
}

#[test]
fn changed_bits_are_an_error_or_a_picture() {
    let (mut pictures, mut errors) = (0, 0);
    for (mut random, obus) in files(42) {
        for _ in 0..100 {
            let mut changed = obus.clone();
            for _ in 0..=random.below(4) {
                // Headers come first, where most depends on a bit.
                let end = random.pick(&[obus.len().min(40), obus.len()]);
                changed[random.below(end)] ^= 1 << random.below(8);
            }
            match decode(&changed, &LIMITS, &DecodeOptions::default()) {
                Ok(picture) => {
                    let highest = (1 << picture.color().bit_depth) - 1;
                    let rows = (0..picture.height()).flat_map(|y| picture.row(0, y));
                    assert!(rows.into_iter().all(|sample| *sample <= highest));
                    pictures += 1;
                }
                Err(_) => errors += 1,
            }
        }
    }
    assert!(pictures > 0 && errors > 0, "{pictures} pictures, {errors} errors");
}

#[test]
fn headers_tell_what_the_picture_is_and_limits_hold_before_it_is_decoded() {
    let mut read = 0;
    for (_, obus) in files(43) {
        let picture = decode(&obus, &LIMITS, &DecodeOptions::default());
        // Some files of aomenc are not valid.
        let Ok(picture) = picture else { continue };
        let info = Info::read(&obus).unwrap();
        let (width, height) = (picture.width(), picture.height());
        assert_eq!((info.max_width as usize, info.max_height as usize), (width, height));
        assert_eq!(info.color, *picture.color());
        assert_eq!(picture.plane_count(), if info.color.monochrome { 1 } else { 3 });
        let less = Limits { max_pixels: (width * height) as u64 - 1, ..LIMITS };
        let refused = decode(&obus, &less, &DecodeOptions::default()).unwrap_err();
        assert_eq!(refused.code(), "limit", "{refused}");
        let less = Limits { max_memory: 100_000, ..LIMITS };
        let refused = decode(&obus, &less, &DecodeOptions::default()).unwrap_err();
        assert_eq!(refused.code(), "limit", "{refused}");
        read += 1;
    }
    assert!(read * 10 >= scaled(FILES) * 8, "{read}");
}
