//! Rows of samples of one component to rows of blocks: padding at the edges, and what makes up for the blur of the decoder's upsampling.

use super::downsample::{Downsampler, MARGIN, ROWS};
use super::try_alloc::filled;
use super::tuning::Tuning;
use super::window::Window;
use crate::Error;

/// Takes the rows of a component in its own resolution.
pub(crate) struct ComponentRows {
    window: Window,
    /// Of chroma that has fewer samples than the picture has pixels.
    chroma: Option<(Downsampler, Vec<f32>)>,
}

impl ComponentRows {
    /// `size` is that of the component, `stride` the samples of a row of whole MCUs, and `pixels` those of the picture for each sample
    /// across and down.
    pub(crate) fn new(
        size: (usize, usize),
        stride: usize,
        pixels: (usize, usize),
        tuning: &Tuning,
    ) -> Result<Self, Error> {
        let chroma = match pixels {
            (1, 1) => None,
            _ => {
                let downsampler = Downsampler::new(stride, pixels, tuning.sharpening)?;
                Some((downsampler, filled(0.0, ROWS * stride)?))
            }
        };
        Ok(Self { window: Window::new(1, size, stride, 8)?, chroma })
    }

    /// Whether no row is missing.
    pub(crate) fn complete(&self) -> bool {
        self.window.complete()
    }

    /// Takes the next row, which `fill` writes: samples about zero. Hands over what it completes: the samples of a row of blocks.
    pub(crate) fn push(
        &mut self,
        fill: &dyn Fn(&mut [f32]),
        put: &mut dyn FnMut(&[f32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self { window, chroma } = self;
        if let Some(row) = window.next_rows().next() {
            fill(row);
        }
        let mut result = Ok(());
        window.push(|window| {
            for plane in &window.planes {
                let samples = match chroma {
                    Some((downsampler, out)) => {
                        downsampler.keep(plane, window.above, window.kept, out);
                        &out[MARGIN * plane.stride..][..8 * plane.stride]
                    }
                    None => plane.rows(window.above, 8),
                };
                result = result.and_then(|()| put(samples));
            }
        });
        result
    }
}
