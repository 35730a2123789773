//! Replaces the colors of fully transparent pixels, which are invisible, by those of their surroundings, which compress
//! better.

use crate::formats::avif::encode::sample::Sample;

/// The width and height of a block.
const SIDE: usize = 8;

/// Gives transparent pixels the mean color of the visible pixels in their block; if there are none, that of the block
/// before.
///
/// Alpha is the last of `channels`.
pub(crate) fn smooth<T: Sample>(samples: &mut [T], width: usize, channels: usize) {
    let mut mean = [0u32; 3];
    for band in samples.chunks_mut(width * channels * SIDE) {
        for start in (0..width).step_by(SIDE) {
            let columns = start * channels..(start + SIDE).min(width) * channels;
            let (mut sum, mut count) = ([0u64; 3], 0u64);
            let mut hidden = false;
            for row in band.chunks(width * channels) {
                for pixel in row[columns.clone()].chunks_exact(channels) {
                    if is_hidden(pixel) {
                        hidden = true;
                        continue;
                    }
                    count += 1;
                    for (sum, level) in sum.iter_mut().zip(&pixel[..channels - 1]) {
                        *sum += u64::from((*level).into());
                    }
                }
            }
            if count > 0 {
                mean = sum.map(|sum| ((sum + count / 2) / count) as u32);
            }
            if !hidden {
                continue;
            }
            for row in band.chunks_mut(width * channels) {
                for pixel in row[columns.clone()].chunks_exact_mut(channels).filter(|pixel| is_hidden(pixel))
                {
                    for (level, mean) in pixel[..channels - 1].iter_mut().zip(mean) {
                        *level = T::try_from(mean).unwrap_or(*level);
                    }
                }
            }
        }
    }
}

fn is_hidden<T: Sample>(pixel: &[T]) -> bool {
    pixel.last().is_some_and(|alpha| (*alpha).into() == 0)
}
