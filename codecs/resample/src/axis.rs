//! One direction of a picture: which samples of the source a sample of the output is made from.

use crate::lanczos::{LOBES, lanczos};

/// One direction of a picture: a part becomes `to` samples. Samples beside the part count where the kernel reaches them.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The samples of the source.
    pub size: u32,
    /// Where the part begins. It can be inside a sample.
    pub start: f64,
    /// The samples of the part.
    pub length: f64,
    /// The samples of the output.
    pub to: u32,
}

impl Axis {
    /// The samples of the source for each of the output.
    pub(crate) fn step(self) -> f64 {
        self.length / f64::from(self.to.max(1))
    }

    /// How far the kernel reaches: stretched over all samples of one of the output.
    pub(crate) fn reach(self) -> f64 {
        LOBES * self.step().max(1.0)
    }

    /// The samples of the source that a sample of the output is made from: the first one, the one behind the last, and the center, of samples
    /// whose own centers are whole numbers.
    pub(crate) fn reached(self, place: usize) -> (usize, usize, f64) {
        let (step, reach) = (self.step(), self.reach());
        let last = self.size.max(1) as usize - 1;
        let center = self.start + (place as f64 + 0.5) * step - 0.5;
        let first = ((center - reach).ceil().max(0.0) as usize).min(last);
        let end = ((center + reach).max(0.0) as usize).clamp(first, last) + 1;
        (first, end, center)
    }

    /// The kernel at a sample of the source.
    pub(crate) fn at(self, sample: usize, center: f64) -> f64 {
        lanczos((sample as f64 - center) * LOBES / self.reach())
    }
}
