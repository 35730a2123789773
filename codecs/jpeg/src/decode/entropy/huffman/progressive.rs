//! Blocks of progressive scans (T.81, G.2).

use super::HuffmanDecoder;
use super::bits::BitReader;
use super::sequential::difference;
use crate::coefficients::Block;
use crate::lanes::{beyond, take_lowest};

impl HuffmanDecoder<'_> {
    /// The high bits of DC (G.1.2.1).
    pub(super) fn dc_first(&mut self, component: usize, block: &mut Block) {
        let Some(table) = self.tables.get(component).and_then(|tables| tables.dc.as_ref()) else { return };
        let difference = difference(table, &mut self.bits);
        self.bad_code |= difference.is_none();
        let predictor = &mut self.predictors[component & 3];
        *predictor = predictor.wrapping_add(difference.unwrap_or(0));
        block[0] = (*predictor << self.low) as i16;
    }

    /// A further bit of DC.
    pub(super) fn dc_refine(&mut self, block: &mut Block) {
        if self.bits.take_bit() {
            block[0] |= 1 << self.low;
        }
    }

    /// The high bits of a band of AC (G.1.2.2).
    pub(super) fn ac_first(&mut self, block: &mut Block) {
        if self.eob_run > 0 {
            self.eob_run -= 1;
            return;
        }
        let Some(table) = self.tables.first().and_then(|tables| tables.ac.as_ref()) else { return };
        let mut bits = self.bits;
        let (mut k, last) = self.band;
        while k <= last {
            bits.refill();
            let entry = table.look_up(&bits);
            if entry.complete() {
                k += usize::from(entry.symbol() >> 4);
                bits.skip(entry.length());
                block[usize::from(self.order[k] & 63)] = entry.value() << self.low;
                k += 1;
                continue;
            }
            let symbol = table.take_code(entry, &mut bits);
            self.bad_code |= symbol.is_none();
            let symbol = symbol.unwrap_or(0);
            let (run, size) = (symbol >> 4, u32::from(symbol & 15));
            if size > 0 {
                k += usize::from(run);
                let value = bits.take_signed(size);
                block[usize::from(self.order[k] & 63)] = (value << self.low) as i16;
            } else if run < 15 {
                self.eob_run = run_length(&mut bits, run) - 1;
                break;
            } else {
                k += 15;
            }
            k += 1;
        }
        self.bits = bits;
    }

    /// A further bit of a band of AC (G.1.2.3), of a block in zigzag order.
    pub(super) fn ac_refine(&mut self, block: &mut Block) {
        let Some(table) = self.tables.first().and_then(|tables| tables.ac.as_ref()) else { return };
        let mut bits = self.bits;
        let (first, last) = self.band;
        // A bit for each coefficient of the band that is still to come, and for those with a history.
        let mut left = u64::MAX >> (63 - last) & u64::MAX << first;
        let history = beyond(block, &[0; 64]) & left;
        while self.eob_run == 0 && left != 0 {
            bits.refill();
            let symbol = table.take_symbol(&mut bits);
            self.bad_code |= symbol.is_none();
            let symbol = symbol.unwrap_or(0);
            let (run, size) = (symbol >> 4, symbol & 15);
            if size == 0 && run < 15 {
                self.eob_run = run_length(&mut bits, run);
                break;
            }
            let value = if size == 0 { 0 } else { (2 * bits.take(1) as i16 - 1) << self.low };
            let mut zeros = left & !history;
            (0..run).for_each(|_| zeros &= zeros.wrapping_sub(1));
            // The one behind the run, or none if the band ends before.
            let own = zeros & zeros.wrapping_neg();
            let before = own.wrapping_sub(1);
            correct(&mut bits, block, history & left & before, self.low);
            if own != 0 && value != 0 {
                block[own.trailing_zeros() as usize & 63] = value;
            }
            left &= !(before | own);
        }
        if self.eob_run > 0 {
            correct(&mut bits, block, history & left, self.low);
            self.eob_run -= 1;
        }
        self.bits = bits;
    }
}

/// How many blocks end, this one included (G.1.2.2).
fn run_length(bits: &mut BitReader<'_>, category: u8) -> u32 {
    (1 << category) + bits.take(u32::from(category))
}

/// Reads the correction bits of some coefficients: without branches, as nothing foretells them.
#[inline(always)]
fn correct(bits: &mut BitReader<'_>, block: &mut Block, mut coefficients: u64, low: u32) {
    while coefficients != 0 {
        bits.refill();
        // As many as are available.
        let count = coefficients.count_ones().min(32);
        let mut corrections = bits.take(count) << (32 - count);
        for _ in 0..count {
            let coefficient = &mut block[take_lowest(&mut coefficients) & 63];
            let missing = (corrections >> 31) as i16 & !(*coefficient >> low);
            let sign = *coefficient >> 15 | 1;
            *coefficient = coefficient.wrapping_add((missing * sign) << low);
            corrections <<= 1;
        }
    }
}
