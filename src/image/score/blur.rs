//! A Gaussian blur of sigma 1.5, as a sum of three truncated cosines that are computed from the two values before
//! (Charalampidis 2016, "Recursive Implementation of the Gaussian Filter Using Truncated Cosine Functions").

use super::xyb::fused;

/// Samples to either side that are taken in.
pub(super) const RADIUS: usize = 5;
/// For each cosine: what comes in, and what comes from the value before.
const IN: [f32; 3] = [0.055_295_236, -0.058_836_687, 0.012_955_819];
const BEFORE: [f32; 3] = [1.902_113_1, 1.175_570_5, 1.224_646_9e-16];

/// Blurs a row along itself; beyond its ends there is nothing.
pub(super) fn along(row: &[f32], blurred: &mut [f32]) {
    let (mut last, mut before) = ([0.0; 3], [0.0; 3]);
    let at = |index: Option<usize>| index.and_then(|index| row.get(index)).copied().unwrap_or(0.0);
    // What comes in lies `RADIUS` − 1 ahead of what goes out, and what leaves as far behind and two more.
    for ahead in 0..row.len() + RADIUS - 1 {
        let sum = at(ahead.checked_sub(2 * RADIUS)) + at(Some(ahead));
        let next = [0, 1, 2].map(|k| fused(BEFORE[k], last[k], fused(-1.0, before[k], sum * IN[k])));
        (before, last) = (last, next);
        if let Some(out) = ahead.checked_sub(RADIUS - 1) {
            blurred[out] = next[0] + next[1] + next[2];
        }
    }
}

/// Blurs rows across, as they come.
pub(super) struct Across {
    last: [Vec<f32>; 3],
    before: [Vec<f32>; 3],
}

impl Across {
    pub(super) fn new(width: usize) -> Self {
        let zeros = || [0; 3].map(|_| vec![0.0; width]);
        Self { last: zeros(), before: zeros() }
    }

    /// Takes the row that comes in, `RADIUS` − 1 below the one that goes out, and the one that leaves, as far above and two
    /// more.
    pub(super) fn step(&mut self, leaving: &[f32], coming: &[f32], blurred: &mut [f32]) {
        for (x, out) in blurred.iter_mut().enumerate() {
            let sum = leaving[x] + coming[x];
            let next = [0, 1, 2].map(|k| {
                let kept = fused(self.last[k][x], -BEFORE[k], self.before[k][x]);
                fused(sum, IN[k], -kept)
            });
            for (before, next) in self.before.iter_mut().zip(next) {
                before[x] = next;
            }
            *out = next[0] + next[1] + next[2];
        }
        std::mem::swap(&mut self.last, &mut self.before);
    }
}
