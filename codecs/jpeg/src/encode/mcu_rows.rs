//! Rows of pixels to rows of MCUs: color conversion, chroma subsampling, padding at the edges.

use super::color::{convert_gray, convert_rgb};
use super::downsample::Downsampler;
use super::try_alloc::filled;
use super::window::Window;
use crate::Error;

/// Takes rows of pixels, and yields rows of MCUs.
pub(crate) struct Rows {
    sampling: (usize, usize),
    /// Luma, or luma and chroma.
    window: Window,
    downsampler: Downsampler,
    chroma: [Vec<f32>; 2],
}

impl Rows {
    pub(crate) fn new(
        size: (usize, usize),
        components: usize,
        sampling: (usize, usize),
        sharpening: usize,
    ) -> Result<Self, Error> {
        let stride = size.0.next_multiple_of(8 * sampling.0);
        let chroma = stride / sampling.0;
        Ok(Self {
            sampling,
            window: Window::new(components, size, stride, 8 * sampling.1)?,
            downsampler: Downsampler::new(chroma, sampling, sampling, sharpening)?,
            chroma: [filled(0.0, 8 * chroma)?, filled(0.0, 8 * chroma)?],
        })
    }

    /// Whether no row is missing.
    pub(crate) fn complete(&self) -> bool {
        self.window.complete()
    }

    /// Takes a row of pixels. Hands over a row of MCUs if there is one now: the samples of each component.
    pub(crate) fn push(&mut self, pixels: &[u8], mut put: impl FnMut([&[f32]; 3])) {
        {
            let mut rows = self.window.next_rows();
            match (rows.next(), rows.next(), rows.next()) {
                (Some(y), Some(cb), Some(cr)) => convert_rgb(pixels, [y, cb, cr]),
                (Some(y), ..) => convert_gray(pixels, y),
                _ => {}
            }
        }
        let Self { sampling, window, downsampler, chroma } = self;
        let high = 8 * sampling.1;
        window.push(|window| match window.planes.as_slice() {
            [y, cb, cr] if *sampling == (1, 1) => {
                put([y, cb, cr].map(|plane| plane.rows(window.above, high)));
            }
            [y, cb, cr] => {
                for (from, to) in [cb, cr].into_iter().zip(chroma.iter_mut()) {
                    downsampler.run(from, window.above, window.kept, to);
                }
                put([y.rows(window.above, high), &chroma[0], &chroma[1]]);
            }
            [y, ..] => put([y.rows(window.above, high), &[], &[]]),
            [] => {}
        });
    }
}
