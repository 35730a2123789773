//! The coefficients of a component, as scans want them: of each block DC, and the AC coefficients that are not zero.

pub(crate) use crate::zigzag::ZIGZAG as NATURAL;

use super::try_alloc::{copied, reserved};
use crate::Error;
use crate::coefficients::ComponentCoefficients;
use crate::lanes::{beyond, take_lowest};

/// Coefficients of a block.
pub(crate) const BLOCK: usize = 64;

/// A row of blocks.
#[derive(Clone, Default)]
pub(crate) struct Row {
    /// The DC coefficient of each block.
    pub(crate) dc: Vec<i16>,
    /// A bit for each AC coefficient of a block that is held: bit k for coefficient k in zigzag order.
    pub(crate) masks: Vec<u64>,
    /// These coefficients, block by block, each in zigzag order.
    pub(crate) values: Vec<i16>,
    /// Of blocks that are not quantized, the mean square of all their AC coefficients.
    pub(crate) energies: Vec<f32>,
}

impl Row {
    /// Appends a block of whose AC coefficients those are held that `thresholds` are exceeded by.
    pub(crate) fn push(&mut self, block: &[i16; BLOCK], thresholds: &[i16; BLOCK]) {
        let mask = beyond(block, thresholds);
        self.dc.push(block[0]);
        self.masks.push(mask);
        let mut rest = mask;
        while rest != 0 {
            self.values.push(block[take_lowest(&mut rest)]);
        }
    }

    /// Appends a block without AC coefficients, whose DC is that of the block before if none is given.
    pub(crate) fn push_flat(&mut self, dc: Option<i16>) {
        self.dc.push(dc.or(self.dc.last().copied()).unwrap_or_default());
        self.masks.push(0);
        self.energies.push(0.0);
    }

    /// The AC coefficients of each block, and the mask that tells which they are.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&[i16], u64)> {
        let mut rest = self.values.as_slice();
        self.masks.iter().map(move |&mask| {
            let (values, behind) = rest.split_at_checked(mask.count_ones() as usize).unwrap_or_default();
            rest = behind;
            (values, mask)
        })
    }

    /// A copy in no more memory than it takes. This row is empty then.
    pub(crate) fn take(&mut self) -> Result<Self, Error> {
        let taken = Self {
            dc: copied(&self.dc)?,
            masks: copied(&self.masks)?,
            values: copied(&self.values)?,
            energies: copied(&self.energies)?,
        };
        self.clear();
        Ok(taken)
    }

    pub(crate) fn clear(&mut self) {
        self.dc.clear();
        self.masks.clear();
        self.values.clear();
        self.energies.clear();
    }
}

/// A component, block row by block row.
#[derive(Clone)]
pub(crate) struct Component {
    /// All rows: whole MCUs.
    pub(crate) rows: Vec<Row>,
    /// Blocks in a row: whole MCUs.
    pub(crate) stride: usize,
    /// Blocks across and down that show the image: those that scans of this component alone consist of.
    pub(crate) shown: (usize, usize),
    /// Blocks across and down in an MCU.
    pub(crate) sampling: (usize, usize),
}

impl Component {
    /// Room for all rows, and no row yet. `mcus` and `size` are across and down: MCUs of the image, samples of the component.
    pub(crate) fn new(
        sampling: (usize, usize),
        mcus: (usize, usize),
        size: (usize, usize),
    ) -> Result<Self, Error> {
        Ok(Self {
            rows: reserved(mcus.1 * sampling.1)?,
            stride: mcus.0 * sampling.0,
            shown: (size.0.div_ceil(8), size.1.div_ceil(8)),
            sampling,
        })
    }

    /// Of coefficients that are quantized.
    pub(crate) fn of(component: ComponentCoefficients) -> Result<Self, Error> {
        let mut rows = reserved(component.blocks_high)?;
        let mut row = Row::default();
        for blocks in component.blocks.chunks_exact(component.blocks_wide) {
            blocks.iter().for_each(|block| row.push(block, &[0; BLOCK]));
            rows.push(row.take()?);
        }
        Ok(Self {
            rows,
            stride: component.blocks_wide,
            shown: (component.scan_blocks_wide, component.scan_blocks_high),
            sampling: (component.h.into(), component.v.into()),
        })
    }

    /// The AC coefficients of the blocks that show the image, in the order of a scan, each with its mask.
    pub(crate) fn scan(&self) -> impl Iterator<Item = (&[i16], u64)> {
        self.rows.iter().take(self.shown.1).flat_map(|row| row.blocks().take(self.shown.0))
    }

    /// The number of blocks that show the image.
    pub(crate) fn count(&self) -> usize {
        self.shown.0 * self.shown.1
    }
}

/// The indices of the coefficients of a block, with their values.
#[inline(always)]
pub(crate) fn indexed(mask: u64, values: &[i16]) -> impl Iterator<Item = (usize, i16)> {
    let mut rest = mask;
    values.iter().map(move |&value| (take_lowest(&mut rest), value))
}

/// The bits 1 to `last`.
pub(crate) const fn bits_to(last: usize) -> u64 {
    (u64::MAX >> (63 - last)) & !1
}

/// Goes through the blocks of all components in the order of a scan that has them all (ITU-T T.81, A.2.3). `visit` is given the
/// number of the component, and the row and the column of the block. A component that is alone has its blocks row by row.
pub(crate) fn in_mcus(components: &[Component], mut visit: impl FnMut(usize, usize, usize)) {
    let Some(first) = components.first() else { return };
    if components.len() == 1 {
        for y in 0..first.shown.1 {
            (0..first.shown.0).for_each(|x| visit(0, y, x));
        }
        return;
    }
    let across = first.stride / first.sampling.0;
    let down = first.rows.len() / first.sampling.1;
    for mcu in 0..across * down {
        let (row, column) = (mcu / across, mcu % across);
        for (number, component) in components.iter().enumerate() {
            let (wide, high) = component.sampling;
            for y in row * high..(row + 1) * high {
                for x in column * wide..(column + 1) * wide {
                    visit(number, y, x);
                }
            }
        }
    }
}
