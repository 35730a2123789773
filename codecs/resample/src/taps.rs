//! The samples that each sample of the output is made from, and their weights.

use crate::lanczos::{LOBES, lanczos};

/// The bits behind the point of weights.
pub(crate) const WEIGHT_BITS: u32 = 14;

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
    fn step(self) -> f64 {
        self.length / f64::from(self.to.max(1))
    }

    /// How far the kernel reaches: stretched over all samples of one of the output.
    fn reach(self) -> f64 {
        LOBES * self.step().max(1.0)
    }

    /// The samples in a window that begins at a multiple of `multiple`, and has as many as a multiple of `lanes`: not more than the source,
    /// which the kernel can exceed.
    pub(crate) fn window(self, multiple: usize, lanes: usize) -> usize {
        ((2.0 * self.reach()) as usize + multiple).min(self.size.max(1) as usize).next_multiple_of(lanes)
    }
}

/// The windows of a direction, all of one length.
pub(crate) struct Taps {
    /// Where each window begins.
    pub(crate) firsts: Vec<usize>,
    /// The weights of each window, one behind the other. Those beyond the picture are zero.
    pub(crate) weights: Vec<i16>,
    /// The samples of a window.
    pub(crate) window: usize,
}

impl Taps {
    /// Windows that begin at multiples of `multiple`, and have as many samples as a multiple of `lanes`.
    pub(crate) fn new(axis: Axis, multiple: usize, lanes: usize) -> Self {
        let window = axis.window(multiple, lanes);
        let count = axis.to as usize;
        let mut taps = Self { firsts: Vec::with_capacity(count), weights: vec![0; count * window], window };
        windows(axis, |place, first, kernel| {
            let begin = first / multiple * multiple;
            taps.firsts.push(begin);
            if let Some(weights) = taps.weights[place * window..][..window].get_mut(first - begin..) {
                fill(weights, kernel);
            }
        });
        taps
    }
}

/// The bytes of the kernel that [`windows`] passes on: one direction is made after the other.
pub(crate) fn kernel_bytes(axes: [Axis; 2]) -> u64 {
    8 * axes.map(|axis| axis.window(1, 1) as u64).into_iter().max().unwrap_or(0)
}

/// Passes on the number of each sample of the output, the first sample of the source that it is made from, and the kernel from there.
pub(crate) fn windows(axis: Axis, mut put: impl FnMut(usize, usize, &[f64])) {
    let (step, reach) = (axis.step(), axis.reach());
    let last = axis.size.max(1) as usize - 1;
    let mut kernel = Vec::with_capacity(axis.window(1, 1));
    for place in 0..axis.to as usize {
        // In samples, whose centers are whole numbers.
        let center = axis.start + (place as f64 + 0.5) * step - 0.5;
        let first = ((center - reach).ceil().max(0.0) as usize).min(last);
        let end = ((center + reach).max(0.0) as usize).clamp(first, last) + 1;
        kernel.clear();
        kernel.extend((first..end).map(|at| lanczos((at as f64 - center) * LOBES / reach)));
        put(place, first, &kernel);
    }
}

/// Whole numbers in the proportions of a kernel. What is rounded off one is added to the next, so that the sum is exact, also of a part.
fn fill(weights: &mut [i16], kernel: &[f64]) {
    let scale = f64::from(1 << WEIGHT_BITS) / kernel.iter().sum::<f64>();
    let (mut sum, mut before) = (0.0, 0.0);
    for (weight, value) in weights.iter_mut().zip(kernel) {
        sum += value * scale;
        let rounded = (sum + 0.5).floor();
        *weight = (rounded - before) as i16;
        before = rounded;
    }
}
