//! Inverse transforms of other sizes than 8 × 8: what a picture at some eighths of its size is made of.

use super::Steps;
use super::matrix::{Matrix, matrix};
use crate::coefficients::Block;
use crate::decode::sample::{Sample, Sum};

/// The bits behind the point of weights.
const WEIGHT_FRACTION: u32 = 13;
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
        let dc = i32::from(block[0]).wrapping_mul(steps[0]);
        let sample = S::clamp((dc.wrapping_add(4) >> 3).wrapping_add((S::LARGEST + 1) / 2));
        for row in out.chunks_mut(stride).take(height) {
            row[..width].fill(sample);
        }
        return;
    }
    // Those of reduced pictures, as code of their own: the compiler knows their weights. Samples of 12 bits are rare.
    match (width, height) {
        _ if S::LARGEST > 255 => of_any_size(block, steps, (width, height), out, stride),
        (2, 2) => fixed::<S, 2, 2>(block, steps, out, stride),
        (4, 4) => fixed::<S, 4, 4>(block, steps, out, stride),
        (8, 4) => fixed::<S, 8, 4>(block, steps, out, stride),
        _ => of_any_size(block, steps, (width, height), out, stride),
    }
}

/// A block of `W` samples across and `H` down.
fn fixed<S: Sample, const W: usize, const H: usize>(
    block: &Block,
    steps: &Steps,
    out: &mut [S],
    stride: usize,
) {
    let (across, down) = (matrix(W), matrix(H));
    let shift = WEIGHT_FRACTION - S::FRACTION + down.summed;
    let rows = dequantized(block, steps);
    let mut columns = [[0_i32; 8]; H];
    let put = |x: usize, lanes: [S::Sum; 8]| columns[x] = lanes.map(|sum| sum.round(shift));
    match rows[4..].iter().all(|row| *row == [0; 8]) {
        true => one_pass::<S, 8>(down, 4, |k| rows[k], put),
        false => one_pass::<S, 8>(down, 8, |k| rows[k], put),
    }
    let shift = WEIGHT_FRACTION + S::FRACTION + 3 + across.summed;
    let center = (S::LARGEST + 1) / 2;
    let turned: [[i32; H]; 8] = std::array::from_fn(|k| std::array::from_fn(|y| columns[y][k]));
    let mut samples = [[S::default(); H]; W];
    let put = |x: usize, lanes: [S::Sum; H]| {
        samples[x] = lanes.map(|sum| S::clamp(sum.round(shift).wrapping_add(center)));
    };
    one_pass::<S, H>(across, 8, |k| turned[k], put);
    for (y, row) in out.chunks_mut(stride).enumerate().take(H) {
        let row_of = |x: usize| samples[x][y];
        row[..W].copy_from_slice(&std::array::from_fn::<S, W, _>(row_of));
    }
}

fn dequantized(block: &Block, steps: &Steps) -> [[i32; 8]; 8] {
    std::array::from_fn(|y| {
        std::array::from_fn(|x| i32::from(block[8 * y + x]).wrapping_mul(steps[8 * y + x]))
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
    let shift = WEIGHT_FRACTION - S::FRACTION + down.summed;
    let rows = dequantized(block, steps);
    let used = (0..down.taken).rev().find(|&y| rows[y] != [0; 8]).map_or(1, |last| last + 1);
    one_pass::<S, 8>(down, used, |k| rows[k], |x, lanes| columns[x] = lanes.map(|sum| sum.round(shift)));
    // The three bits are the scale of the transform of eight by eight.
    let shift = WEIGHT_FRACTION + S::FRACTION + 3 + across.summed;
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
fn one_pass<S: Sample, const N: usize>(
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
