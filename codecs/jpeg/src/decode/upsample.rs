//! From the samples of a component to one for each pixel.
//!
//! Components with half the samples in a direction are interpolated by a triangle filter: three quarters of the nearer sample and
//! a quarter of the farther one. Others are repeated.

use crate::decode::band::Plane;
use crate::decode::idct::Transform;
use crate::decode::layout::{ComponentLayout, Layout};
use crate::decode::sample::Sample;

/// How samples of a component become pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// One for one.
    Copy,
    /// Interpolated in rows, in columns, or in both.
    H2,
    V2,
    H2V2,
    /// Repeated.
    Repeat,
}

/// The upsampling of a component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Upsampler {
    kind: Kind,
    sizes: ComponentLayout,
}

impl Upsampler {
    pub(crate) fn new(layout: &Layout, sizes: &ComponentLayout) -> Self {
        let kind = match (sizes.h_scale, sizes.v_scale) {
            ((1, 1), (1, 1)) => Kind::Copy,
            ((2, 1), (1, 1)) if layout.smooth && sizes.width > 2 => Kind::H2,
            ((1, 1), (2, 1)) if layout.smooth => Kind::V2,
            ((2, 1), (2, 1)) if layout.smooth && sizes.width > 2 => Kind::H2V2,
            _ => Kind::Repeat,
        };
        Self { kind, sizes: *sizes }
    }

    /// The rows of the component that a row of pixels is made from: the nearest one, and one beside it.
    fn sources(&self, y: usize) -> (isize, isize) {
        let near = (y * self.sizes.v_scale.1 / self.sizes.v_scale.0) as isize;
        match self.kind {
            Kind::V2 | Kind::H2V2 => (near, if y.is_multiple_of(2) { near - 1 } else { near + 1 }),
            _ => (near, near),
        }
    }

    /// The rows of the component that have to be there for a row of pixels.
    pub(crate) fn needed(&self, y: usize) -> usize {
        let (near, beside) = self.sources(y);
        (near.max(beside) as usize + 1).min(self.sizes.height)
    }

    /// The samples for a row of pixels, in `space` if they are not there already.
    pub(crate) fn row<'p, S: Transform>(&self, plane: &'p Plane<S>, y: usize, space: &'p mut [S]) -> &'p [S] {
        let (near, beside) = self.sources(y);
        let width = self.sizes.width;
        let near = plane.row(near);
        match self.kind {
            Kind::Copy => return near,
            Kind::H2 => h2(&near[..width], space),
            Kind::V2 => v2(near, plane.row(beside), if y.is_multiple_of(2) { 1 } else { 2 }, space),
            Kind::H2V2 => h2v2(&near[..width], &plane.row(beside)[..width], space),
            Kind::Repeat => {
                let (pixels, samples) = self.sizes.h_scale;
                for (x, sample) in space.iter_mut().enumerate() {
                    *sample = near.get(x * samples / pixels).copied().unwrap_or_default();
                }
            }
        }
        space
    }
}

fn h2<S: Sample>(samples: &[S], out: &mut [S]) {
    let at = |x: usize| -> i32 { samples[x].into() };
    let last = samples.len() - 1;
    let pairs = out.as_chunks_mut::<2>().0;
    for (pair, window) in pairs[1..].iter_mut().zip(samples.windows(3)) {
        let [left, near, right] = [window[0], window[1], window[2]].map(Into::<i32>::into);
        *pair = [S::clamp((3 * near + left + 1) >> 2), S::clamp((3 * near + right + 2) >> 2)];
    }
    pairs[0] = [samples[0], S::clamp((3 * at(0) + at(1) + 2) >> 2)];
    pairs[last] = [S::clamp((3 * at(last) + at(last - 1) + 1) >> 2), samples[last]];
}

fn v2<S: Sample>(near: &[S], beside: &[S], round: i32, out: &mut [S]) {
    for ((out, &near), &beside) in out.iter_mut().zip(near).zip(beside) {
        *out = S::clamp((3 * near.into() + beside.into() + round) >> 2);
    }
}

fn h2v2<S: Sample>(near: &[S], beside: &[S], out: &mut [S]) {
    let sum = |x: usize| -> i32 { 3 * near[x].into() + beside[x].into() };
    let last = near.len() - 1;
    let pairs = out.as_chunks_mut::<2>().0;
    for ((pair, near), beside) in pairs[1..].iter_mut().zip(near.windows(3)).zip(beside.windows(3)) {
        let [left, middle, right]: [i32; 3] = std::array::from_fn(|i| 3 * near[i].into() + beside[i].into());
        *pair = [S::clamp((3 * middle + left + 8) >> 4), S::clamp((3 * middle + right + 7) >> 4)];
    }
    pairs[0] = [S::clamp((4 * sum(0) + 8) >> 4), S::clamp((3 * sum(0) + sum(1) + 7) >> 4)];
    pairs[last] = [S::clamp((3 * sum(last) + sum(last - 1) + 8) >> 4), S::clamp((4 * sum(last) + 7) >> 4)];
}
