//! Rows of pixels to rows of MCUs: color conversion, chroma subsampling, padding at the edges.
//!
//! Of the picture, some rows more than an MCU has are kept, because the decoder's upsampling reaches beyond MCUs.

use super::color::{convert_gray, convert_rgb};
use super::downsample::{CONTEXT, Downsampler};
use super::plane::Plane;
use super::try_alloc::filled;
use crate::Error;

/// Takes rows of pixels, and yields rows of MCUs.
pub(crate) struct Rows {
    width: usize,
    height: usize,
    sampling: (usize, usize),
    /// Luma, or luma and chroma.
    planes: Vec<Plane>,
    /// Rows above the MCUs at hand that are kept, and all that are.
    above: usize,
    kept: usize,
    /// Rows of the picture that came.
    taken: usize,
    downsampler: Downsampler,
    chroma: [Plane; 2],
}

impl Rows {
    pub(crate) fn new(
        (width, height): (usize, usize),
        components: usize,
        sampling: (usize, usize),
        sharpening: usize,
    ) -> Result<Self, Error> {
        let stride = width.next_multiple_of(8 * sampling.0);
        let plane = |stride: usize, rows: usize| Ok(Plane { stride, samples: filled(0.0, stride * rows)? });
        let rows = 8 * sampling.1 + 2 * CONTEXT;
        let planes = (0..components).map(|_| plane(stride, rows)).collect::<Result<_, Error>>()?;
        let chroma = stride / sampling.0;
        Ok(Self {
            width,
            height,
            sampling,
            planes,
            above: 0,
            kept: 0,
            taken: 0,
            downsampler: Downsampler::new(stride, sampling, sharpening)?,
            chroma: [plane(chroma, 8)?, plane(chroma, 8)?],
        })
    }

    /// Whether no row is missing.
    pub(crate) fn complete(&self) -> bool {
        self.taken == self.height
    }

    /// Takes a row of pixels. Hands over a row of MCUs if there is one now: a plane for each component, from a row of it on.
    pub(crate) fn push(&mut self, pixels: &[u8], mut put: impl FnMut([&[f32]; 3])) {
        let (width, row) = (self.width, self.kept);
        match self.planes.as_mut_slice() {
            [y, cb, cr] => {
                let rows = [y.row_mut(row), cb.row_mut(row), cr.row_mut(row)];
                convert_rgb(pixels, rows.map(|row| &mut row[..width]));
            }
            [y, ..] => convert_gray(pixels, &mut y.row_mut(row)[..width]),
            [] => {}
        }
        for plane in &mut self.planes {
            let row = plane.row_mut(row);
            let last = row[width - 1];
            row[width..].fill(last);
        }
        self.kept += 1;
        self.taken += 1;
        if self.complete() {
            self.pad();
            while self.kept >= self.above + 8 * self.sampling.1 + CONTEXT {
                self.yield_mcus(&mut put);
            }
        } else if self.kept == self.above + 8 * self.sampling.1 + CONTEXT {
            self.yield_mcus(&mut put);
        }
    }

    /// Repeats the last row of the picture down to whole MCUs, and below them.
    fn pad(&mut self) {
        let high = 8 * self.sampling.1;
        let wanted = self.above + (self.kept - self.above).next_multiple_of(high) + CONTEXT;
        let wanted = wanted.max(self.kept);
        for plane in &mut self.planes {
            plane.samples.resize(plane.samples.len().max(wanted * plane.stride), 0.0);
            let last = self.kept - 1;
            for row in self.kept..wanted {
                plane.samples.copy_within(last * plane.stride..(last + 1) * plane.stride, row * plane.stride);
            }
        }
        self.kept = wanted;
    }

    fn yield_mcus(&mut self, put: &mut impl FnMut([&[f32]; 3])) {
        let high = 8 * self.sampling.1;
        let luma = |plane: &'_ Plane| self.above * plane.stride..(self.above + high) * plane.stride;
        match self.planes.as_slice() {
            [y, cb, cr] => {
                let y_rows = &y.samples[luma(y)];
                if self.sampling == (1, 1) {
                    put([y_rows, &cb.samples[luma(cb)], &cr.samples[luma(cr)]]);
                } else {
                    for (from, to) in [cb, cr].into_iter().zip(&mut self.chroma) {
                        self.downsampler.run(from, self.above, self.kept, &mut to.samples);
                    }
                    put([y_rows, &self.chroma[0].samples, &self.chroma[1].samples]);
                }
            }
            [y, ..] => put([&y.samples[luma(y)], &[], &[]]),
            [] => {}
        }
        let next = self.above + high;
        let dropped = next.saturating_sub(CONTEXT);
        for plane in &mut self.planes {
            plane.samples.copy_within(dropped * plane.stride..self.kept * plane.stride, 0);
        }
        self.kept -= dropped;
        self.above = next - dropped;
    }
}
