//! Rows of samples of one component to rows of blocks: padding at the edges, and what makes up for the blur of the decoder's upsampling.

use super::sharpen::Sharpener;
use super::window::Window;
use crate::Error;

/// Takes the rows of a component in its own resolution.
pub(crate) struct ComponentRows {
    window: Window,
    /// Of chroma that has fewer samples than the picture has pixels.
    sharpener: Option<Sharpener>,
}

impl ComponentRows {
    /// `size` is that of the component, `stride` the samples of a row of whole MCUs, and `pixels` those of the picture for each sample
    /// across and down.
    pub(crate) fn new(size: (usize, usize), stride: usize, pixels: (usize, usize)) -> Result<Self, Error> {
        let sharpener = match pixels {
            (1, 1) => None,
            (_, down) => Some(Sharpener::new(stride, down > 1)?),
        };
        Ok(Self { window: Window::new(size, stride)?, sharpener })
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
        let Self { window, sharpener } = self;
        fill(window.next_row());
        let mut result = Ok(());
        window.push(|Window { plane, above, kept, .. }| {
            let samples = match sharpener {
                Some(sharpener) => sharpener.run(plane, *above, *kept),
                None => plane.rows(*above, 8),
            };
            if result.is_ok() {
                result = put(samples);
            }
        });
        result
    }
}
