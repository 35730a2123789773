//! The coefficients of a component, as scans want them.

pub(crate) use crate::zigzag::ZIGZAG as NATURAL;

use super::try_alloc::reserved;
use crate::Error;
use crate::coefficients::ComponentCoefficients;

/// Coefficients of a block.
pub(crate) const BLOCK: usize = 64;

/// A component, block row by block row.
#[derive(Clone)]
pub(crate) struct Component {
    /// Coefficients in zigzag order.
    pub(crate) blocks: Vec<[i16; BLOCK]>,
    /// A bit for each AC coefficient of a block that is not zero: bit k for coefficient k.
    pub(crate) masks: Vec<u64>,
    /// Blocks from one row to the next: whole MCUs.
    pub(crate) stride: usize,
    /// Blocks across and down that show the image: those that scans of this component alone consist of.
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Blocks across and down in an MCU.
    pub(crate) sampling: (usize, usize),
}

impl Component {
    /// Room for all blocks, and no block yet. `mcus` and `size` are across and down: MCUs of the image, samples of the component.
    pub(crate) fn new(
        sampling: (usize, usize),
        mcus: (usize, usize),
        size: (usize, usize),
    ) -> Result<Self, Error> {
        let stride = mcus.0 * sampling.0;
        let blocks = reserved(stride.saturating_mul(mcus.1 * sampling.1))?;
        Ok(Self {
            blocks,
            masks: Vec::new(),
            stride,
            columns: size.0.div_ceil(8),
            rows: size.1.div_ceil(8),
            sampling,
        })
    }

    /// Of coefficients that are quantized.
    pub(crate) fn of(component: ComponentCoefficients) -> Result<Self, Error> {
        let mut masks = reserved(component.blocks.len())?;
        masks.extend(component.blocks.iter().map(mask));
        Ok(Self {
            blocks: component.blocks,
            masks,
            stride: component.blocks_wide,
            columns: component.scan_blocks_wide,
            rows: component.scan_blocks_high,
            sampling: (component.h.into(), component.v.into()),
        })
    }

    /// The blocks that show the image, in the order of a scan, each with its mask.
    pub(crate) fn scan(&self) -> impl Iterator<Item = (&[i16; BLOCK], u64)> {
        let rows = self.blocks.chunks_exact(self.stride).zip(self.masks.chunks_exact(self.stride));
        rows.take(self.rows).flat_map(|(blocks, masks)| {
            blocks[..self.columns].iter().zip(masks[..self.columns].iter().copied())
        })
    }
}

/// A bit for each AC coefficient that is not zero.
fn mask(block: &[i16; BLOCK]) -> u64 {
    let mut mask = 0;
    for (row, values) in block.as_chunks::<8>().0.iter().enumerate() {
        if *values == [0; 8] {
            continue;
        }
        for (column, &value) in values.iter().enumerate() {
            mask |= u64::from(value != 0) << (8 * row + column);
        }
    }
    mask & !1
}

/// The lowest bit that is set, taken out of the mask.
#[inline(always)]
pub(crate) fn take_lowest(mask: &mut u64) -> usize {
    let lowest = mask.trailing_zeros() as usize;
    *mask &= *mask - 1;
    lowest
}

/// The bits 1 to `last`.
pub(crate) const fn bits_to(last: usize) -> u64 {
    (u64::MAX >> (63 - last)) & !1
}

/// Goes through the blocks of all components in the order of a scan that has them all (ITU-T T.81, A.2.3). `visit` is given the
/// number of the MCU, whether the block is its first, the number of the component, and where the block stands among those of the
/// component. A component that is alone has its blocks row by row.
pub(crate) fn in_mcus(components: &[Component], mut visit: impl FnMut(usize, bool, usize, usize)) {
    let Some(first) = components.first() else { return };
    if components.len() == 1 {
        for y in 0..first.rows {
            (0..first.columns).for_each(|x| visit(y * first.columns + x, true, 0, y * first.stride + x));
        }
        return;
    }
    let across = first.stride / first.sampling.0;
    let down = first.blocks.len() / first.stride / first.sampling.1;
    for mcu in 0..across * down {
        let (row, column) = (mcu / across, mcu % across);
        let mut begins = true;
        for (number, component) in components.iter().enumerate() {
            let (wide, high) = component.sampling;
            for y in row * high..(row + 1) * high {
                for x in column * wide..(column + 1) * wide {
                    visit(mcu, begins, number, y * component.stride + x);
                    begins = false;
                }
            }
        }
    }
}
