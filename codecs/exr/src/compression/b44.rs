//! B44 and B44A: squares of 4 × 4 16-bit floats in 14 bytes, or in 3 if all are equal. Other samples are stored as they are
//! ("Technical Introduction to OpenEXR", openexr.com).
//!
//! A square starts with its first number and a shift, and goes on with differences of 6 bits: down the first column to the number
//! above, then down the other columns to the number on the left. Numbers are compared as integers, so negative ones are stored as
//! the complement.

use crate::channel::Kind;
use crate::error::Result;
use crate::half;
use crate::input::Input;
use crate::shape::Shape;

const SIDE: usize = 4;
/// Shifts from here on say that all numbers are equal.
const FLAT: u32 = 13;

pub(crate) fn decode(compressed: &[u8], shape: &Shape<'_>, block: &mut [u8]) -> Result<()> {
    let mut input = Input(compressed);
    for channel in shape.channels {
        if channel.kind != Kind::Half {
            let plane = input.take(channel.kind.size() * shape.pixels())?;
            shape.place(channel, plane, block);
            continue;
        }
        for top in (0..shape.height).step_by(SIDE) {
            for left in (0..shape.width).step_by(SIDE) {
                let mut square = square(&mut input)?;
                if channel.is_perceptual {
                    square = square.map(logarithm);
                }
                let width = SIDE.min(shape.width - left);
                let lines = block.chunks_exact_mut(shape.line_size()).skip(top);
                for (line, row) in lines.zip(square.as_chunks::<SIDE>().0) {
                    let start = channel.offset * shape.width + left * 2;
                    let samples = line[start..][..width * 2].as_chunks_mut().0;
                    samples.iter_mut().zip(row).for_each(|(sample, half)| *sample = half.to_le_bytes());
                }
            }
        }
    }
    Ok(())
}

/// The bits of the 16 numbers of a square, row by row.
fn square(input: &mut Input<'_>) -> Result<[u16; 16]> {
    let head = input.take(3)?;
    let first = u16::from_be_bytes([head[0], head[1]]);
    let shift = u32::from(head[2] >> 2);
    if shift >= FLAT {
        return Ok([from_ordered(first); 16]);
    }
    let tail = input.take(11)?;
    // 90 bits: 15 differences from the highest down.
    let bits = tail.iter().fold(u128::from(head[2] & 3), |bits, &byte| bits << 8 | u128::from(byte));
    let mut square = [first; 16];
    for (index, (place, neighbor)) in places().enumerate() {
        let difference = (bits >> (84 - 6 * index)) as u16 & 0x3F;
        square[place] = square[neighbor].wrapping_add(difference << shift).wrapping_sub(0x20 << shift);
    }
    Ok(square.map(from_ordered))
}

/// In the order of the file, the places of numbers, and of the neighbors to which they are given.
fn places() -> impl Iterator<Item = (usize, usize)> {
    let column = (1..SIDE).map(|y| (y * SIDE, (y - 1) * SIDE));
    let others = (1..SIDE).flat_map(|x| (0..SIDE).map(move |y| (y * SIDE + x, y * SIDE + x - 1)));
    column.chain(others)
}

/// From integers in the order of the numbers to bits with a sign.
fn from_ordered(ordered: u16) -> u16 {
    if ordered & 0x8000 != 0 { ordered & 0x7FFF } else { !ordered }
}

/// 8 ln x, of channels that are perceptually uniform. 0 for negative numbers and what is not finite.
fn logarithm(bits: u16) -> u16 {
    let number = half::to_f32(bits);
    if number.is_finite() && number >= 0.0 { half::from_f32(8.0 * libm::logf(number)) } else { 0 }
}
