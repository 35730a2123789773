//! Huffman decoding of blocks: sequential (T.81, F.2.2) and progressive (G.2).

mod bits;
mod progressive;
mod sequential;
mod table;

use bits::BitReader;
use progressive::{BytePlaces, byte_places};
use table::HuffmanTable;

use crate::coefficients::Block;
use crate::decode::entropy::Pass;
use crate::decode::packed::PackedRow;
use crate::decode::tables::Tables;
use crate::huffman_spec::{HuffmanSpec, TYPICAL_AC, TYPICAL_DC};
use crate::scan::ScanHeader;

/// The state of a scan.
pub(crate) struct HuffmanDecoder<'a> {
    bits: BitReader<'a>,
    pass: Pass,
    /// The first and the last coefficient of the scan, and the bit position.
    band: (usize, usize),
    low: u32,
    tables: Vec<ComponentTables>,
    /// The DC of the block before, by component of the scan.
    predictors: [i32; 4],
    /// The blocks that have no further coefficients: EOBRUN.
    eob_run: u32,
    /// By zigzag index, the index in a block; 16 more, for runs that go too far.
    order: [u8; 80],
    byte_places: BytePlaces,
    /// Codes that are not in their table were met.
    bad_code: bool,
}

struct ComponentTables {
    dc: Option<HuffmanTable>,
    ac: Option<HuffmanTable>,
}

impl<'a> HuffmanDecoder<'a> {
    /// Starts at the entropy-coded data of a scan. Tables that are not there are the typical ones (annex K), as in
    /// Motion JPEG.
    pub(crate) fn new(
        bytes: &'a [u8],
        at: usize,
        scan: &ScanHeader,
        pass: Pass,
        tables: &Tables,
        order: [u8; 80],
    ) -> Self {
        let table = |own: &[Option<HuffmanSpec>; 4], typical: &[HuffmanSpec; 2], index: u8| {
            let index = usize::from(index & 3);
            HuffmanTable::new(own[index].as_ref().unwrap_or(&typical[index & 1]))
        };
        let tables = scan.components.iter().map(|component| ComponentTables {
            dc: matches!(pass, Pass::Sequential | Pass::DcFirst)
                .then(|| table(&tables.dc, &TYPICAL_DC, component.dc_table)),
            ac: matches!(pass, Pass::Sequential | Pass::AcFirst | Pass::AcRefine)
                .then(|| table(&tables.ac, &TYPICAL_AC, component.ac_table)),
        });
        Self {
            bits: BitReader::new(bytes, at),
            pass,
            band: (usize::from(scan.first), usize::from(scan.last)),
            low: u32::from(scan.low),
            tables: tables.collect(),
            predictors: [0; 4],
            eob_run: 0,
            order,
            byte_places: byte_places(),
            bad_code: false,
        }
    }

    /// The offset of the byte that is read next.
    pub(crate) fn position(&self) -> usize {
        self.bits.position()
    }

    /// Goes on at an offset with the state of a start.
    pub(crate) fn restart(&mut self, bytes: &'a [u8], at: usize) {
        self.bits = BitReader::new(bytes, at);
        self.predictors = [0; 4];
        self.eob_run = 0;
    }

    /// Whether the data ended before the blocks that were decoded.
    #[inline]
    pub(crate) fn exhausted(&self) -> bool {
        self.bits.exhausted()
    }

    /// Whether there was an invalid code since this was asked.
    #[inline]
    pub(crate) fn take_bad_code(&mut self) -> bool {
        std::mem::take(&mut self.bad_code)
    }

    /// Decodes AC coefficients into the block in a column, unless the scan has others: tells whether it has not.
    #[inline]
    pub(crate) fn packed_ac(&mut self, row: &mut PackedRow, column: usize) -> bool {
        match self.pass {
            Pass::AcFirst => self.ac_first(row, column),
            Pass::AcRefine => self.ac_refine(row, column),
            _ => return false,
        }
        true
    }

    /// Decodes into a block of a component of the scan, of which [`packed_ac`](Self::packed_ac) takes AC alone. A block of a sequential
    /// scan is all zeros before.
    #[inline]
    pub(crate) fn block(&mut self, component: usize, block: &mut Block) {
        match self.pass {
            Pass::Sequential => self.sequential(component, block),
            Pass::DcFirst => self.dc_first(component, block),
            Pass::DcRefine => self.dc_refine(block),
            Pass::AcFirst | Pass::AcRefine => {}
        }
    }
}
