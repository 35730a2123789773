//! Inverse transforms of any size, of samples of 8 and 12 bits: what pictures at most eighths of their size are made of.

use super::matrix::{Matrix, matrix};
use super::{FRACTION, Steps};
use crate::coefficients::Block;
use crate::decode::sample::{Sample, Sum};

/// The largest size.
const MAX: usize = 14;

/// Writes samples of this width and height, rows `stride` apart.
pub(crate) fn scaled<S: Sample>(
    block: &Block,
    steps: &Steps,
    (width, height): (usize, usize),
    out: &mut [S],
    stride: usize,
) {
    if (width, height) == (1, 1) || block[1..].iter().fold(0, |all, &coefficient| all | coefficient) == 0 {
        let dc = i32::from(block[0]).wrapping_mul(steps[0].into());
        let sample = S::clamp((dc.wrapping_add(4) >> 3).wrapping_add((S::LARGEST + 1) / 2));
        for row in out.chunks_mut(stride).take(height) {
            row[..width].fill(sample);
        }
        return;
    }
    of_any_size(block, steps, (width, height), out, stride);
}

fn dequantized(block: &Block, steps: &Steps) -> [[i32; 8]; 8] {
    std::array::from_fn(|y| {
        std::array::from_fn(|x| i32::from(block[8 * y + x]).wrapping_mul(steps[8 * y + x].into()))
    })
}

fn of_any_size<S: Sample>(
    block: &Block,
    steps: &Steps,
    (width, height): (usize, usize),
    out: &mut [S],
    stride: usize,
) {
    let (across, down) = (matrix(width), matrix(height));
    // Columns, of as many coefficients as the rows take.
    let mut columns = [[0_i32; 8]; MAX];
    let shift = FRACTION - S::FRACTION + down.summed;
    let rows = dequantized(block, steps);
    let used = (0..down.taken).rev().find(|&y| rows[y] != [0; 8]).map_or(1, |last| last + 1);
    one_pass::<S, 8>(down, used, |k| rows[k], |x, lanes| columns[x] = lanes.map(|sum| sum.round(shift)));
    // The three bits are the scale of the transform of eight by eight.
    let shift = FRACTION + S::FRACTION + 3 + across.summed;
    let center = (S::LARGEST + 1) / 2;
    let turned: [[i32; MAX]; 8] = std::array::from_fn(|k| std::array::from_fn(|y| columns[y][k]));
    one_pass::<S, MAX>(
        across,
        across.taken,
        |k| turned[k],
        |x, lanes| {
            for (y, sum) in lanes.iter().enumerate().take(height) {
                out[y * stride + x] = S::clamp(sum.round(shift).wrapping_add(center));
            }
        },
    );
}

/// Transforms `N` columns at once: `input` has their coefficients by index, `output` takes their samples by position.
#[inline(always)]
pub(super) fn one_pass<S: Sample, const N: usize>(
    matrix: &Matrix,
    used: usize,
    input: impl Fn(usize) -> [i32; N],
    mut output: impl FnMut(usize, [S::Sum; N]),
) {
    for (x, weights) in matrix.weights.iter().enumerate() {
        let mut sums = [[S::Sum::default(); N]; 2];
        for (k, &weight) in weights.iter().enumerate().take(used) {
            let values = input(k);
            for (sum, value) in sums[k % 2].iter_mut().zip(values) {
                *sum = sum.add_product(value, weight);
            }
        }
        let [even, odd] = sums;
        let both: [_; N] = std::array::from_fn(|lane| even[lane].butterfly(odd[lane]));
        output(x, both.map(|(sum, _)| sum));
        let mirrored = matrix.size - 1 - x;
        if mirrored != x {
            output(mirrored, both.map(|(_, difference)| difference));
        }
    }
}
