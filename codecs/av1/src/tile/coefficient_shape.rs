//! In which order the coefficients of a transform are coded, and which of them a transform has.

use super::scans;
use super::tx_sizes;
use crate::transform::{TxSize, TxType};

/// Rows and columns of zeros beyond the levels, for contexts.
pub(crate) const MARGIN: usize = 4;
/// The directions in which a transform type is no identity.
pub(crate) const TWO_DIMENSIONS: usize = 0;
pub(crate) const HORIZONTAL: usize = 1;
pub(crate) const VERTICAL: usize = 2;

/// The part of a transform that is coded: at most 32×32.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) log2_w: u32,
    pub(crate) log2_h: u32,
    /// txSzCtx.
    pub(crate) context: usize,
    /// 1 for chroma.
    pub(crate) plane_type: usize,
    /// The row of the context offsets.
    pub(crate) proportion: usize,
    scan: &'static [u16],
}

impl Shape {
    pub(crate) fn new(size: TxSize, plane: usize) -> Self {
        let (log2_w, log2_h) = (u32::from(size.log2_w()), u32::from(size.log2_h()));
        let proportion = match log2_w.cmp(&log2_h) {
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Greater => 2,
        };
        Self {
            log2_w: log2_w.min(5),
            log2_h: log2_h.min(5),
            context: (tx_sizes::shorter(size) + tx_sizes::longer(size)).div_ceil(2),
            plane_type: usize::from(plane > 0),
            proportion,
            scan: default_scan(size),
        }
    }

    /// From one row of levels to the next.
    pub(crate) fn stride(&self) -> usize {
        (1 << self.log2_w) + MARGIN
    }

    /// The position (row << log2_w) + column of the n-th coefficient of the scan.
    #[inline(always)]
    pub(crate) fn position<const CLASS: usize>(&self, at: usize) -> usize {
        match CLASS {
            TWO_DIMENSIONS => usize::from(self.scan[at]),
            HORIZONTAL => (at & ((1 << self.log2_h) - 1)) << self.log2_w | at >> self.log2_h,
            _ => at,
        }
    }
}

fn default_scan(size: TxSize) -> &'static [u16] {
    match size {
        TxSize::Tx4x4 => &scans::DEFAULT_SCAN_4X4,
        TxSize::Tx4x8 => &scans::DEFAULT_SCAN_4X8,
        TxSize::Tx8x4 => &scans::DEFAULT_SCAN_8X4,
        TxSize::Tx8x8 => &scans::DEFAULT_SCAN_8X8,
        TxSize::Tx8x16 => &scans::DEFAULT_SCAN_8X16,
        TxSize::Tx16x8 => &scans::DEFAULT_SCAN_16X8,
        TxSize::Tx16x16 => &scans::DEFAULT_SCAN_16X16,
        TxSize::Tx16x32 | TxSize::Tx16x64 => &scans::DEFAULT_SCAN_16X32,
        TxSize::Tx32x16 | TxSize::Tx64x16 => &scans::DEFAULT_SCAN_32X16,
        TxSize::Tx4x16 => &scans::DEFAULT_SCAN_4X16,
        TxSize::Tx16x4 => &scans::DEFAULT_SCAN_16X4,
        TxSize::Tx8x32 => &scans::DEFAULT_SCAN_8X32,
        TxSize::Tx32x8 => &scans::DEFAULT_SCAN_32X8,
        _ => &scans::DEFAULT_SCAN_32X32,
    }
}

/// get_tx_class.
pub(crate) fn class(tx_type: TxType) -> usize {
    match tx_type {
        TxType::VDct | TxType::VAdst | TxType::VFlipadst => VERTICAL,
        TxType::HDct | TxType::HAdst | TxType::HFlipadst => HORIZONTAL,
        _ => TWO_DIMENSIONS,
    }
}
