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

/// Space for a row of pixels.
#[derive(Clone)]
pub(crate) struct Space<S> {
    samples: Vec<S>,
    /// Sums of samples of a row, or of two: 16 times a sample of 12 bits still fits in them.
    sums: Vec<u16>,
}

impl<S: Sample> Space<S> {
    /// The bytes that the space takes.
    pub(crate) fn size(layout: &Layout) -> u64 {
        (length(layout) * (size_of::<S>() + size_of::<u16>())) as u64
    }

    pub(crate) fn new(layout: &Layout) -> Self {
        Self { samples: vec![S::default(); length(layout)], sums: vec![0; length(layout)] }
    }
}

/// The samples that a row of a component takes: those of all pixels, and of a last one that is half outside.
fn length(layout: &Layout) -> usize {
    layout.components.iter().map(|sizes| 2 * sizes.width).max().unwrap_or(0).max(layout.width + 1)
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
    pub(crate) fn row<'p, S: Transform>(
        &self,
        plane: &'p Plane<S>,
        y: usize,
        space: &'p mut Space<S>,
    ) -> &'p [S] {
        let (near, beside) = self.sources(y);
        let width = self.sizes.width;
        let near = plane.row(near);
        let Space { samples: space, sums } = space;
        match self.kind {
            Kind::Copy => return near,
            Kind::H2 => h2(&near[..width], sums, space),
            Kind::V2 => v2(near, plane.row(beside), if y.is_multiple_of(2) { 1 } else { 2 }, space),
            Kind::H2V2 => h2v2(&near[..width], &plane.row(beside)[..width], sums, space),
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

/// Pixels of twice as many columns from `near`, the samples of a row times `1 << (SHIFT - 2)`. Rounding alternates.
fn widen<S: Sample, const SHIFT: u32>(near: &[u16], round: [u16; 2], out: &mut [S]) {
    let last = near.len() - 1;
    let pairs = out.as_chunks_mut::<2>().0;
    let pair = |left: u16, middle: u16, right: u16| {
        S::pair([(3 * middle + left + round[0]) >> SHIFT, (3 * middle + right + round[1]) >> SHIFT])
    };
    let inner = pairs[1..last].iter_mut().zip(&near[..last - 1]).zip(&near[1..last]).zip(&near[2..]);
    for (((to, &left), &middle), &right) in inner {
        *to = pair(left, middle, right);
    }
    pairs[0] = pair(near[0], near[0], near[1]);
    pairs[last] = pair(near[last - 1], near[last], near[last]);
}

fn h2<S: Sample>(samples: &[S], sums: &mut [u16], out: &mut [S]) {
    let sums = &mut sums[..samples.len()];
    for (sum, &sample) in sums.iter_mut().zip(samples) {
        *sum = sample.widened();
    }
    widen::<S, 2>(sums, [1, 2], out);
}

fn v2<S: Sample>(near: &[S], beside: &[S], round: i32, out: &mut [S]) {
    for ((out, &near), &beside) in out.iter_mut().zip(near).zip(beside) {
        *out = S::clamp((3 * near.into() + beside.into() + round) >> 2);
    }
}

fn h2v2<S: Sample>(near: &[S], beside: &[S], sums: &mut [u16], out: &mut [S]) {
    let sums = &mut sums[..near.len()];
    for ((sum, &near), &beside) in sums.iter_mut().zip(near).zip(beside) {
        *sum = 3 * near.widened() + beside.widened();
    }
    widen::<S, 4>(sums, [8, 7], out);
}
