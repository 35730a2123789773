//! The quantised coefficients of a component, as progressive scans want them.

use crate::consts::DCTSIZE2;
use crate::encode::{try_alloc_vec, try_alloc_vec_array};
use crate::error::{Error, Result};

/// Where a coefficient of a natural (row by row) block stands in zigzag order.
pub(super) const ZIGZAG: [u8; DCTSIZE2] = {
    let mut zigzag = [0; DCTSIZE2];
    let mut k = 0;
    while k < DCTSIZE2 {
        zigzag[crate::consts::JPEG_NATURAL_ORDER[k]] = k as u8;
        k += 1;
    }
    zigzag
};

/// A component, block row by block row.
pub(super) struct Component {
    /// Coefficients in zigzag order.
    pub(super) blocks: Vec<[i16; DCTSIZE2]>,
    /// A bit for each AC coefficient of a block that is not zero: bit k for coefficient k.
    pub(super) masks: Vec<u64>,
    /// Blocks from one row to the next: whole MCUs.
    pub(super) stride: usize,
    /// Blocks across and down that show the image: those that scans of this component alone consist of.
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Blocks across and down in an MCU.
    pub(super) sampling: (usize, usize),
}

impl Component {
    /// All zero. `mcus` and `size` are across and down: MCUs of the image, samples of the component.
    pub(super) fn new(sampling: (usize, usize), mcus: (usize, usize), size: (usize, usize)) -> Result<Self> {
        let stride = mcus.0 * sampling.0;
        let count = stride.checked_mul(mcus.1 * sampling.1).ok_or(Error::AllocationFailed)?;
        Ok(Self {
            blocks: try_alloc_vec_array(count)?,
            masks: try_alloc_vec(0, count)?,
            stride,
            columns: size.0.div_ceil(8),
            rows: size.1.div_ceil(8),
            sampling,
        })
    }

    /// The blocks that show the image, in the order of a scan, each with its mask.
    pub(super) fn scan(&self) -> impl Iterator<Item = (&[i16; DCTSIZE2], u64)> {
        let rows = self.blocks.chunks_exact(self.stride).zip(self.masks.chunks_exact(self.stride));
        rows.take(self.rows).flat_map(|(blocks, masks)| {
            blocks[..self.columns].iter().zip(masks[..self.columns].iter().copied())
        })
    }
}

/// The lowest bit that is set, taken out of the mask.
#[inline(always)]
pub(super) fn take_lowest(mask: &mut u64) -> usize {
    let lowest = mask.trailing_zeros() as usize;
    *mask &= *mask - 1;
    lowest
}

/// The bits 1 to `last`.
pub(super) const fn bits_to(last: usize) -> u64 {
    (u64::MAX >> (63 - last)) & !1
}

/// Goes through the blocks of all components in the order of a scan that has them all. `visit` is given the number of the MCU,
/// whether the block is its first, the number of the component, and where the block stands among those of the component.
pub(super) fn in_mcus(
    components: &[Component],
    mut visit: impl FnMut(usize, bool, usize, usize) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let Some(first) = components.first() else { return Ok(()) };
    let across = first.stride / first.sampling.0;
    let down = first.blocks.len() / first.stride / first.sampling.1;
    for mcu in 0..across * down {
        let (row, column) = (mcu / across, mcu % across);
        let mut begins = true;
        for (number, component) in components.iter().enumerate() {
            let (wide, high) = component.sampling;
            for y in row * high..(row + 1) * high {
                for x in column * wide..(column + 1) * wide {
                    visit(mcu, begins, number, y * component.stride + x)?;
                    begins = false;
                }
            }
        }
    }
    Ok(())
}
