//! The samples of a row of MCUs, and what is needed of the one above.

use crate::coefficients::Block;
use crate::decode::idct::{Steps, Transform};
use crate::decode::layout::{ComponentLayout, Layout};
use crate::decode::scan_decoder::{BlockDecoder, BlockSink};

/// The rows above a row of MCUs that are kept: interpolation and the rows that it holds back look at one.
const KEPT: usize = 2;

/// The samples of all components.
pub(crate) struct Band<S> {
    pub(crate) planes: Vec<Plane<S>>,
    /// Of a block that is transformed at once.
    block: Block,
}

/// The samples of one component.
pub(crate) struct Plane<S> {
    samples: Vec<S>,
    sizes: ComponentLayout,
    pub(crate) steps: Steps,
    /// The row that `samples` begin with, as many above the first as are kept.
    first: isize,
    /// The row behind the last one that is there.
    pub(crate) end: usize,
}

impl<S: Transform> Band<S> {
    /// The bytes that the samples take.
    pub(crate) fn size(layout: &Layout) -> u64 {
        let rows = |c: &ComponentLayout| (c.v * c.block.1 + KEPT) as u64 * c.stride as u64;
        layout.components.iter().map(rows).sum::<u64>() * size_of::<S>() as u64
    }

    pub(crate) fn new(layout: &Layout, steps: &[Steps]) -> Self {
        let planes = layout.components.iter().zip(steps).map(|(sizes, steps)| Plane {
            samples: vec![S::default(); (sizes.v * sizes.block.1 + KEPT) * sizes.stride],
            sizes: *sizes,
            steps: *steps,
            first: -(KEPT as isize) - (sizes.v * sizes.block.1) as isize,
            end: 0,
        });
        Self { planes: planes.collect(), block: [0; 64] }
    }

    /// Makes room for the next row of MCUs.
    pub(crate) fn advance(&mut self) {
        for plane in &mut self.planes {
            let rows = plane.sizes.v * plane.sizes.block.1;
            let kept = rows * plane.sizes.stride;
            plane.samples.copy_within(kept.., 0);
            plane.first += rows as isize;
            plane.end += rows;
        }
    }

    /// Transforms a block of coefficients.
    #[inline]
    pub(crate) fn transform(&mut self, component: usize, column: usize, row: usize, block: &Block) {
        self.planes[component].transform(column, row, block);
    }
}

impl<S: Transform> BlockSink for Band<S> {
    #[inline]
    fn block(&mut self, component: usize, column: usize, row: usize, decoder: BlockDecoder<'_, '_>) {
        self.block = [0; 64];
        decoder.decode(&mut self.block);
        self.planes[component].transform(column, row, &self.block);
    }
}

impl<S: Transform> Plane<S> {
    #[inline]
    fn transform(&mut self, column: usize, row: usize, block: &Block) {
        let sizes = &self.sizes;
        let top = (row * sizes.block.1) as isize - self.first;
        let at = top as usize * sizes.stride + column * sizes.block.0;
        if let Some(out) = self.samples.get_mut(at..) {
            S::transform(block, &self.steps, sizes.block, out, sizes.stride);
        }
    }

    /// A row, of those that are there; beyond the picture, its first or its last one.
    pub(crate) fn row(&self, row: isize) -> &[S] {
        let row = row.clamp(0, self.sizes.height as isize - 1);
        let at = (row - self.first).max(0) as usize * self.sizes.stride;
        self.samples.get(at..at + self.sizes.stride).unwrap_or_default()
    }
}
