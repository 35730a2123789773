//! Chroma at a lower resolution, so that the decoder's upsampling comes close to the original.
//!
//! The mean of the pixels of a sample is the start. Decoders interpolate linearly between samples (3/4 and 1/4 of the nearest
//! ones, as libjpeg's "fancy upsampling" does), which blurs: what the mean of the upsampled pixels lacks is added, some times.

use super::plane::Plane;
use super::try_alloc::filled;
use super::window::CONTEXT;
use crate::Error;

/// Subsamples rows of MCUs.
pub(crate) struct Downsampler {
    /// Pixels for each sample, across and down, and those of them that a sample is still to be made of.
    sampling: (usize, usize),
    reduced: (usize, usize),
    sharpening: usize,
    /// Samples in a row.
    stride: usize,
    /// The samples of the MCUs and of those above and below: means, what is found, and the same upsampled and averaged.
    means: Vec<f32>,
    found: Vec<f32>,
    blurred: Vec<f32>,
    padded: Vec<f32>,
}

/// Weights of a sample and of its neighbors in the mean of what is upsampled from them: (3/4 + 3/4) / 2, and half of 1/4.
const CENTER: f32 = 0.75;
const SIDE: f32 = 0.125;

impl Downsampler {
    /// For rows of `stride` samples.
    pub(crate) fn new(
        stride: usize,
        sampling: (usize, usize),
        reduced: (usize, usize),
        sharpening: usize,
    ) -> Result<Self, Error> {
        let buffer = || filled(0.0, stride * (8 + 2 * CONTEXT));
        Ok(Self {
            sampling,
            reduced,
            sharpening,
            stride,
            means: buffer()?,
            found: buffer()?,
            blurred: buffer()?,
            padded: filled(0.0, stride + 2)?,
        })
    }

    /// Fills `to` with the eight rows of samples that begin at row `first` of `from`, which has `kept` rows.
    pub(crate) fn run(&mut self, from: &Plane, first: usize, kept: usize, to: &mut [f32]) {
        let (stride, high) = (self.stride, self.reduced.1);
        // Each sharpening looks at one row more.
        let context = self.sharpening.min(CONTEXT / high);
        let above = (first / high).min(context);
        let rows = (above + 8 + context).min((kept - (first - above * high)) / high);
        let begin = first - above * high;
        for row in 0..rows {
            let sources: [&[f32]; 2] =
                [from.row(begin + row * high), from.row(begin + row * high + high - 1)];
            let to = &mut self.means[row * stride..][..stride];
            mean(sources, self.reduced.0, to);
        }
        let len = rows * stride;
        self.found[..len].copy_from_slice(&self.means[..len]);
        for _ in 0..self.sharpening {
            self.blur(rows);
            for ((found, &mean), &blurred) in
                self.found[..len].iter_mut().zip(&self.means[..len]).zip(&self.blurred[..len])
            {
                *found = (*found + (mean - blurred)).clamp(-128.0, 127.0);
            }
        }
        to.copy_from_slice(&self.found[above * stride..][..8 * stride]);
    }

    /// What the means of the upsampled samples would be.
    fn blur(&mut self, rows: usize) {
        let stride = self.stride;
        for row in 0..rows {
            let line = |row: usize| &self.found[row * stride..][..stride];
            let (above, at, below) = (line(row.saturating_sub(1)), line(row), line((row + 1).min(rows - 1)));
            // The samples between their first one and their last one once more.
            let down = &mut self.padded[1..=stride];
            if self.sampling.1 == 1 {
                down.copy_from_slice(at);
            } else {
                for (((to, &at), &above), &below) in down.iter_mut().zip(at).zip(above).zip(below) {
                    *to = CENTER * at + SIDE * (above + below);
                }
            }
            self.padded[0] = self.padded[1];
            self.padded[stride + 1] = self.padded[stride];
            let to = &mut self.blurred[row * stride..][..stride];
            let (left, at, right) = (&self.padded, &self.padded[1..], &self.padded[2..]);
            if self.sampling.0 == 1 {
                to.copy_from_slice(&at[..stride]);
                continue;
            }
            for (((to, &left), &here), &right) in to.iter_mut().zip(left).zip(at).zip(right) {
                *to = CENTER * here + SIDE * (left + right);
            }
        }
    }
}

/// The means of pairs of rows, or of the same row twice, and of so many columns.
fn mean([a, b]: [&[f32]; 2], wide: usize, to: &mut [f32]) {
    match wide {
        1 => to.iter_mut().zip(a.iter().zip(b)).for_each(|(to, (a, b))| *to = (a + b) * 0.5),
        _ => {
            let pairs = a.as_chunks::<2>().0.iter().zip(b.as_chunks::<2>().0);
            to.iter_mut().zip(pairs).for_each(|(to, (a, b))| *to = (a[0] + a[1] + (b[0] + b[1])) * 0.25);
        }
    }
}
