//! The inverse Walsh–Hadamard transform of lossless blocks (section 7.13.2.10).

use crate::plane::Plane;

/// Bits that the coefficients are scaled by.
const SHIFT: u32 = 2;

/// Adds the residual of 4 × 4 coefficients to the plane.
pub(super) fn add(plane: &mut Plane, x: usize, y: usize, coefficients: &[i32], bit_depth: u8) {
    let mut block = [[0_i32; 4]; 4];
    for (row, coefficients) in block.iter_mut().zip(coefficients.chunks_exact(4)) {
        *row = inverse(std::array::from_fn(|j| coefficients[j] >> SHIFT));
    }
    for column in 0..4 {
        let values = inverse(block.map(|row| row[column]));
        for (row, value) in block.iter_mut().zip(values) {
            row[column] = value;
        }
    }
    let largest = (1 << bit_depth) - 1;
    for (samples, residuals) in plane.block_rows(x, y, 4, 4).zip(block) {
        for (sample, residual) in samples.iter_mut().zip(residuals) {
            *sample = i32::from(*sample).saturating_add(residual).clamp(0, largest) as u16;
        }
    }
}

fn inverse([a, c, d, b]: [i32; 4]) -> [i32; 4] {
    let a = a.wrapping_add(c);
    let d = d.wrapping_sub(b);
    let e = a.wrapping_sub(d) >> 1;
    let b = e.wrapping_sub(b);
    let c = e.wrapping_sub(c);
    [a.wrapping_sub(b), b, c, d.wrapping_add(c)]
}
