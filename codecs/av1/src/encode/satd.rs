//! The sum of absolute differences after Hadamard transforms of 4×4 samples: a quick guess at what a residual costs.

use crate::plane::Plane;

/// The sum for a block of `w` × `h` samples at a place that both planes share.
pub(super) fn satd(
    source: &Plane,
    prediction: &Plane,
    (x, y): (usize, usize),
    (w, h): (usize, usize),
) -> f32 {
    let mut sum = 0;
    for down in (0..h).step_by(4) {
        for right in (0..w).step_by(4) {
            let mut block = [[0i32; 4]; 4];
            for (line, row) in block.iter_mut().enumerate() {
                let start = (y + down + line) * source.stride + x + right;
                let from = (&source.data[start..start + 4], &prediction.data[start..start + 4]);
                for (to, (a, b)) in row.iter_mut().zip(from.0.iter().zip(from.1)) {
                    *to = i32::from(*a) - i32::from(*b);
                }
            }
            sum += hadamard(block);
        }
    }
    // As if the transforms were orthonormal.
    sum as f32 / 4.0
}

fn hadamard(mut block: [[i32; 4]; 4]) -> i32 {
    let butterfly = |[a, b, c, d]: [i32; 4]| {
        let (e, f, g, h) = (a + b, a - b, c + d, c - d);
        [e + g, f + h, e - g, f - h]
    };
    for row in &mut block {
        *row = butterfly(*row);
    }
    let mut sum = 0;
    for column in (0..4).map(|x| block.map(|row| row[x])) {
        sum += butterfly(column).iter().map(|value| value.abs()).sum::<i32>();
    }
    sum
}

/// The sum of squared differences.
pub(super) fn sse(source: &Plane, other: &Plane, (x, y): (usize, usize), (w, h): (usize, usize)) -> f32 {
    let mut sum = 0u64;
    for line in y..y + h {
        let start = line * source.stride + x;
        let rows = source.data[start..start + w].iter().zip(&other.data[start..start + w]);
        let of_row: u32 = rows.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum();
        sum += u64::from(of_row);
    }
    sum as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_difference_is_one_coefficient_of_each_square() {
        let mut planes = [Plane::new(8, 8, 8, 8).unwrap(), Plane::new(8, 8, 8, 8).unwrap()];
        planes[0].data.fill(13);
        planes[1].data.fill(10);
        assert_eq!(satd(&planes[0], &planes[1], (0, 0), (8, 8)), 4.0 * 3.0 * 16.0 / 4.0);
        assert_eq!(sse(&planes[0], &planes[1], (4, 0), (4, 8)), 9.0 * 32.0);
    }
}
