//! BlurHash: a few cosine coefficients of linear RGB, as text in base 83. Transparent pixels count as what is behind them, white.

use super::Picture;
use super::colors;
use super::cosine::from_zero;

const DIGITS: &[u8; 83] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
/// Waves along the longer and the shorter side.
const WAVES: (usize, usize) = (4, 3);

/// The hash as text.
pub(super) fn encode(picture: &Picture) -> String {
    let (across, down) = match picture.width >= picture.height {
        true => WAVES,
        false => (WAVES.1, WAVES.0),
    };
    let colors = linear(picture);
    let mut factors = Vec::new();
    for row in (0..down).map(|k| from_zero(k, picture.height)) {
        for column in (0..across).map(|k| from_zero(k, picture.width)) {
            factors.push(factor(picture, &colors, &column, &row));
        }
    }
    let Some((average, rest)) = factors.split_first() else { return String::new() };
    // Each wave but the first counts twice.
    let rest: Vec<[f64; 3]> = rest.iter().map(|factor| factor.map(|value| 2.0 * value)).collect();
    let most = rest.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    let step = ((most * 166.0 - 0.5).max(0.0) as u32).min(82);
    let scale = f64::from(step + 1) / 166.0;
    let mut hash = String::new();
    push(&mut hash, (across - 1 + (down - 1) * 9) as u32, 1);
    push(&mut hash, step, 1);
    let [red, green, blue] = average.map(|value| u32::from(colors::encoded(value)));
    push(&mut hash, red << 16 | green << 8 | blue, 4);
    for factor in rest {
        let digit = |value: f64| {
            let root = (value / scale).abs().sqrt().copysign(value);
            (root * 9.0 + 9.5).clamp(0.0, 18.0) as u32
        };
        push(&mut hash, factor.into_iter().fold(0, |sum, value| sum * 19 + digit(value)), 2);
    }
    hash
}

/// The linear colors, composited over white.
fn linear(picture: &Picture) -> Vec<[f64; 3]> {
    let table = colors::linear_table();
    let over_white = |&[red, green, blue, alpha]: &[u8; 4]| {
        [red, green, blue].map(|sample| {
            let sum = u32::from(sample) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
            table[((sum + 127) / 255) as usize]
        })
    };
    picture.pixels.iter().map(over_white).collect()
}

/// The average of the colors, weighted by a wave in each direction.
fn factor(picture: &Picture, colors: &[[f64; 3]], column: &[f64], row: &[f64]) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for (line, down) in colors.chunks_exact(picture.width).zip(row) {
        for (color, across) in line.iter().zip(column) {
            sums.iter_mut().zip(color).for_each(|(sum, value)| *sum += across * down * value);
        }
    }
    sums.map(|sum| sum / colors.len() as f64)
}

/// Appends a number with `digits` digits in base 83.
fn push(hash: &mut String, number: u32, digits: u32) {
    for place in (0..digits).rev() {
        hash.push(char::from(DIGITS[(number / 83_u32.pow(place) % 83) as usize]));
    }
}
