//! Blocks of sequential scans (T.81, F.2.2).

use super::HuffmanDecoder;
use super::bits::BitReader;
use super::table::HuffmanTable;
use crate::coefficients::Block;

impl HuffmanDecoder<'_> {
    pub(super) fn sequential(&mut self, component: usize, block: &mut Block) {
        let Some(tables) = self.tables.get(component) else { return };
        let (Some(dc), Some(ac)) = (&tables.dc, &tables.ac) else { return };
        let mut bits = self.bits;
        let difference = difference(dc, &mut bits);
        let predictor = &mut self.predictors[component & 3];
        *predictor = predictor.wrapping_add(difference.unwrap_or(0));
        block[0] = *predictor as i16;
        let mut bad_code = difference.is_none();
        let mut k = 1;
        while k < 64 {
            bits.refill();
            let entry = ac.look_up(&bits);
            if entry.complete() {
                k += usize::from(entry.symbol() >> 4);
                bits.skip(entry.length());
                block[usize::from(self.order[k] & 63)] = entry.value();
                k += 1;
                continue;
            }
            let symbol = ac.take_code(entry, &mut bits);
            bad_code |= symbol.is_none();
            let symbol = symbol.unwrap_or(0);
            let (run, size) = (usize::from(symbol >> 4), u32::from(symbol & 15));
            k += run;
            if size > 0 {
                block[usize::from(self.order[k] & 63)] = bits.take_signed(size) as i16;
            } else if run < 15 {
                break;
            }
            k += 1;
        }
        self.bits = bits;
        self.bad_code |= bad_code;
    }
}

/// The difference of DC to the block before (F.2.2.1). None if its code is not in the table.
#[inline(always)]
pub(super) fn difference(table: &HuffmanTable, bits: &mut BitReader<'_>) -> Option<i32> {
    bits.refill();
    let size = table.take_symbol(bits)?;
    Some(bits.take_signed(u32::from(size.min(16))))
}
