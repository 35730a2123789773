//! The coefficients of a picture whose scans are read before its first row is known.

use crate::coefficients::QuantTable;
use crate::decode::damage::Tally;
use crate::decode::entropy::Order;
use crate::decode::headers::Headers;
use crate::decode::layout::Layout;
use crate::decode::options::DecodeOptions;
use crate::decode::packed::PackedRow;
use crate::decode::scan_decoder::{BlockDecoder, BlockSink, ScanDecoder};
use crate::error::{Error, Limit};
use crate::frame::Process;

/// The coefficients of all components, in zigzag order.
pub(crate) struct Store {
    pub(crate) components: Vec<StoredComponent>,
    /// The scan that is read has nothing but DC.
    only_dc: bool,
}

/// The coefficients of a component.
pub(crate) struct StoredComponent {
    pub(crate) rows: Vec<PackedRow>,
    /// The table at the component's first scan.
    pub(crate) quant: Option<QuantTable>,
    /// The coefficients, by index in zigzag order, whose last bit is still to come.
    pending: u64,
}

impl BlockSink for Store {
    #[inline]
    fn block(&mut self, component: usize, column: usize, row: usize, decoder: BlockDecoder<'_, '_>) {
        let Some(row) = self.components[component].rows.get_mut(row) else { return };
        decoder.decode_packed(row, column, self.only_dc);
    }
}

impl Store {
    /// The bytes that the coefficients take at most.
    pub(crate) fn size(layout: &Layout) -> u64 {
        layout.components.iter().map(|c| c.blocks.1 as u64 * PackedRow::size(c.blocks.0)).sum()
    }

    /// Decodes all scans.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if nothing of the first scan can be decoded, or if `options` are strict and anything is wrong.
    pub(crate) fn read(
        headers: &mut Headers<'_>,
        layout: &Layout,
        options: DecodeOptions,
    ) -> Result<(Self, Tally), Error> {
        let components = layout.components.iter().map(|component| StoredComponent {
            rows: (0..component.blocks.1).map(|_| PackedRow::new(component.blocks.0)).collect(),
            quant: None,
            pending: u64::MAX,
        });
        let mut store = Self { components: components.collect(), only_dc: false };
        let mut tally = Tally::default();
        let mut scans = 0;
        loop {
            scans += 1;
            if scans > options.limits.max_scans {
                return Err(Error::Limit(Limit::Scans { limit: options.limits.max_scans }));
            }
            let next = store.read_scan(headers, layout, &mut tally).and_then(|()| headers.next_scan());
            tally.damaged |= headers.segments.extraneous;
            match next {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if scans == 1 && tally.mcus == 0 => return Err(error),
                Err(_) => {
                    tally.damaged = true;
                    break;
                }
            }
        }
        tally.damaged |= headers.ended_early;
        if tally.damaged && store.components.iter().any(|component| component.pending != 0) {
            // A scan that is missing is lost as a whole.
            let scan = layout.mcus.0 as u64 * layout.mcus.1 as u64;
            tally.mcus += scan;
            tally.lost += scan;
        }
        Ok((store, tally))
    }

    fn read_scan(
        &mut self,
        headers: &mut Headers<'_>,
        layout: &Layout,
        tally: &mut Tally,
    ) -> Result<(), Error> {
        for component in &headers.scan.components {
            let stored = &mut self.components[component.index];
            if stored.quant.is_none() {
                let table = headers.frame.components[component.index].quant;
                stored.quant = headers.tables.quant[usize::from(table & 3)];
            }
            if headers.frame.process != Process::Progressive {
                stored.pending = 0;
            } else if headers.scan.low == 0 {
                stored.pending &= !headers.scan.band();
            }
        }
        self.only_dc = headers.frame.process == Process::Progressive && headers.scan.first == 0;
        let mut scan = ScanDecoder::new(headers, layout, Order::Zigzag)?;
        for row in 0..scan.mcus.1 {
            scan.row(layout, row, self);
        }
        tally.mcus += scan.mcus.0 as u64 * scan.mcus.1 as u64;
        tally.lost += scan.lost;
        tally.damaged |= scan.damaged;
        headers.segments.seek(scan.position());
        Ok(())
    }
}
