//! Rows of pixels to rows of MCUs: color conversion, chroma subsampling, padding at the edges.

use filepress_ycbcr::{Subsampler, convert_rgb};

use super::try_alloc::filled;
use super::tuning::Tuning;
use crate::Error;

/// Takes rows of pixels, and yields rows of MCUs.
pub(crate) struct Rows {
    /// Pixels in a row, and rows of MCUs that are missing.
    width: usize,
    missing: usize,
    /// Rows of pixels that are missing.
    height: usize,
    /// Of pictures whose chroma has fewer samples than luma.
    subsampler: Option<Subsampler>,
    /// Luma, or luma and chroma, of a row of MCUs: samples in a row of each, and all of them.
    planes: [(usize, Vec<f32>); 3],
    /// Rows of chroma, or of what has its resolution, that are there.
    taken: usize,
}

/// Rows of samples of an MCU, of the component with the fewest.
const ROWS: usize = 8;

impl Rows {
    pub(crate) fn new(
        (width, height): (usize, usize),
        components: usize,
        sampling: (usize, usize),
        tuning: &Tuning,
    ) -> Result<Self, Error> {
        let stride = width.next_multiple_of(8 * sampling.0);
        let subsampler = match sampling {
            (1, 1) => None,
            (_, down) => Some(Subsampler::new(width, down, tuning.luma_adjustment)),
        };
        let chroma = stride / sampling.0;
        let plane = |stride, rows| Ok((stride, filled(0.0, stride * rows)?));
        let planes = match components {
            1 => [plane(stride, ROWS)?, (0, vec![]), (0, vec![])],
            _ => [plane(stride, ROWS * sampling.1)?, plane(chroma, ROWS)?, plane(chroma, ROWS)?],
        };
        let missing = height.div_ceil(ROWS * sampling.1);
        Ok(Self { width, missing, height, subsampler, planes, taken: 0 })
    }

    /// Whether no row is missing.
    pub(crate) fn complete(&self) -> bool {
        self.height == 0
    }

    /// Takes a row of pixels. Hands over the rows of MCUs that it completes: the samples of each component.
    pub(crate) fn push(&mut self, pixels: &[u8], mut put: impl FnMut([&[f32]; 3])) {
        self.take(Some(pixels), &mut put);
        self.height -= 1;
        // The last row of the picture is repeated down to whole MCUs.
        while self.complete() && self.missing > 0 {
            self.take(None, &mut put);
        }
    }

    /// Takes a row of pixels, or the last one again.
    fn take(&mut self, pixels: Option<&[u8]>, put: &mut impl FnMut([&[f32]; 3])) {
        if !self.subsample(pixels) {
            return;
        }
        self.taken += 1;
        if self.taken == ROWS {
            self.taken = 0;
            self.missing -= 1;
            put(self.planes.each_ref().map(|(_, samples)| samples.as_slice()));
        }
    }

    /// Fills the next rows of the planes. Whether there are more now.
    fn subsample(&mut self, pixels: Option<&[u8]>) -> bool {
        let Some(subsampler) = &mut self.subsampler else {
            self.convert(pixels);
            return true;
        };
        let samples = match pixels {
            Some(pixels) => subsampler.push(|rows| convert_rgb(pixels, rows)),
            None => subsampler.repeat(),
        };
        let Some(samples) = samples else { return false };
        let [(stride, luma), chroma @ ..] = &mut self.planes;
        let down = samples.luma.len() / samples.stride;
        let rows = luma[self.taken * down * *stride..].chunks_exact_mut(*stride);
        for (to, from) in rows.zip(samples.luma.chunks_exact(samples.stride)) {
            copy(to, from);
        }
        for ((stride, plane), from) in chroma.iter_mut().zip(samples.chroma) {
            copy(&mut plane[self.taken * *stride..][..*stride], from);
        }
        true
    }

    /// Fills a row of each plane.
    fn convert(&mut self, pixels: Option<&[u8]>) {
        let Some(pixels) = pixels else {
            for (stride, plane) in &mut self.planes {
                let to = self.taken * *stride;
                plane.copy_within(to - *stride..to, to);
            }
            return;
        };
        let mut rows =
            self.planes.iter_mut().map(|(stride, plane)| &mut plane[self.taken * *stride..][..*stride]);
        match [rows.next(), rows.next(), rows.next()] {
            [Some(y), Some(cb), Some(cr)] if !cb.is_empty() => {
                convert_rgb(pixels, [&mut *y, &mut *cb, &mut *cr]);
                [y, cb, cr].into_iter().for_each(|row| pad(row, self.width));
            }
            [Some(y), ..] => {
                y.iter_mut().zip(pixels).for_each(|(to, &from)| *to = f32::from(from) - 128.0);
                pad(y, self.width);
            }
            _ => {}
        }
    }
}

/// Copies a row of samples, of which the last one is repeated.
fn copy(to: &mut [f32], from: &[f32]) {
    let count = from.len().min(to.len());
    to[..count].copy_from_slice(&from[..count]);
    pad(to, count);
}

/// Repeats the sample before number `count`.
fn pad(row: &mut [f32], count: usize) {
    let last = row[count - 1];
    row[count..].fill(last);
}
