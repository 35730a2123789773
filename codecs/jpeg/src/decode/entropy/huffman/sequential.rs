//! Blocks of sequential scans (T.81, F.2.2).

use super::HuffmanDecoder;
use crate::coefficients::Block;

impl HuffmanDecoder<'_> {
    pub(super) fn sequential(&mut self, component: usize, block: &mut Block) {
        let difference = self.difference(component);
        let predictor = &mut self.predictors[component & 3];
        *predictor = predictor.wrapping_add(difference);
        block[0] = *predictor as i16;
        let Some(table) = self.tables.get(component).and_then(|tables| tables.ac.as_ref()) else { return };
        let bits = &mut self.bits;
        let mut k = 1;
        while k < 64 {
            bits.refill();
            let entry = table.look_up(bits);
            if entry.complete {
                k += usize::from(entry.symbol >> 4);
                bits.skip(u32::from(entry.length));
                block[usize::from(self.order[k] & 63)] = entry.value;
                k += 1;
                continue;
            }
            let symbol = match entry.length {
                0 => match table.take_long(bits) {
                    Some(symbol) => symbol,
                    None => {
                        self.bad_code = true;
                        0
                    }
                },
                length => {
                    bits.skip(u32::from(length));
                    entry.symbol
                }
            };
            let (run, size) = (usize::from(symbol >> 4), u32::from(symbol & 15));
            k += run;
            if size > 0 {
                block[usize::from(self.order[k] & 63)] = bits.take_signed(size) as i16;
            } else if run < 15 {
                break;
            }
            k += 1;
        }
    }

    /// The difference of DC to the block before (F.2.2.1).
    pub(super) fn difference(&mut self, component: usize) -> i32 {
        let Some(table) = self.tables.get(component).and_then(|tables| tables.dc.as_ref()) else { return 0 };
        self.bits.refill();
        match table.take_symbol(&mut self.bits) {
            Some(size) => self.bits.take_signed(u32::from(size.min(16))),
            None => {
                self.bad_code = true;
                0
            }
        }
    }
}
