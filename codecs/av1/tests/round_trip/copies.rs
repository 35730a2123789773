//! Drawings that occur again, which the encoder copies.

use super::programs::Folder;
use super::random::Random;
use super::{EncodeOptions, round_trip};
use filepress_av1::{ColorConfig, Picture};

/// A row of marks, and the places of its copies.
const MARKS: (usize, usize) = (352, 40);
const COPIES: [(usize, usize); 3] = [(6, 134), (40, 190), (18, 262)];
const SIZE: (usize, usize) = (400, 310);

/// Marks at the top of a picture, and `copies` of them further down whose samples differ by up to `noise`.
fn drawing(
    random: &mut Random,
    (bit_depth, chroma): (u8, Option<bool>),
    copies: &[(usize, usize)],
    noise: u16,
) -> Picture {
    let subsampled = chroma.unwrap_or(true);
    let color = ColorConfig::new(bit_depth, chroma.is_none(), (subsampled, subsampled));
    let scale = 1 << (bit_depth - 8);
    let side = |length: usize, plane: usize| if plane > 0 && subsampled { length / 2 } else { length };
    let mut planes = Vec::new();
    for plane in 0..if chroma.is_none() { 1 } else { 3 } {
        let (width, height) = (side(SIZE.0, plane), side(SIZE.1, plane));
        let (columns, rows) = (side(MARKS.0, plane), side(MARKS.1, plane));
        let mut samples = vec![200 * scale; width * height];
        let marks: Vec<u16> = (0..columns * rows / 2).map(|_| random.pick(&[30, 90, 200]) * scale).collect();
        for (x, y) in [(0, 4)].iter().chain(copies) {
            for (at, mark) in marks.iter().enumerate() {
                let (column, row) = (at * 2 % columns, at * 2 / columns);
                let start = (side(*y, plane) + row) * width + side(*x, plane) + column;
                for sample in &mut samples[start..start + 2] {
                    *sample = mark + random.below(usize::from(noise) + 1) as u16;
                }
            }
        }
        planes.push(samples);
    }
    let planes: Vec<&[u16]> = planes.iter().map(Vec::as_slice).collect();
    Picture::from_planes(SIZE, color, &planes).unwrap()
}

#[test]
fn what_occurs_again_costs_little() {
    let random = Random::new(1_824);
    let folder = Folder::new(1_824);
    let formats = [(8, None), (8, Some(true)), (10, Some(true)), (10, Some(false))];
    for (number, format) in formats.into_iter().enumerate() {
        for lossless in [false, true] {
            let options = EncodeOptions { quality: 70, effort: 2 + 3 * (number as u8 % 3), lossless };
            let case = format!("{format:?}, {options:?}");
            let bytes = [&[][..], &COPIES].map(|copies| {
                let picture = drawing(&mut random.fork(number), format, copies, 0);
                round_trip(&folder, &picture, &options, &case).0.obus.len()
            });
            assert!(5 * bytes[1] < 8 * bytes[0], "{case}: {bytes:?} bytes");
        }
    }
}

#[test]
fn copies_with_residuals_round_trip() {
    let random = Random::new(1_825);
    let folder = Folder::new(1_825);
    for number in 0..12 {
        let mut random = random.fork(number);
        let format = random.pick(&[(8, None), (8, Some(true)), (10, Some(true)), (8, Some(false))]);
        let noise = 1 + random.below(12) as u16;
        let picture = drawing(&mut random, format, &COPIES, noise);
        let options = EncodeOptions {
            quality: 30 + random.below(70) as u8,
            effort: random.below(10) as u8,
            lossless: random.once_in(6),
        };
        round_trip(&folder, &picture, &options, &format!("picture {number}, {format:?}, {options:?}"));
    }
}
