//! Lossless work on files through the public interface; what djpeg would show is decoded by libjpeg-turbo's port.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use filepress_jpeg::{
    Coefficients, Color, DecodeOptions, Error, Sampling, Scans, Segments, Settings, Turn,
    decode_coefficients, encode, marker_segments, write_coefficients,
};
use libjpeg_turbo_rs::{PixelFormat, decompress_to};

const SAMPLINGS: [Sampling; 3] = [Sampling::S444, Sampling::S422, Sampling::S420];
const SCANS: [Scans; 3] = [Scans::Sequential, Scans::Progressive, Scans::Smallest];

fn file(width: u16, height: u16, sampling: Sampling) -> Vec<u8> {
    let mut pixels = Vec::new();
    for y in 0..usize::from(height) {
        for x in 0..usize::from(width) {
            pixels.extend([
                (x * 3 + y) as u8,
                ((x * y) / 9) as u8,
                (200 - y / 2 + (x * 7 + y * 5) % 23) as u8,
            ]);
        }
    }
    let settings = Settings { progressive: false, ..Settings::default() };
    encode(&pixels, (width, height), Color::Rgb, sampling, &settings).unwrap()
}

fn coefficients(file: &[u8]) -> Coefficients {
    decode_coefficients(file, DecodeOptions::default()).unwrap().0
}

fn written(coefficients: Coefficients) -> Vec<u8> {
    write_coefficients(coefficients, &[], Scans::Progressive).unwrap()
}

/// The same without the AC coefficients of blocks beyond the picture, which progressive scans do not have.
fn shown(file: &[u8]) -> Coefficients {
    let mut coefficients = coefficients(file);
    for component in &mut coefficients.components {
        let (wide, columns, rows) =
            (component.blocks_wide, component.scan_blocks_wide, component.scan_blocks_high);
        for (at, block) in component.blocks.iter_mut().enumerate() {
            if at % wide >= columns || at / wide >= rows {
                block[1..].fill(0);
            }
        }
    }
    coefficients
}

/// Pixels with the width of the picture.
fn decoded(file: &[u8]) -> (usize, Vec<[u8; 3]>) {
    let image = decompress_to(file, PixelFormat::Rgb).unwrap();
    (image.width, image.data.as_chunks::<3>().0.to_vec())
}

#[test]
fn recompressed_files_have_the_same_pixels_and_fewer_bytes() {
    let mut files = 0;
    for sampling in SAMPLINGS {
        for (width, height) in [(1, 1), (15, 33), (64, 64), (101, 76)] {
            let file = file(width, height, sampling);
            let mut lens = Vec::new();
            for scans in SCANS {
                let again =
                    write_coefficients(coefficients(&file), &marker_segments(&file, Segments::All), scans)
                        .unwrap();
                assert!(decoded(&again) == decoded(&file), "{width} × {height}, {sampling:?}, {scans:?}");
                assert!(shown(&again) == shown(&file));
                lens.push(again.len());
                files += 1;
            }
            assert_eq!(lens[2], lens[0].min(lens[1]));
            assert!(lens[0] <= file.len(), "{lens:?} instead of {}", file.len());
        }
    }
    assert_eq!(files, 36);
}

#[test]
fn a_progressive_file_comes_back_from_one_scan() {
    let file = file(96, 64, Sampling::S420);
    let sequential = write_coefficients(coefficients(&file), &[], Scans::Sequential).unwrap();
    let progressive = write_coefficients(coefficients(&sequential), &[], Scans::Progressive).unwrap();
    let again = write_coefficients(coefficients(&progressive), &[], Scans::Sequential).unwrap();
    assert!(again == sequential);
}

