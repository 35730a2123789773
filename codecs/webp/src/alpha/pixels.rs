//! The green of a lossless picture, whose other samples are all the same (RFC 9649, sections 3.6 and 3.7).

use super::bits::Bits;
use super::copies::{Copy, find};
use super::prefix::Codes;

/// Pixels and lengths share a code; distances have one of their own.
const PIXELS: usize = 256;
const LENGTHS: usize = 24;
const DISTANCES: usize = 40;
/// Distances to pixels nearby have numbers of their own, from 1: how far to the left, how far up.
const NEARBY: [(isize, isize); 24] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (-1, 1),
    (0, 2),
    (2, 0),
    (1, 2),
    (-1, 2),
    (2, 1),
    (-2, 1),
    (2, 2),
    (-2, 2),
    (0, 3),
    (3, 0),
    (1, 3),
    (-1, 3),
    (3, 1),
    (-3, 1),
    (2, 3),
    (-2, 3),
    (3, 2),
    (-3, 2),
    (0, 4),
    (4, 0),
];
/// All others are told as they are, behind so many.
const NEARBY_CODES: usize = 120;

/// A picture without transforms.
pub(super) fn write(green: &[u8], width: usize) -> Vec<u8> {
    let mut out = Bits::default();
    out.write(0, 1);
    write_main(green, width, &mut out);
    out.finish()
}

/// The picture itself: no cache of colours, the same codes everywhere.
pub(super) fn write_main(green: &[u8], width: usize, out: &mut Bits) {
    out.write(0, 2);
    let copies = find(green, width);
    let mut greens = [0; PIXELS + LENGTHS];
    let mut distances = [0; DISTANCES];
    each(green, width, &copies, |step| match step {
        Step::Pixel(value) => greens[usize::from(value)] += 1,
        Step::Copy(length, distance) => {
            greens[PIXELS + length.symbol] += 1;
            distances[distance.symbol] += 1;
        }
    });
    let greens = Codes::told(&greens, out);
    for _ in 0..3 {
        // Red, blue and alpha.
        Codes::told(&[1], out);
    }
    let distances = Codes::told(&distances, out);
    each(green, width, &copies, |step| match step {
        Step::Pixel(value) => greens.write(usize::from(value), out),
        Step::Copy(length, distance) => {
            greens.write(PIXELS + length.symbol, out);
            out.write(length.extra, length.bits);
            distances.write(distance.symbol, out);
            out.write(distance.extra, distance.bits);
        }
    });
}

/// A table of colours: a row of pixels that differ in their green alone.
pub(super) fn write_table(green: &[u8], out: &mut Bits) {
    // No cache of colours.
    out.write(0, 1);
    let mut counts = [0; PIXELS + LENGTHS];
    for value in green {
        counts[usize::from(*value)] += 1;
    }
    let codes = Codes::told(&counts, out);
    for _ in 0..4 {
        Codes::told(&[1], out);
    }
    for value in green {
        codes.write(usize::from(*value), out);
    }
}

enum Step {
    Pixel(u8),
    Copy(Number, Number),
}

fn each(green: &[u8], width: usize, copies: &[Copy], mut say: impl FnMut(Step)) {
    let mut at = 0;
    for copy in copies {
        green[at..copy.at].iter().for_each(|value| say(Step::Pixel(*value)));
        say(Step::Copy(Number::of(copy.length), Number::of(distance_code(copy.distance, width))));
        at = copy.at + copy.length;
    }
    green[at..].iter().for_each(|value| say(Step::Pixel(*value)));
}

fn distance_code(distance: usize, width: usize) -> usize {
    let is_there = |(left, up): &(isize, isize)| left + up * width as isize == distance as isize;
    NEARBY.iter().position(is_there).map_or(distance + NEARBY_CODES, |code| code + 1)
}

/// A number from 1 on as a symbol and bits behind it.
struct Number {
    symbol: usize,
    extra: u32,
    bits: u32,
}

impl Number {
    fn of(value: usize) -> Self {
        let rest = value - 1;
        if rest < 4 {
            return Self { symbol: rest, extra: 0, bits: 0 };
        }
        let bits = rest.ilog2() - 1;
        let symbol = 2 * (bits as usize + 1) + ((rest >> bits) & 1);
        Self { symbol, extra: rest as u32 & ((1 << bits) - 1), bits }
    }
}
