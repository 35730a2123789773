//! Rows of pixels to rows of MCUs: color conversion, chroma subsampling, padding at the edges.

use super::color::{convert_gray, convert_rgb};
use super::subsampling::Subsampler;
use super::tuning::Tuning;
use super::window::Window;
use crate::Error;

/// Takes rows of pixels, and yields rows of MCUs.
pub(crate) struct Rows {
    /// Luma, or luma and chroma.
    window: Window,
    /// Of pictures whose chroma has fewer samples than luma.
    subsampler: Option<Subsampler>,
}

impl Rows {
    pub(crate) fn new(
        size: (usize, usize),
        components: usize,
        sampling: (usize, usize),
        tuning: &Tuning,
    ) -> Result<Self, Error> {
        let stride = size.0.next_multiple_of(8 * sampling.0);
        let subsampler = match sampling {
            (1, 1) => None,
            _ => Some(Subsampler::new(stride, sampling, tuning)?),
        };
        Ok(Self { window: Window::new(components, size, stride, 8 * sampling.1)?, subsampler })
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
        let Self { window, subsampler } = self;
        window.push(|window| match (subsampler.as_mut(), window.planes.as_slice()) {
            (Some(subsampler), [y, cb, cr]) => put(subsampler.run([y, cb, cr], window.above, window.kept)),
            (None, [y, cb, cr]) => put([y, cb, cr].map(|plane| plane.rows(window.above, 8))),
            (_, [y, ..]) => put([y.rows(window.above, 8), &[], &[]]),
            (_, []) => {}
        });
    }
}
