//! Every size of the format, and the refusal of others.

use filepress_webp::{Error, Layout, MAX_SIDE, Picture, Settings};

use super::pictures::{decoded, encoded, generated, round_trip, scene};

#[test]
fn all_small_sizes() {
    for width in 1..=35 {
        for height in [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33] {
            let (_, psnr) =
                round_trip(width, height, &scene(width, height), Settings { quality: 90, effort: 4 });
            assert!(psnr > 19.0, "{width} × {height}: {psnr}");
        }
    }
}

#[test]
fn the_longest_sides() {
    for (width, height) in [(MAX_SIDE, 3), (3, MAX_SIDE)] {
        let slope = generated(width, height, |x, y| [((x + y) / 65) as u8; 3]);
        let (_, psnr) = round_trip(width, height, &slope, Settings::default());
        assert!(psnr > 38.0, "{psnr}");
    }
}

#[test]
fn sides_out_of_range_are_refused() {
    for (width, height) in [(0, 5), (5, 0), (MAX_SIDE + 1, 1), (1, u32::MAX)] {
        let refused = Picture::new(width, height, Layout::Rgb, &[]).err();
        assert_eq!(refused, Some(Error::Size { width, height }));
    }
}

#[test]
fn a_wrong_number_of_samples_is_refused() {
    let refused = Picture::new(2, 2, Layout::Rgba, &[0; 12]).err();
    assert_eq!(refused, Some(Error::Samples { expected: 16, given: 12 }));
    assert!(Picture::new(2, 2, Layout::Rgb, &[0; 12]).is_ok());
}

#[test]
fn the_riff_header_has_the_file_size() {
    for (width, height) in [(1, 1), (40, 30), (99, 7)] {
        let file = encoded(width, height, Layout::Rgb, &scene(width, height), Settings::default());
        assert_eq!(&file[..4], b"RIFF");
        assert_eq!(&file[8..16], b"WEBPVP8 ");
        assert_eq!(u32::from_le_bytes([file[4], file[5], file[6], file[7]]) as usize, file.len() - 8);
        assert_eq!(file.len() % 2, 0);
        decoded(&file, width, height, Layout::Rgb);
    }
}
