//! Chroma at a lower resolution, so that the decoder's upsampling comes close to the original.
//!
//! The mean of the pixels of a sample is the start. A pixel counts by how bright it is in the color that the component carries most of:
//! light adds up, and samples grow with about its square root. Decoders interpolate linearly between samples (3/4 and 1/4 of the nearest
//! ones, as libjpeg's "fancy upsampling" does), which blurs: what the mean of the upsampled pixels lacks is added, some times.

use super::plane::Plane;
use super::try_alloc::filled;
use super::window::CONTEXT;
use crate::Error;
use crate::lanes::Floats;

/// Rows of samples above and below those of an MCU that are made with them: the decoder's upsampling looks at them.
pub(crate) const MARGIN: usize = 1;
/// All of these rows.
pub(crate) const ROWS: usize = 8 + 2 * MARGIN;

/// Subsamples rows of MCUs.
pub(crate) struct Downsampler {
    /// Pixels for each sample, across and down.
    sampling: (usize, usize),
    sharpening: usize,
    /// Samples in a row.
    stride: usize,
    /// The samples of the MCUs and of those above and below: means, what is found, and the same upsampled and averaged.
    means: Vec<f32>,
    found: Vec<f32>,
    blurred: Vec<f32>,
    padded: Vec<f32>,
}

/// Pixels that samples are made of.
pub(crate) struct Pixels<'a> {
    pub(crate) luma: &'a Plane,
    pub(crate) chroma: &'a Plane,
    /// By how much of the component red or blue exceeds luma.
    pub(crate) primary: f32,
    /// What is added to red or blue, so that it is a weight.
    pub(crate) base: f32,
}

/// Weights of a sample and of its neighbors in the mean of what is upsampled from them: (3/4 + 3/4) / 2, and half of 1/4.
const CENTER: f32 = 0.75;
const SIDE: f32 = 0.125;

impl Downsampler {
    /// For rows of `stride` samples.
    pub(crate) fn new(stride: usize, sampling: (usize, usize), sharpening: usize) -> Result<Self, Error> {
        let buffer = || filled(0.0, stride * (8 + 2 * CONTEXT));
        Ok(Self {
            sampling,
            sharpening,
            stride,
            means: buffer()?,
            found: buffer()?,
            blurred: buffer()?,
            padded: filled(0.0, stride + 2)?,
        })
    }

    /// Fills `to` with [`ROWS`] rows of samples, of which those of the MCUs begin at row `first` of pixels, of which there are `kept`.
    pub(crate) fn subsample(&mut self, from: &Pixels, first: usize, kept: usize, to: &mut [f32]) {
        let (stride, high) = (self.stride, self.sampling.1);
        let (above, rows) = self.extent(first / high, kept / high);
        let begin = first - above * high;
        for row in 0..rows {
            let rows = [begin + row * high, begin + row * high + high - 1];
            let to = &mut self.means[row * stride..][..stride];
            mean(from, rows, to);
        }
        self.sharpen(above, rows, to);
    }

    /// The same of chroma that has its resolution already.
    pub(crate) fn keep(&mut self, from: &Plane, first: usize, kept: usize, to: &mut [f32]) {
        let (above, rows) = self.extent(first, kept);
        self.means[..rows * self.stride].copy_from_slice(from.rows(first - above, rows));
        self.sharpen(above, rows, to);
    }

    /// The rows that are looked at above those at hand, and all of them.
    fn extent(&self, first: usize, kept: usize) -> (usize, usize) {
        // Each sharpening looks at one row more.
        let context = (self.sharpening + MARGIN).min(CONTEXT / self.sampling.1);
        let above = first.min(context);
        (above, (above + 8 + context).min(kept - (first - above)))
    }

