//! The transforms of 2, 4 and 8 samples as 128-bit WebAssembly instructions: the samples of `portable`.
//!
//! Nearly all blocks have one of three sizes: `unrolled` has the instructions of each in a row. `any` takes the size as a number.

mod any;
mod unrolled;

use core::arch::wasm32::{
    i16x8, i16x8_mul, i16x8_shuffle, i16x8_splat, u16x8, v128, v128_and, v128_any_true, v128_or,
};

use super::Steps;
use crate::coefficients::Block;

/// Writes samples of this width and height, 2, 4 or 8 each, rows `stride` apart.
pub(super) fn inverse(
    block: &Block,
    steps: &Steps,
    (width, height): (usize, usize),
    out: &mut [u8],
    stride: usize,
) {
    let (coefficients, steps) = (block.as_chunks::<8>().0, steps.as_chunks::<8>().0);
    let mut rows = [i16x8_splat(0); 8];
    for ((row, coefficients), steps) in rows.iter_mut().zip(coefficients).zip(steps) {
        *row = i16x8_mul(signed(coefficients), unsigned(steps));
    }
    let ac = rows[1..]
        .iter()
        .fold(v128_and(rows[0], i16x8(0, -1, -1, -1, -1, -1, -1, -1)), |all, &row| v128_or(all, row));
    if !v128_any_true(ac) {
        let dc = block[0].wrapping_mul(steps[0][0] as i16);
        let sample = (((i32::from(dc) + 4) >> 3) + 128).clamp(0, 255) as u8;
        out.chunks_mut(stride).take(height).for_each(|row| row[..width].fill(sample));
        return;
    }
    match (width, height) {
        (8, 8) => put(unrolled::eight(&rows), out, stride),
        (4, 4) => put(unrolled::four(&rows), out, stride),
        (8, 4) => put(unrolled::eight_by_four(&rows), out, stride),
        _ => {
            let samples = any::samples(rows, (width, height));
            for (row, samples) in out.chunks_mut(stride).zip(samples).take(height) {
                row[..width].copy_from_slice(&samples[..width]);
            }
        }
    }
}

#[inline(always)]
fn put<const W: usize, const H: usize>(samples: [[u8; W]; H], out: &mut [u8], stride: usize) {
    for (row, samples) in out.chunks_mut(stride).zip(samples) {
        if let Some(to) = row.first_chunk_mut::<W>() {
            *to = samples;
        }
    }
}

/// Each lane of `a` and the same of `b` behind it: of the first four, and of the others.
#[inline(always)]
fn zip(a: v128, b: v128) -> [v128; 2] {
    [i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b), i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)]
}

#[inline(always)]
fn signed(&[a, b, c, d, e, f, g, h]: &[i16; 8]) -> v128 {
    i16x8(a, b, c, d, e, f, g, h)
}

#[inline(always)]
fn unsigned(&[a, b, c, d, e, f, g, h]: &[u16; 8]) -> v128 {
    u16x8(a, b, c, d, e, f, g, h)
}
