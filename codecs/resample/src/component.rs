//! A component in one direction: what its samples become if the pixels that a decoder makes of them are resized, and made samples again. All of
//! that is linear, so that it is done at once.

use crate::axis::Axis;

/// One direction of a component, which can have fewer samples than the picture has pixels, in the source and in the output.
#[derive(Clone, Copy, Debug)]
pub struct ComponentAxis {
    /// That of the pixels.
    pub pixels: Axis,
    /// The samples of the source.
    pub size: u32,
    /// For how many pixels there are how many samples of the source, not more than pixels. If there is one for two, a pixel is three quarters
    /// of the nearer sample and a quarter of the farther one, as most decoders interpolate. Otherwise samples are repeated.
    pub share: (u32, u32),
    /// Pixels for each sample of the output, which is their mean. Beyond the last pixel, this is repeated.
    pub grouped: u32,
}

impl From<Axis> for ComponentAxis {
    /// As many samples as pixels.
    fn from(pixels: Axis) -> Self {
        Self { pixels, size: pixels.size, share: (1, 1), grouped: 1 }
    }
}

impl ComponentAxis {
    /// The samples of the output.
    pub(crate) fn to(&self) -> usize {
        self.pixels.to.div_ceil(self.grouped.max(1)) as usize
    }

    /// The most samples of the source that one of the output is made from, without regard to the source's size.
    pub(crate) fn longest(&self) -> usize {
        let beside = f64::from(self.grouped.max(1) - 1) * self.pixels.step();
        let pixels = (2.0 * self.pixels.reach() + beside) as usize + 1;
        match self.share {
            (1, 1) => pixels,
            (of, samples) => pixels * samples as usize / of.max(1) as usize + 2,
        }
    }

    /// The samples in a window that begins at a multiple of `multiple`, and has as many as a multiple of `lanes`: not more than the source,
    /// which the kernel can exceed.
    pub(crate) fn window(&self, multiple: usize, lanes: usize) -> usize {
        (self.longest() + multiple - 1).min(self.size.max(1) as usize).next_multiple_of(lanes)
    }

    /// The nearest sample to a pixel of the source, and the other one that it is made of.
    fn sources(&self, pixel: usize) -> (usize, usize) {
        let last = self.size.max(1) as usize - 1;
        let near = pixel * self.share.1 as usize / self.share.0.max(1) as usize;
        let far = match pixel & 1 {
            _ if self.share != (2, 1) => near,
            0 => near.saturating_sub(1),
            _ => near + 1,
        };
        (near.min(last), far.min(last))
    }

    /// Passes on the number of each sample of the output, the first sample of the source that it is made from, and the kernel from there.
    pub(crate) fn kernels(&self, put: &mut dyn FnMut(usize, usize, &[f64])) {
        let last = self.pixels.to.max(1) as usize - 1;
        let grouped = self.grouped.max(1) as usize;
        let mut kernel = Vec::with_capacity(self.longest());
        let mut weights = Vec::with_capacity(self.longest());
        for place in 0..self.to() {
            let mut first = usize::MAX;
            kernel.clear();
            for pixel in place * grouped..(place + 1) * grouped {
                let (begin, end, center) = self.pixels.reached(pixel.min(last));
                let (near, far) = self.sources(begin);
                first = first.min(near).min(far);
                weights.clear();
                weights.extend((begin..end).map(|pixel| self.pixels.at(pixel, center)));
                // Pixels count as much as one another. Of a single one, the caller adds up the weights.
                let sum: f64 = if grouped > 1 { weights.iter().sum() } else { 1.0 };
                for (pixel, weight) in (begin..end).zip(&weights) {
                    let (near, far) = self.sources(pixel);
                    let length = near.max(far) - first + 1;
                    if kernel.len() < length {
                        kernel.resize(length, 0.0);
                    }
                    let share = if near == far { 1.0 } else { 0.75 };
                    kernel[near - first] += weight / sum * share;
                    kernel[far - first] += weight / sum * (1.0 - share);
                }
            }
            put(place, first, &kernel);
        }
    }
}
