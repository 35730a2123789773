//! Chroma that comes at the resolution of its samples, sharpened against the decoder's upsampling.
//!
//! Decoders interpolate linearly between samples (3/4 and 1/4 of the nearest ones, as libjpeg's "fancy upsampling" does), which blurs: what the
//! mean of the upsampled pixels lacks is added. Chroma that comes at full resolution is better subsampled with luma that makes up for it
//! (`filepress_ycbcr::Subsampler`).

use filepress_ycbcr::Floats;

use super::plane::Plane;
use super::try_alloc::filled;
use super::window::CONTEXT;
use crate::Error;

/// Sharpens rows of blocks.
pub(crate) struct Sharpener {
    /// Whether chroma has fewer rows than the picture.
    down: bool,
    /// Samples in a row.
    stride: usize,
    /// The samples between those of three rows, with those beside them.
    padded: Vec<f32>,
    sharpened: Vec<f32>,
}

/// Weights of a sample and of its neighbors in the mean of what is upsampled from them: (3/4 + 3/4) / 2, and half of 1/4.
const CENTER: f32 = 0.75;
const SIDE: f32 = 0.125;

impl Sharpener {
    /// For rows of `stride` samples.
    pub(crate) fn new(stride: usize, down: bool) -> Result<Self, Error> {
        let (padded, sharpened) = (filled(0.0, stride + 2)?, filled(0.0, 8 * stride)?);
        Ok(Self { down, stride, padded, sharpened })
    }

    /// The rows of a row of blocks, which begins at row `first` of these samples, of which there are `kept` rows.
    pub(crate) fn run(&mut self, from: &Plane, first: usize, kept: usize) -> &[f32] {
        for row in first..first + 8 {
            let (above, below) = match self.down {
                true => (row.saturating_sub(CONTEXT), (row + CONTEXT).min(kept - 1)),
                false => (row, row),
            };
            let lines = [above, row, below].map(|row| from.row(row).as_chunks().0);
            // The samples between their first one and their last one once more.
            let between = self.padded[1..].as_chunks_mut().0.iter_mut();
            for (((to, above), at), below) in between.zip(lines[0]).zip(lines[1]).zip(lines[2]) {
                *to = blurred([above, at, below].map(Floats::of)).values();
            }
            self.padded[0] = self.padded[1];
            self.padded[self.stride + 1] = self.padded[self.stride];
            let to =
                self.sharpened[(row - first) * self.stride..][..self.stride].as_chunks_mut().0.iter_mut();
            let around = self.padded.windows(Floats::COUNT + 2).step_by(Floats::COUNT);
            for ((to, mean), around) in to.zip(lines[1]).zip(around) {
                let mean = Floats::of(mean);
                *to = (mean + (mean - blurred(shifted(around)))).clamp(-128.0, 127.0).values();
            }
        }
        &self.sharpened
    }
}

/// A row of samples, or of those between rows, blurred.
#[inline(always)]
fn blurred([before, at, after]: [Floats; 3]) -> Floats {
    at * Floats::splat(CENTER) + (before + after) * Floats::splat(SIDE)
}

/// Samples with the ones to their left and to their right.
#[inline(always)]
fn shifted(around: &[f32]) -> [Floats; 3] {
    [0, 1, 2].map(|first| Floats::of(around[first..].first_chunk().unwrap_or(&[0.0; Floats::COUNT])))
}
