//! Resizes a picture of 8 bits a sample row by row: color is premultiplied where pixels are mixed.

use filepress_resample::{Axis, Resampler};

use crate::error::Result;
use crate::formats::coded::Resampling;
use crate::formats::rows::Samples;
use crate::image::resize::Target;
#[cfg(feature = "pictures")]
use crate::image::resize::premultiplied;

/// Resizes a picture whose rows come one after another.
pub(crate) struct RowResizer {
    resampler: Resampler,
    /// The row that came, premultiplied, and the one that is handed over: of color with alpha that is mixed.
    #[cfg(feature = "pictures")]
    translucent: Option<[Vec<u8>; 2]>,
}

impl RowResizer {
    /// `size` is the source's.
    pub(crate) fn new(target: Target, size: (u32, u32), samples: Samples) -> Self {
        let Resampling { across, down } = target.resampling(size);
        Self {
            resampler: Resampler::new(samples.count(), across, down),
            #[cfg(feature = "pictures")]
            translucent: (samples == Samples::Rgba && target.interpolates()).then(Default::default),
        }
    }

    /// Takes the next row, and hands over the rows of the output that are complete with it.
    #[inline(never)]
    pub(crate) fn push(&mut self, row: &[u8], put: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        #[cfg(feature = "pictures")]
        if let Some([multiplied, divided]) = &mut self.translucent {
            multiplied.clear();
            multiplied.extend_from_slice(row);
            premultiplied::multiply(multiplied)?;
            return self.resampler.push(multiplied, &mut |row| {
                divided.clear();
                divided.extend_from_slice(row);
                premultiplied::divide(divided)?;
                put(divided)
            });
        }
        self.resampler.push(row, put)
    }
}

/// The bytes that a [`RowResizer`] takes, with the row that it is given, at most: for pixels of so many bytes, from a picture of a size
/// to another.
pub(crate) fn memory(pixel: u8, (width, height): (u32, u32), to: (u32, u32)) -> u64 {
    let axis = |size: u32, to: u32| Axis { size, start: 0.0, length: size.into(), to };
    let rows = u64::from(pixel) * (u64::from(width) + u64::from(to.0)) * 2;
    filepress_resample::memory(pixel.into(), axis(width, to.0), axis(height, to.1)) + rows
}

/// Resizes a whole picture of this size to `out`: the same as by [`RowResizer`].
pub(super) fn whole(
    pixels: &[u8],
    size: (u32, u32),
    samples: Samples,
    target: Target,
    out: &mut [u8],
) -> Result<()> {
    let mut resizer = RowResizer::new(target, size, samples);
    let mut to = out.chunks_exact_mut(target.width as usize * samples.count());
    for row in pixels.chunks_exact(size.0 as usize * samples.count()) {
        resizer.push(row, &mut |row| {
            if let Some(to) = to.next() {
                to.copy_from_slice(row);
            }
            Ok(())
        })?;
    }
    Ok(())
}
