//! Resizes a picture of 16 bits a sample row by row: color is premultiplied where pixels are mixed.

use filepress_resample::{Axis, DeepResampler};

use crate::error::Result;
use crate::formats::coded::Resampling;
use crate::image::resize::Target;

/// Resizes a picture whose rows come one after another.
pub(crate) struct DeepRowResizer {
    resampler: DeepResampler,
    /// The samples of a pixel if the last one is alpha, and pixels are mixed.
    translucent: Option<usize>,
    divided: Vec<u16>,
}

impl DeepRowResizer {
    /// `size` is the source's. Pixels have so many samples, the last of which can be alpha.
    pub(crate) fn new(target: Target, size: (u32, u32), (channels, has_alpha): (usize, bool)) -> Self {
        let Resampling { across, down } = target.resampling(size);
        let translucent = (has_alpha && target.interpolates()).then_some(channels);
        Self { resampler: DeepResampler::new(channels, across, down), translucent, divided: Vec::new() }
    }

    /// Takes the next row, and hands over the rows of the output that are complete with it. The row is changed.
    pub(crate) fn push(&mut self, row: &mut [u16], put: &mut dyn FnMut(&[u16]) -> Result<()>) -> Result<()> {
        let Some(channels) = self.translucent else { return self.resampler.push(row, put) };
        row.chunks_exact_mut(channels).for_each(weigh);
        self.resampler.push(row, &mut |row| {
            self.divided.clear();
            self.divided.extend_from_slice(row);
            self.divided.chunks_exact_mut(channels).for_each(unweigh);
            put(&self.divided)
        })
    }
}

/// The bytes that a [`DeepRowResizer`] takes, at most: for pixels of so many samples, from a picture of a size to another.
pub(crate) fn deep_memory(channels: usize, (width, height): (u32, u32), to: (u32, u32)) -> u64 {
    let axis = |size: u32, to: u32| Axis { size, start: 0.0, length: size.into(), to };
    let row = 2 * channels as u64 * u64::from(to.0);
    filepress_resample::deep_memory(channels, axis(width, to.0), axis(height, to.1)) + row
}

/// Multiplies color by the alpha in the last channel.
fn weigh(channels: &mut [u16]) {
    if let Some((alpha, colors)) = channels.split_last_mut() {
        for color in colors {
            *color = ((u32::from(*color) * u32::from(*alpha) + 32_767) / 65_535) as u16;
        }
    }
}

/// Divides color by the alpha in the last channel.
fn unweigh(channels: &mut [u16]) {
    if let Some((alpha, colors)) = channels.split_last_mut() {
        let divisor = u32::from((*alpha).max(1));
        for color in colors {
            *color = ((u32::from(*color) * 65_535 + divisor / 2) / divisor).min(65_535) as u16;
        }
    }
}
