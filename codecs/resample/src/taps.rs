//! The samples that each sample of the output is made from, and their weights.

use crate::axis::Axis;
use crate::component::ComponentAxis;

/// The bits behind the point of weights.
pub(crate) const WEIGHT_BITS: u32 = 14;

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
    pub(crate) fn new(axis: &ComponentAxis, multiple: usize, lanes: usize) -> Self {
        let window = axis.window(multiple, lanes);
        let count = axis.to();
        let mut taps = Self { firsts: Vec::with_capacity(count), weights: vec![0; count * window], window };
        axis.kernels(&mut |place, first, kernel| {
            let begin = first / multiple * multiple;
            taps.firsts.push(begin);
            if let Some(weights) = taps.weights[place * window..][..window].get_mut(first - begin..) {
                fill(weights, kernel);
            }
        });
        taps
    }
}

/// The bytes of the kernel that is passed on, and of what it is made from: one direction is made after the other.
pub(crate) fn kernel_bytes(axes: [Axis; 2]) -> u64 {
    let bytes = |axis: Axis| 16 * ComponentAxis::from(axis).longest() as u64;
    axes.map(bytes).into_iter().max().unwrap_or(0)
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
