//! Arithmetic decoding of blocks: sequential (T.81, F.2.4) and progressive (G.2).

mod coder;
mod models;
mod states;

use coder::{Bin, Coder};

use crate::coefficients::Block;
use crate::decode::entropy::Pass;
use crate::decode::tables::{Conditioning, Tables};
use crate::scan::ScanHeader;

/// The state of a scan.
pub(crate) struct ArithmeticDecoder<'a> {
    coder: Coder<'a>,
    pass: Pass,
    /// The first and the last coefficient of the scan, and the bit position.
    band: (usize, usize),
    low: u32,
    conditioning: Conditioning,
    /// The tables of DC and of AC of each component of the scan.
    tables: Vec<(usize, usize)>,
    dc_bins: [[Bin; 64]; 16],
    ac_bins: [[Bin; 256]; 16],
    /// The DC of the block before, and the class of its difference, by component of the scan.
    predictors: [i32; 4],
    contexts: [usize; 4],
    /// By zigzag index, the index in a block.
    order: [u8; 80],
    /// A magnitude or a run was too large: the rest up to the next restart is lost.
    failed: bool,
    bad_code: bool,
}

impl<'a> ArithmeticDecoder<'a> {
    /// Starts at the entropy-coded data of a scan.
    pub(crate) fn new(
        bytes: &'a [u8],
        at: usize,
        scan: &ScanHeader,
        pass: Pass,
        tables: &Tables,
        order: [u8; 80],
    ) -> Self {
        let index = |table: u8| usize::from(table & 15);
        Self {
            coder: Coder::new(bytes, at),
            pass,
            band: (usize::from(scan.first), usize::from(scan.last)),
            low: u32::from(scan.low),
            conditioning: tables.conditioning,
            tables: scan.components.iter().map(|c| (index(c.dc_table), index(c.ac_table))).collect(),
            dc_bins: [[Bin::default(); 64]; 16],
            ac_bins: [[Bin::default(); 256]; 16],
            predictors: [0; 4],
            contexts: [0; 4],
            order,
            failed: false,
            bad_code: false,
        }
    }

    /// The offset of the byte that is read next.
    pub(crate) fn position(&self) -> usize {
        self.coder.position()
    }

    /// Goes on at an offset with the state of a start.
    pub(crate) fn restart(&mut self, bytes: &'a [u8], at: usize) {
        self.coder = Coder::new(bytes, at);
        self.dc_bins = [[Bin::default(); 64]; 16];
        self.ac_bins = [[Bin::default(); 256]; 16];
        (self.predictors, self.contexts, self.failed) = ([0; 4], [0; 4], false);
    }

    /// Whether the file ended before the blocks that were decoded. Zeros behind data that a marker ends are no loss (D.1.8).
    pub(crate) fn exhausted(&self) -> bool {
        self.coder.exhausted
    }

    /// Whether the data were invalid since this was asked.
    pub(crate) fn take_bad_code(&mut self) -> bool {
        std::mem::take(&mut self.bad_code) || self.failed
    }

    /// Decodes into a block of a component of the scan.
    pub(crate) fn block(&mut self, component: usize, block: &mut Block) {
        if self.failed {
            return;
        }
        let tables = self.tables.get(component).copied().unwrap_or_default();
        let done = match self.pass {
            Pass::Sequential => {
                self.dc(component, tables.0, 0, block).and_then(|()| self.ac(tables.1, (1, 63), 0, block))
            }
            Pass::DcFirst => self.dc(component, tables.0, self.low, block),
            Pass::DcRefine => {
                block[0] |= i16::from(self.coder.decide_evenly()) << self.low;
                Some(())
            }
            Pass::AcFirst => self.ac(tables.1, self.band, self.low, block),
            Pass::AcRefine => self.ac_refine(tables.1, block),
        };
        if done.is_none() {
            (self.failed, self.bad_code) = (true, true);
        }
    }
}