#[test]
fn turns_move_pixels_and_change_none() {
    type Place = fn(usize, usize, usize, usize) -> (usize, usize);
    let turns: [(Turn, Place); 7] = [
        (Turn::FlipHorizontal, |x, y, w, _| (w - 1 - x, y)),
        (Turn::Rotate180, |x, y, w, h| (w - 1 - x, h - 1 - y)),
        (Turn::FlipVertical, |x, y, _, h| (x, h - 1 - y)),
        (Turn::Transpose, |x, y, _, _| (y, x)),
        (Turn::Rotate90, |x, y, _, h| (h - 1 - y, x)),
        (Turn::Transverse, |x, y, w, h| (h - 1 - y, w - 1 - x)),
        (Turn::Rotate270, |x, y, w, _| (y, w - 1 - x)),
    ];
    let file = file(64, 48, Sampling::S444);
    let (width, pixels) = decoded(&file);
    let height = pixels.len() / width;
    for (turn, place) in turns {
        let mut turned = coefficients(&file);
        turned.turn(turn).unwrap();
        let (new_width, turned) = decoded(&written(turned));
        for y in 0..height {
            for x in 0..width {
                let (to_x, to_y) = place(x, y, width, height);
                let (a, b) = (pixels[y * width + x], turned[to_y * new_width + to_x]);
                // The inverse transform rounds rows first: a step of each component, which is up to three of RGB.
                let differs = a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 3);
                assert!(!differs, "{turn:?} at {x}, {y}: {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn turning_back_gives_the_coefficients_of_before() {
    for sampling in SAMPLINGS {
        let before = coefficients(&file(64, 32, sampling));
        for (there, back) in [
            (Turn::Rotate90, Turn::Rotate270),
            (Turn::Rotate180, Turn::Rotate180),
            (Turn::Transpose, Turn::Transpose),
            (Turn::Transverse, Turn::Transverse),
            (Turn::FlipHorizontal, Turn::FlipHorizontal),
            (Turn::FlipVertical, Turn::FlipVertical),
        ] {
            let mut turned = before.clone();
            turned.turn(there).unwrap();
            assert!(turned != before);
            let mut again = coefficients(&written(turned));
            again.turn(back).unwrap();
            assert!(again == before, "{there:?}, {sampling:?}");
        }
    }
}

#[test]
fn parts_of_mcus_are_not_turned_to_the_left_or_the_top() {
    let refused = |width, height, turn| {
        let mut picture = coefficients(&file(width, height, Sampling::S420));
        matches!(picture.turn(turn), Err(Error::Argument(_)))
    };
    assert!(refused(60, 64, Turn::FlipHorizontal) && !refused(60, 64, Turn::FlipVertical));
    assert!(refused(64, 60, Turn::FlipVertical) && !refused(64, 60, Turn::FlipHorizontal));
    assert!(refused(64, 60, Turn::Rotate90) && !refused(60, 64, Turn::Rotate90));
    assert!(refused(60, 64, Turn::Rotate270) && !refused(64, 60, Turn::Rotate270));
    assert!(!refused(60, 60, Turn::Transpose) && refused(60, 60, Turn::Transverse));
}

#[test]
fn crops_have_the_pixels_of_the_part() {
    for (left, top, width, height) in [(0, 0, 40, 30), (16, 32, 48, 16), (32, 16, 31, 17), (48, 48, 1, 1)] {
        let file = file(100, 90, Sampling::S444);
        let (all_width, all) = decoded(&file);
        let mut picture = coefficients(&file);
        picture.crop(left, top, width, height).unwrap();
        let (part_width, part) = decoded(&written(picture));
        assert_eq!((part_width, part.len() / part_width), (width.into(), height.into()));
        for (at, pixel) in part.iter().enumerate() {
            let (x, y) = (at % part_width + usize::from(left), at / part_width + usize::from(top));
            assert_eq!(*pixel, all[y * all_width + x], "{x}, {y}");
        }
    }
}

#[test]
fn crops_that_begin_within_an_mcu_or_leave_the_picture_are_refused() {
    let picture = coefficients(&file(100, 90, Sampling::S420));
    for (left, top, width, height) in
        [(8, 0, 9, 9), (0, 24, 9, 9), (0, 0, 101, 9), (0, 0, 0, 9), (96, 0, 5, 5), (16, 16, 9, 80)]
    {
        let refused = picture.clone().crop(left, top, width, height);
        assert!(matches!(refused, Err(Error::Argument(_))), "{left}, {top}, {width}, {height}");
    }
}

#[test]
fn a_file_without_its_quantization_table_is_an_error() {
    let file = file(32, 32, Sampling::S420);
    let at = file.windows(2).position(|marker| marker == [0xFF, 0xDB]).unwrap();
    let len = usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
    let without = [&file[..at], &file[at + 2 + len..]].concat();
    assert!(decode_coefficients(&without, DecodeOptions::default()).is_err());
}

#[test]
fn contradicting_sizes_are_refused() {
    let picture = coefficients(&file(32, 32, Sampling::S420));
    let mut missing = picture.clone();
    missing.components[1].blocks.pop();
    let mut none = picture.clone();
    none.components.clear();
    let mut larger = picture;
    larger.width = 4000;
    for wrong in [missing, none, larger] {
        assert!(matches!(write_coefficients(wrong, &[], Scans::Smallest), Err(Error::Argument(_))));
    }
}

#[test]
fn segments_are_carried_over_as_they_are() {
    let file = file(16, 16, Sampling::S420);
    let (adobe, comment) = ([0xFF, 0xEE, 0, 7, b'A', b'd', b'o', b'b', b'e'], [0xFF, 0xFE, 0, 4, 1, 2]);
    let with = [&file[..2], &adobe, &comment, &file[2..]].concat();
    assert!(marker_segments(&with, Segments::All).starts_with(&[adobe.as_slice(), &comment].concat()));
    let color = marker_segments(&with, Segments::Color);
    assert!(color.starts_with(&adobe) && color[adobe.len()..].starts_with(&[0xFF, 0xE0]));
    assert_eq!(color.len(), adobe.len() + 18);
    assert!(marker_segments(&[0xFF, 0xD8, 0xFF, 0xE1, 0xFF], Segments::All).is_empty());
}

#[test]
fn stray_bytes_between_segments_hide_none_of_those_behind() {
    let file = file(16, 16, Sampling::S420);
    let app0 = 2..20;
    assert_eq!(file[app0.start..app0.start + 2], [0xFF, 0xE0]);
    let adobe = [&[0xFF, 0xEE, 0, 14][..], b"Adobe", &[0, 100, 0, 0, 0, 0, 0]].concat();
    let exif = [&[0xFF, 0xE1, 0, 8][..], b"Exif\0\0"].concat();
    let segments = [&file[app0.clone()], &exif, &adobe].concat();
    for stray in [&[0_u8][..], &[0xFF, 0], &[7, 7, 7], &[0xFF, 0xFF]] {
        let with = [&file[..2], stray, &file[app0.clone()], stray, &exif, stray, &adobe, stray, &file[20..]];
        let with = with.concat();
        assert!(decode_coefficients(&with, DecodeOptions::default()).is_ok());
        assert_eq!(marker_segments(&with, Segments::All), segments, "{stray:?}");
        assert_eq!(marker_segments(&with, Segments::Color), [&file[app0.clone()], &adobe].concat());
    }
    let cut = [&file[..20], &[0, 0xFF, 0xE1, 0, 9], b"Exif"].concat();
    assert_eq!(marker_segments(&cut, Segments::All), file[app0]);
}

/// A gray block whose first AC coefficient is -4 in the bits from 13 on.
fn largest_coefficient() -> Vec<u8> {
    let table = |class: u8, symbol: u8| [&[0xFF, 0xC4, 0, 20, class, 1][..], &[0; 15], &[symbol]].concat();
    let scan = |first: u8, low: u8, data: u8| [0xFF, 0xDA, 0, 8, 1, 1, 0, first, first, low, data];
    [
        &[0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0][..],
        &[1; 64],
        &[0xFF, 0xC2, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0],
        &table(0x00, 0),
        &table(0x10, 3),
        &scan(0, 0, 0b0111_1111),
        &scan(1, 13, 0b0011_1111),
        &[0xFF, 0xD9],
    ]
    .concat()
}

#[test]
fn a_coefficient_without_a_code_is_refused() {
    let file = largest_coefficient();
    assert_eq!(coefficients(&file).components[0].blocks[0][1], i16::MIN);
    for turn in [None, Some(Turn::FlipHorizontal), Some(Turn::Rotate90)] {
        for scans in SCANS {
            let mut picture = coefficients(&file);
            if let Some(turn) = turn {
                picture.turn(turn).unwrap();
            }
            let refused = write_coefficients(picture, &[], scans);
            assert!(matches!(refused, Err(Error::Argument(_))), "{turn:?}, {scans:?}");
        }
    }
}
