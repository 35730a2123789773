//! Rows of pixels to rows of samples, of which chroma has fewer.

use crate::adjust::adjust;
use crate::interpolate::interpolate;
use crate::lanes::Floats;
use crate::mean::mean;
use crate::{BLUE, RED};

/// Pixels that are computed with together: rows are as long as some of them.
const PIXELS: usize = 2 * Floats::COUNT;

/// Takes rows of pixels with luma and chroma, and hands over rows of luma and of chroma with half as many samples.
///
/// Chroma is the mean of the pixels, weighted by brightness. Luma is changed so that pixels emit their own light with the chroma that decoders
/// interpolate for them.
pub struct Subsampler {
    /// Pixels in a row of the picture, and in one here.
    width: usize,
    stride: usize,
    /// Rows of pixels for each row of samples.
    down: usize,
    adjustment: f32,
    /// Luma, Cb and Cr of the rows of pixels of the last sample whose mean is known, and of those that come.
    pixels: [[Vec<f32>; 3]; 2],
    /// Rows of pixels that came for the next row of samples, and rows of samples whose means are known.
    taken: usize,
    known: usize,
    /// Cb and Cr: of the row of samples before the last one that is known, that one, and the next.
    chroma: [[Vec<f32>; 2]; 3],
    luma: Vec<f32>,
    /// A row of chroma between those of samples, and what decoders show of Cb and Cr in a row of pixels.
    between: Vec<f32>,
    shown: [Vec<f32>; 2],
}

/// A row of samples of chroma, and the rows of luma that it belongs to.
pub struct Samples<'a> {
    /// The samples in a row of luma: those of the picture, then others, up to a multiple of eight.
    pub stride: usize,
    /// One or two rows of luma, -128 to 127.
    pub luma: &'a [f32],
    /// A row of Cb and of Cr, -128 to 127, each with half as many samples as one of luma.
    pub chroma: [&'a [f32]; 2],
}

impl Subsampler {
    /// For rows of `width` pixels, 1 or more. `down` is 2 for 4:2:0, or 1 for 4:2:2. `adjustment` is how much of the difference in light is made
    /// up for by luma: 0 for none, 1 for all of it, and somewhat more to allow for what quantization takes away.
    /// It takes about 100 bytes of memory for each pixel of a row.
    pub fn new(width: usize, down: usize, adjustment: f32) -> Self {
        let stride = width.next_multiple_of(PIXELS);
        let pixels = || vec![0.0; down * stride];
        let planes = || [pixels(), pixels(), pixels()];
        let chroma = || [0, 1].map(|_| vec![0.0; stride / 2]);
        Self {
            width,
            stride,
            down,
            adjustment,
            pixels: [planes(), planes()],
            taken: 0,
            known: 0,
            chroma: [chroma(), chroma(), chroma()],
            luma: pixels(),
            between: vec![0.0; stride / 2 + 2],
            shown: [0, 1].map(|_| vec![0.0; stride]),
        }
    }

    /// Takes the next row of pixels: `fill` writes luma, Cb and Cr, -128 to 127, a sample for each pixel. Hands over the row of samples before the one
    /// that this completes, if it does: samples come with one row of chroma in between.
    pub fn push(&mut self, fill: impl FnOnce([&mut [f32]; 3])) -> Option<Samples<'_>> {
        let row = self.taken * self.stride;
        let [y, cb, cr] = &mut self.pixels[1];
        fill([y, cb, cr].map(|plane| &mut plane[row..row + self.width]));
        self.finish_row()
    }

    /// Takes the last row of pixels once more. Below a picture these complete its samples: call it until all rows of chroma are there.
    pub fn repeat(&mut self) -> Option<Samples<'_>> {
        let [before, next] = &mut self.pixels;
        let to = self.taken * self.stride;
        for (before, plane) in before.iter().zip(next) {
            match self.taken {
                0 => plane[..self.stride].copy_from_slice(&before[(self.down - 1) * self.stride..]),
                _ => plane.copy_within(to - self.stride..to, to),
            }
        }
        self.finish_row()
    }

    /// Begins a picture of the same width.
    pub fn restart(&mut self) {
        (self.taken, self.known) = (0, 0);
    }

    fn finish_row(&mut self) -> Option<Samples<'_>> {
        let row = self.taken * self.stride..(self.taken + 1) * self.stride;
        for plane in &mut self.pixels[1] {
            let plane = &mut plane[row.clone()];
            let last = plane[self.width - 1];
            plane[self.width..].fill(last);
        }
        self.taken += 1;
        if self.taken < self.down {
            return None;
        }
        self.taken = 0;
        self.subsample();
        if self.known > 0 {
            (0..self.down).for_each(|row| self.adjust(row));
        }
        self.pixels.swap(0, 1);
        self.chroma.rotate_left(1);
        self.known += 1;
        // The means of the first row stand where those before it are looked for.
        if self.known == 1 {
            let [above, at, _] = &mut self.chroma;
            above.iter_mut().zip(at).for_each(|(to, from)| to.copy_from_slice(from));
            return None;
        }
        let Self { stride, luma, chroma: [[cb, cr], ..], .. } = self;
        Some(Samples { stride: *stride, luma, chroma: [cb, cr] })
    }

    /// The means of the pixels that came.
    fn subsample(&mut self) {
        let [luma, cb, cr] = &self.pixels[1];
        let last = (self.down - 1) * self.stride;
        for ((pixels, primary), to) in [(cb, BLUE), (cr, RED)].into_iter().zip(&mut self.chroma[2]) {
            let rows = [0, last].map(|at| (&luma[at..][..self.stride], &pixels[at..][..self.stride]));
            mean(rows, primary, to);
        }
    }

    /// Adjusts a row of luma of the samples before the last ones.
    fn adjust(&mut self, row: usize) {
        let far = match (self.down, row) {
            (1, _) => 1,
            (_, 0) => 0,
            _ => 2,
        };
        for (component, shown) in self.shown.iter_mut().enumerate() {
            let rows = [1, far].map(|at| self.chroma[at][component].as_slice());
            interpolate(rows, &mut self.between, shown);
        }
        let at = row * self.stride..(row + 1) * self.stride;
        let pixels = self.pixels[0].each_ref().map(|plane| &plane[at.clone()]);
        adjust(pixels, self.shown.each_ref().map(Vec::as_slice), self.adjustment, &mut self.luma[at]);
    }
}
