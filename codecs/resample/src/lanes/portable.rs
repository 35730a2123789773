//! The operations as scalar code: the definition that `simd128` has to match.

use super::{ACROSS_SHIFT, DOWN_SHIFT, SAMPLES};
use crate::taps::Taps;

/// The samples of pixels.
pub(super) fn thirds(pixels: &[u8; 3 * SAMPLES]) -> [[u8; SAMPLES]; 3] {
    [0, 1, 2].map(|sample| std::array::from_fn(|at| pixels[3 * at + sample]))
}

/// The weighted sums of columns, of pairs of rows from the pair `first` on: each is in the place of its number modulo `slots`.
pub(crate) fn down(pairs: &[u8], (first, slots): (usize, usize), weights: &[[i16; 2]], sums: &mut [i16]) {
    let size = 2 * sums.len();
    let mut wide = vec![1 << (DOWN_SHIFT - 1); sums.len()];
    for (number, weights) in weights.iter().enumerate() {
        let [even, odd] = weights.map(i32::from);
        let pair = &pairs[(first + number) % slots * size..][..size];
        for (sum, &[a, b]) in wide.iter_mut().zip(pair.as_chunks::<2>().0) {
            *sum += i32::from(a) * even + i32::from(b) * odd;
        }
    }
    for (to, sum) in sums.iter_mut().zip(wide) {
        *to = (sum >> DOWN_SHIFT).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    }
}

/// The pixels of a row, of one plane for each channel. `out` has room for a vector behind them.
pub(crate) fn across(planes: &[&[i16]], taps: &Taps, out: &mut [u8]) {
    let windows = taps.firsts.iter().zip(taps.weights.chunks_exact(taps.window));
    for ((&first, weights), pixel) in windows.zip(out.chunks_exact_mut(planes.len())) {
        for (sample, plane) in pixel.iter_mut().zip(planes) {
            let samples = plane[first..].iter().zip(weights);
            let sum: i32 = samples.map(|(&sample, &weight)| i32::from(sample) * i32::from(weight)).sum();
            *sample = ((sum + (1 << (ACROSS_SHIFT - 1))) >> ACROSS_SHIFT).clamp(0, 255) as u8;
        }
    }
}
