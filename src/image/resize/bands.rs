//! Resizes a picture of 8 bits a sample in bands, each of which needs some rows of the source only.

use std::ops::Range;

use fast_image_resize::images::{TypedImage, TypedImageRef};
#[cfg(feature = "core")]
use fast_image_resize::pixels::U8x4;
use fast_image_resize::pixels::{InnerPixel, U8, U8x3};
use fast_image_resize::{CropBox, PixelTrait, Resizer};

use crate::error::Result;
use crate::formats::rows::Samples;
#[cfg(feature = "core")]
use crate::image::resize::premultiplied;
use crate::image::resize::{LOBES, Target, internal, options};

/// The pixels of a band at most, unless a row has more. Larger ones take more memory; for each, the weights of all columns are
/// computed again, and the rows beside it are shortened again.
const PIXELS: u32 = 400_000;

/// Some rows of the output.
struct Band {
    /// How many.
    rows: u32,
    /// The rows of the source that they are made from, and the part of these that they show.
    source: Range<u32>,
    part: CropBox,
}

impl Band {
    /// The band that begins at row `first`, from a source of so many rows.
    fn new(target: Target, first: u32, height: u32) -> Self {
        let rows = band_rows(target.width, target.height).min(target.height - first);
        if rows == target.height {
            return Self { rows, source: 0..height, part: target.part };
        }
        let step = target.part.height / f64::from(target.height);
        let (top, length) = (target.part.top + f64::from(first) * step, f64::from(rows) * step);
        // A row more on each side: the resampler's own rounding decides whether the outermost count.
        let reach = LOBES * step.max(1.0) + 1.0;
        let start = ((top - reach).max(0.0) as u32).min(height - 1);
        let end = ((top + length + reach).ceil() as u32).clamp(start + 1, height);
        let top = top - f64::from(start);
        let length = length.min(f64::from(end - start) - top);
        Self { rows, source: start..end, part: CropBox { top, height: length, ..target.part } }
    }
}

/// The most rows of the source that a band is made from, if as many as `height` become those of an output of this width and height.
pub(crate) fn source_rows(height: u32, (width, target): (u32, u32)) -> u32 {
    let rows = band_rows(width, target);
    if rows == target {
        return height;
    }
    let step = f64::from(height) / f64::from(target);
    let reach = LOBES * step.max(1.0) + 2.0;
    ((f64::from(rows) * step + 2.0 * reach).ceil() as u32).min(height)
}

/// The rows of each band but the last one of an output of this width and height.
pub(crate) fn band_rows(width: u32, height: u32) -> u32 {
    let most = (PIXELS / width.max(1)).max(1);
    // Of about the same height.
    height.div_ceil(height.div_ceil(most).max(1))
}

/// Resizes a picture whose rows come one after another.
pub(crate) struct RowResizer {
    target: Target,
    width: u32,
    height: u32,
    samples: Samples,
    resizer: Resizer,
    band: Band,
    /// The first row of the output that is to be made.
    next: u32,
    /// Rows of the source that came.
    taken: u32,
    /// Those that the band needs.
    rows: Vec<u8>,
    out: Vec<u8>,
}

impl RowResizer {
    /// `width` and `height` are the source's.
    pub(crate) fn new(target: Target, (width, height): (u32, u32), samples: Samples) -> Self {
        let bytes = |width: u32, rows: u32| width as usize * rows as usize * samples.count();
        let source = source_rows(height, (target.width, target.height));
        Self {
            target,
            width,
            height,
            samples,
            resizer: Resizer::new(),
            band: Band::new(target, 0, height),
            next: 0,
            taken: 0,
            rows: Vec::with_capacity(bytes(width, source)),
            out: vec![0; bytes(target.width, band_rows(target.width, target.height))],
        }
    }

    /// Takes the next row, and hands over the rows of the output that are complete with it.
    pub(crate) fn push(&mut self, row: &[u8], put: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        if self.band.source.contains(&self.taken) {
            #[cfg(feature = "core")]
            let start = self.rows.len();
            self.rows.extend_from_slice(row);
            #[cfg(feature = "core")]
            if self.samples == Samples::Rgba && self.target.scales() {
                premultiplied::multiply(&mut self.rows[start..])?;
            }
        }
        self.taken += 1;
        while self.next < self.target.height && self.band.source.end <= self.taken {
            put(self.run()?)?;
            self.next += self.band.rows;
            if self.next < self.target.height {
                let before =
                    std::mem::replace(&mut self.band, Band::new(self.target, self.next, self.height));
                let dropped = (self.band.source.start - before.source.start) as usize * row.len();
                self.rows.drain(..dropped.min(self.rows.len()));
            }
        }
        Ok(())
    }

    /// Makes the rows of the band.
    fn run(&mut self) -> Result<&[u8]> {
        let length = self.target.width as usize * self.band.rows as usize * self.samples.count();
        let out = &mut self.out[..length];
        let (resizer, rows) = (&mut self.resizer, &self.rows);
        match self.samples {
            Samples::Gray => band::<U8>(resizer, rows, self.width, self.target, &self.band, out)?,
            Samples::Rgb => band::<U8x3>(resizer, rows, self.width, self.target, &self.band, out)?,
            #[cfg(feature = "core")]
            Samples::Rgba => {
                band::<U8x4>(resizer, rows, self.width, self.target, &self.band, out)?;
                if self.target.scales() {
                    premultiplied::divide(out, (self.target.width, self.band.rows))?;
                }
            }
        }
        Ok(out)
    }
}

/// Resizes a whole picture of `width` pixels a row to `out`: the same as by [`RowResizer`].
pub(super) fn whole<P: PixelTrait + InnerPixel>(
    samples: &[u8],
    (width, height): (u32, u32),
    target: Target,
    out: &mut [u8],
) -> Result<()> {
    let mut resizer = Resizer::new();
    let pixel = size_of::<P>();
    let (row, out_row) = (width as usize * pixel, target.width as usize * pixel);
    let mut next = 0;
    while next < target.height {
        let part = Band::new(target, next, height);
        let rows = &samples[part.source.start as usize * row..part.source.end as usize * row];
        let to = &mut out[next as usize * out_row..][..part.rows as usize * out_row];
        band::<P>(&mut resizer, rows, width, target, &part, to)?;
        next += part.rows;
    }
    Ok(())
}

fn band<P: PixelTrait + InnerPixel>(
    resizer: &mut Resizer,
    rows: &[u8],
    width: u32,
    target: Target,
    band: &Band,
    out: &mut [u8],
) -> Result<()> {
    let count = band.source.end - band.source.start;
    let view = TypedImageRef::<P>::from_buffer(width, count, rows).map_err(internal)?;
    let mut out = TypedImage::<P>::from_buffer(target.width, band.rows, out).map_err(internal)?;
    // Color that is scaled is premultiplied already.
    let options = options(Target { part: band.part, ..target }).use_alpha(!target.scales());
    resizer.resize_typed(&view, &mut out, &options).map_err(internal)
}
