//! The MCUs of a scan, with its restarts (T.81, E.2.4), and recovery where data are damaged.

use crate::coefficients::Block;
use crate::decode::entropy::{EntropyDecoder, Order};
use crate::decode::headers::Headers;
use crate::decode::layout::Layout;
use crate::decode::packed::PackedRow;
use crate::decode::segments::Segments;
use crate::error::Error;
use crate::marker;
use crate::scan::ScanHeader;

/// Where the blocks of a scan go.
pub(crate) trait BlockSink {
    /// Hands out the block in a column and a row of a component of the frame, to be filled.
    fn block(&mut self, component: usize, column: usize, row: usize, decoder: BlockDecoder<'_, '_>);
}

/// Decodes the next block.
pub(crate) struct BlockDecoder<'d, 'a> {
    entropy: &'d mut EntropyDecoder<'a>,
    /// The number of its component in the scan.
    component: usize,
    lost: bool,
}

impl BlockDecoder<'_, '_> {
    /// Fills a block, if it is not lost.
    #[inline(always)]
    pub(crate) fn decode(self, block: &mut Block) {
        if !self.lost {
            self.entropy.block(self.component, block);
        }
    }

    /// The same of the block in a column that the row has, or of nothing but its DC.
    #[inline(always)]
    pub(crate) fn decode_packed(self, row: &mut PackedRow, column: usize, only_dc: bool) {
        if self.lost || !only_dc && self.entropy.packed_ac(row, column) {
            return;
        }
        let mut block = row.block(column, only_dc);
        self.decode(&mut block);
        row.put(column, &mut block, only_dc);
    }
}

/// The state within a scan.
pub(crate) struct ScanDecoder<'a> {
    bytes: &'a [u8],
    entropy: EntropyDecoder<'a>,
    scan: ScanHeader,
    /// Columns and rows of MCUs.
    pub(crate) mcus: (usize, usize),
    restart_interval: u32,
    /// MCUs until the next restart marker.
    left: u32,
    next_restart: u8,
    /// There is nothing before the next restart.
    starved: bool,
    pub(crate) lost: u64,
    pub(crate) damaged: bool,
}

impl<'a> ScanDecoder<'a> {
    /// Starts the scan whose header was read.
    pub(crate) fn new(headers: &Headers<'a>, layout: &Layout, order: Order) -> Result<Self, Error> {
        let bytes = headers.segments.bytes();
        let scan = headers.scan.clone();
        let at = headers.segments.position();
        let entropy = EntropyDecoder::new(bytes, at, &headers.frame, &scan, &headers.tables, order)?;
        let mcus = match scan.components[..] {
            [only] => layout.components[only.index].scan_blocks,
            _ => layout.mcus,
        };
        let blocks: usize =
            scan.components.iter().map(|c| layout.components[c.index].h * layout.components[c.index].v).sum();
        if scan.components.len() > 1 && blocks > 10 {
            return Err(Error::Corrupt("an MCU has more than ten blocks"));
        }
        let restart_interval = u32::from(headers.tables.restart_interval);
        Ok(Self {
            bytes,
            entropy,
            scan,
            mcus,
            restart_interval,
            left: restart_interval,
            next_restart: 0,
            starved: false,
            lost: 0,
            damaged: false,
        })
    }

    /// The offset from which the next marker is found.
    pub(crate) fn position(&self) -> usize {
        self.entropy.position()
    }

    /// Decodes a row of MCUs.
    pub(crate) fn row(&mut self, layout: &Layout, row: usize, sink: &mut impl BlockSink) {
        for column in 0..self.mcus.0 {
            if self.restart_interval > 0 {
                if self.left == 0 {
                    self.restart();
                }
                self.left -= 1;
            }
            match self.scan.components[..] {
                [only] => {
                    let entropy = &mut self.entropy;
                    let decoder = BlockDecoder { entropy, component: 0, lost: self.starved };
                    sink.block(only.index, column, row, decoder);
                }
                _ => self.interleaved(layout, column, row, sink),
            }
            self.account();
        }
    }

    fn interleaved(&mut self, layout: &Layout, column: usize, row: usize, sink: &mut impl BlockSink) {
        for (index, component) in self.scan.components.iter().enumerate() {
            let sizes = &layout.components[component.index];
            for y in 0..sizes.v {
                for x in 0..sizes.h {
                    let entropy = &mut self.entropy;
                    let decoder = BlockDecoder { entropy, component: index, lost: self.starved };
                    sink.block(component.index, column * sizes.h + x, row * sizes.v + y, decoder);
                }
            }
        }
    }

    /// Notes whether the MCU was lost.
    #[inline(always)]
    fn account(&mut self) {
        let (bad, exhausted) = (self.entropy.take_bad_code(), self.entropy.exhausted());
        if self.starved | bad | exhausted {
            self.starved |= exhausted;
            self.damaged = true;
            self.lost += 1;
        }
    }

    /// Goes on behind the restart marker that is due. Of other markers, one that is due soon tells that data are missing, one
    /// that is past that there are too many; in doubt, it stands for the one that is due.
    fn restart(&mut self) {
        let mut segments = Segments::at(self.bytes, self.entropy.position());
        let due = self.next_restart;
        let resumes = loop {
            let Some(code) = segments.next_marker() else {
                // Nothing follows. The end is not looked for again at the next restart.
                self.damaged = true;
                segments.seek(self.bytes.len());
                break None;
            };
            self.damaged |= segments.extraneous;
            let ahead = code.wrapping_sub(marker::RST0).wrapping_sub(due) & 7;
            self.damaged |= code != marker::RST0 + due;
            match code {
                0..marker::SOF0 => {}
                marker::RST0..=marker::RST7 if matches!(ahead, 0 | 3..=5) => break Some(segments.position()),
                marker::RST0..=marker::RST7 if matches!(ahead, 6 | 7) => {}
                _ => {
                    // It stays the next marker: there is nothing before it.
                    segments.seek(segments.position() - 2);
                    break None;
                }
            }
        };
        if let Some(at) = resumes {
            self.starved = false;
            self.entropy.restart(self.bytes, at);
        } else {
            self.entropy.restart(self.bytes, segments.position());
        }
        self.next_restart = (due + 1) & 7;
        self.left = self.restart_interval;
    }
}