    /// Sharpens the means of so many rows, and fills `to` with them: from [`MARGIN`] above row `above` on.
    fn sharpen(&mut self, above: usize, rows: usize, to: &mut [f32]) {
        let stride = self.stride;
        let len = rows * stride;
        self.found[..len].copy_from_slice(&self.means[..len]);
        for _ in 0..self.sharpening {
            self.blur(rows);
            let [means, blurred] = [&self.means, &self.blurred].map(|rows| rows[..len].as_chunks().0.iter());
            let found = self.found[..len].as_chunks_mut().0.iter_mut();
            for ((found, mean), blurred) in found.zip(means).zip(blurred) {
                let lacking = Floats::of(mean) - Floats::of(blurred);
                *found = (Floats::of(found) + lacking).clamp(-128.0, 127.0).values();
            }
        }
        for (row, to) in to.chunks_exact_mut(stride).enumerate() {
            // Beyond the picture are its first row and its last one.
            let row = (above + row).saturating_sub(MARGIN).min(rows - 1);
            to.copy_from_slice(&self.found[row * stride..][..stride]);
        }
    }

    /// What the means of the upsampled samples would be.
    fn blur(&mut self, rows: usize) {
        let stride = self.stride;
        for row in 0..rows {
            let (above, below) = match self.sampling.1 {
                1 => (row, row),
                _ => (row.saturating_sub(1), (row + 1).min(rows - 1)),
            };
            let lines = [above, row, below].map(|row| self.found[row * stride..][..stride].as_chunks().0);
            // The samples between their first one and their last one once more.
            let down = self.padded[1..].as_chunks_mut().0.iter_mut();
            for (((to, above), at), below) in down.zip(lines[0]).zip(lines[1]).zip(lines[2]) {
                *to = blurred([above, at, below].map(Floats::of));
            }
            self.padded[0] = self.padded[1];
            self.padded[stride + 1] = self.padded[stride];
            let to = self.blurred[row * stride..][..stride].as_chunks_mut().0.iter_mut();
            for (to, around) in to.zip(self.padded.windows(Floats::COUNT + 2).step_by(Floats::COUNT)) {
                *to = blurred(shifted(around));
            }
        }
    }
}

/// A row of samples, or of those between rows, blurred.
#[inline(always)]
fn blurred([before, at, after]: [Floats; 3]) -> [f32; Floats::COUNT] {
    (at * Floats::splat(CENTER) + (before + after) * Floats::splat(SIDE)).values()
}

/// Samples with the ones to their left and to their right.
#[inline(always)]
pub(crate) fn shifted(around: &[f32]) -> [Floats; 3] {
    [0, 1, 2].map(|first| Floats::of(around[first..].first_chunk().unwrap_or(&[0.0; Floats::COUNT])))
}

/// The weighted means of the pixels of two rows, or of the same row twice: of two columns each.
fn mean(from: &Pixels, rows: [usize; 2], to: &mut [f32]) {
    let [above, below] = rows.map(|row| {
        let [luma, chroma] = [from.luma, from.chroma].map(|plane| plane.row(row).as_chunks().0);
        luma.as_chunks::<2>().0.iter().zip(chroma.as_chunks::<2>().0)
    });
    let (primary, base) = (Floats::splat(from.primary), Floats::splat(from.base));
    let weigh = |luma: &[f32; Floats::COUNT], chroma: &[f32; Floats::COUNT]| {
        let (luma, chroma) = (Floats::of(luma), Floats::of(chroma));
        let weight = luma + primary * chroma + base;
        (weight, weight * chroma)
    };
    let columns = |(luma, chroma): (&[[f32; Floats::COUNT]; 2], &[[f32; Floats::COUNT]; 2])| {
        let (left, right) = (weigh(&luma[0], &chroma[0]), weigh(&luma[1], &chroma[1]));
        (left.0.pairs(right.0), left.1.pairs(right.1))
    };
    for ((to, above), below) in to.as_chunks_mut().0.iter_mut().zip(above).zip(below) {
        let (above, below) = (columns(above), columns(below));
        *to = ((above.1 + below.1) / (above.0 + below.0)).values();
    }
}
