//! The 8 × 8 blocks of DWA, from the coefficients of a file to samples.
//!
//! The means of a channel are together. The other coefficients follow block by block, in zigzag order (ITU-T T.81, figure 5): a word is a
//! 16-bit float, or `0xFFnn` for `nn` zeros, where `0xFF00` ends the block.

use super::Curve;
use super::cosines::{Square, flat, invert};
use crate::channel::{Channel, Kind};
use crate::error::{DAMAGED, Result};
use crate::half;
use crate::shape::Shape;

const SIDE: usize = 8;
/// The high byte of a word that stands for zeros, which no finite number has.
const ZEROS: u16 = 0xFF00;

/// By the place in zigzag order (ITU-T T.81, figure 5): 8 × the row and the column.
const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
    14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39,
    46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// The coefficients that were not read yet.
pub(super) struct Coefficients<'a> {
    pub(super) means: &'a [u16],
    /// Without those of the means.
    pub(super) others: &'a [u16],
}

/// The number of 8 × 8 blocks of a channel.
pub(super) fn count(shape: &Shape<'_>) -> usize {
    shape.width.div_ceil(SIDE) * shape.height.div_ceil(SIDE)
}

/// Decodes one channel, or red, green and blue.
pub(super) fn decode(
    coefficients: &mut Coefficients<'_>,
    shape: &Shape<'_>,
    group: &[&Channel<'_>],
    curve: &Curve,
    block: &mut [u8],
) -> Result<()> {
    let count = count(shape);
    let (means, rest) = coefficients.means.split_at_checked(group.len() * count).ok_or(DAMAGED)?;
    coefficients.means = rest;
    let mut squares = [[0.0; 64]; 3];
    let columns = shape.width.div_ceil(SIDE);
    for index in 0..count {
        let channels = means.chunks_exact(count).zip(squares.iter_mut());
        for (means, square) in channels {
            *square = [0.0; 64];
            square[0] = half::to_f32(means[index]);
            let rows = read(&mut coefficients.others, square)?;
            match rows {
                0 => *square = [flat(square[0]); 64],
                _ => invert(square, rows),
            }
        }
        if group.len() == 3 {
            to_rgb(&mut squares);
        }
        let (left, top) = (index % columns * SIDE, index / columns * SIDE);
        for (channel, square) in group.iter().zip(&squares) {
            // Colors have the curve, whatever their channels say.
            let curve = (group.len() == 3 || !channel.is_perceptual).then_some(curve);
            place(square, left, top, shape, channel, curve, block);
        }
    }
    Ok(())
}

/// Reads the coefficients of a block. Returns the number of rows up to the last that has one; 0 if none has.
fn read(words: &mut &[u16], square: &mut Square) -> Result<usize> {
    let (mut place, mut rows) = (1, 0);
    while place < 64 {
        let (&word, rest) = words.split_first().ok_or(DAMAGED)?;
        *words = rest;
        match word.checked_sub(ZEROS) {
            Some(0) => break,
            Some(zeros) => place += usize::from(zeros),
            None => {
                let to = usize::from(ZIGZAG[place]);
                square[to] = half::to_f32(word);
                rows = rows.max(to / SIDE + 1);
                place += 1;
            }
        }
    }
    Ok(rows)
}

/// From luminance and differences of blue and red (ITU-R BT.709) to red, green and blue.
fn to_rgb([first, second, third]: &mut [Square; 3]) {
    for ((first, second), third) in first.iter_mut().zip(second).zip(third) {
        let (luma, blue, red) = (*first, *second, *third);
        *first = luma + 1.5747 * red;
        *second = luma - 0.1873 * blue - 0.4682 * red;
        *third = luma + 1.8556 * blue;
    }
}

/// Copies what is within the block of the file.
fn place(
    square: &Square,
    left: usize,
    top: usize,
    shape: &Shape<'_>,
    channel: &Channel<'_>,
    curve: Option<&Curve>,
    block: &mut [u8],
) {
    let size = channel.kind.size();
    let width = SIDE.min(shape.width - left);
    let lines = &mut block[top * shape.line_size()..];
    for (row, numbers) in shape.rows(channel, lines).zip(square.as_chunks::<SIDE>().0) {
        let samples = row[left * size..][..width * size].chunks_exact_mut(size);
        for (sample, &number) in samples.zip(numbers) {
            let half = half::from_f32(number);
            let light = curve.map_or(half, |curve| curve.light(half));
            match channel.kind {
                Kind::Half => sample.copy_from_slice(&light.to_le_bytes()),
                _ => sample.copy_from_slice(&half::to_f32(light).to_le_bytes()),
            }
        }
    }
}
