//! The most frequent colors of a picture, and the sRGB transfer function (IEC 61966-2-1) in steps of 8 bits.

use super::Picture;
use crate::pixels::srgb::{ENCODED_BREAK, EXPONENT, OFFSET, SCALE, SLOPE};

/// The most colors of a palette.
const MOST: usize = 6;
/// Bits of each channel that group similar pixels.
const BITS: u32 = 4;
/// Colors of a palette differ by at least this sum over the channels.
const APART: u32 = 96;
/// A color with a smaller share of the pixels, 1 / this, is not in a palette.
const LEAST_SHARE: u32 = 200;
/// Pixels with less alpha have no visible color.
const VISIBLE: u8 = 128;

/// Up to six colors as `#rrggbb`, the most frequent first. Black for a picture without visible pixels.
pub(super) fn palette(picture: &Picture) -> Vec<String> {
    // Sum of each channel, and the number of pixels.
    let mut groups = vec![[0_u32; 4]; 1 << (3 * BITS)];
    for pixel in picture.pixels.iter().filter(|pixel| pixel[3] >= VISIBLE) {
        let at = pixel[..3].iter().fold(0, |at, sample| at << BITS | usize::from(sample >> (8 - BITS)));
        (0..3).for_each(|channel| groups[at][channel] += u32::from(pixel[channel]));
        groups[at][3] += 1;
    }
    let visible: u32 = groups.iter().map(|group| group[3]).sum();
    groups.retain(|group| group[3] > 0);
    by_share(&mut groups);
    let mut found: Vec<[u32; 4]> = Vec::new();
    for group in groups {
        match found.iter_mut().find(|other| distance(other, &group) < APART) {
            Some(other) => (0..4).for_each(|at| other[at] += group[at]),
            None => found.push(group),
        }
    }
    by_share(&mut found);
    let frequent = found.iter().filter(|group| group[3] * LEAST_SHARE >= visible).take(MOST);
    let colors: Vec<String> = frequent.map(|group| hex(average(group))).collect();
    if colors.is_empty() { vec![hex([0; 3])] } else { colors }
}

/// The most frequent first; equal ones in the order of their colors.
fn by_share(groups: &mut [[u32; 4]]) {
    groups.sort_unstable_by_key(|&[red, green, blue, count]| (std::cmp::Reverse(count), red, green, blue));
}

fn average(group: &[u32; 4]) -> [u32; 3] {
    [0, 1, 2].map(|channel| (group[channel] + group[3] / 2) / group[3])
}

fn distance(one: &[u32; 4], other: &[u32; 4]) -> u32 {
    average(one).iter().zip(average(other)).map(|(one, other)| one.abs_diff(other)).sum()
}

fn hex(color: [u32; 3]) -> String {
    let digits = color.into_iter().flat_map(|channel| [channel >> 4, channel & 15]);
    std::iter::once('#').chain(digits.filter_map(|digit| char::from_digit(digit, 16))).collect()
}

/// The linear value of each encoded one.
pub(super) fn linear_table() -> [f64; 256] {
    std::array::from_fn(|step| linear(step as f64 / 255.0))
}

/// The nearest encoded step of a linear value from 0 to 1.
pub(super) fn encoded(value: f64) -> u8 {
    (0..u8::MAX).filter(|&step| linear((f64::from(step) + 0.5) / 255.0) <= value).count() as u8
}

fn linear(encoded: f64) -> f64 {
    if encoded <= ENCODED_BREAK { encoded / SLOPE } else { power((encoded + OFFSET) / SCALE) }
}

/// `base` to the power of 2.4, which is 12 / 5: the fifth root by Newton's method, with the same result on every machine.
fn power(base: f64) -> f64 {
    const { assert!(EXPONENT == 2.4) };
    let mut root = 1.0;
    for _ in 0..40 {
        let fourth = root * root * root * root;
        root -= (fourth * root - base) / (5.0 * fourth);
    }
    let cube = root * root * root;
    cube * cube * cube * cube
}
