//! Blocks of progressive scans (T.81, G.2).

use super::HuffmanDecoder;
use crate::coefficients::Block;

impl HuffmanDecoder<'_> {
    /// The high bits of DC (G.1.2.1).
    pub(super) fn dc_first(&mut self, component: usize, block: &mut Block) {
        let difference = self.difference(component);
        let predictor = &mut self.predictors[component & 3];
        *predictor = predictor.wrapping_add(difference);
        block[0] = (*predictor << self.low) as i16;
    }

    /// A further bit of DC.
    pub(super) fn dc_refine(&mut self, block: &mut Block) {
        if self.bits.take_bit() {
            block[0] |= 1 << self.low;
        }
    }

    /// The symbol of AC that comes next; that of the end of a block for an invalid code.
    fn ac_symbol(&mut self) -> u8 {
        self.bits.refill();
        let table = self.tables.first().and_then(|tables| tables.ac.as_ref());
        table.and_then(|table| table.take_symbol(&mut self.bits)).unwrap_or_else(|| {
            self.bad_code = true;
            0
        })
    }

    /// How many blocks end, this one included (G.1.2.2).
    fn run_length(&mut self, category: u8) -> u32 {
        (1 << category) + self.bits.take(u32::from(category))
    }

    /// The high bits of a band of AC (G.1.2.2).
    pub(super) fn ac_first(&mut self, block: &mut Block) {
        if self.eob_run > 0 {
            self.eob_run -= 1;
            return;
        }
        let (mut k, last) = self.band;
        while k <= last {
            let symbol = self.ac_symbol();
            let (run, size) = (symbol >> 4, u32::from(symbol & 15));
            if size > 0 {
                k += usize::from(run);
                let value = self.bits.take_signed(size);
                block[usize::from(self.order[k] & 63)] = (value << self.low) as i16;
            } else if run < 15 {
                self.eob_run = self.run_length(run) - 1;
                return;
            } else {
                k += 15;
            }
            k += 1;
        }
    }

    /// A further bit of a band of AC (G.1.2.3).
    pub(super) fn ac_refine(&mut self, block: &mut Block) {
        let (mut k, last) = self.band;
        let bit = 1_i16 << self.low;
        if self.eob_run == 0 {
            while k <= last {
                let symbol = self.ac_symbol();
                let (run, size) = (symbol >> 4, symbol & 15);
                let mut value = 0;
                if size > 0 {
                    value = if self.bits.take_bit() { bit } else { -bit };
                } else if run < 15 {
                    self.eob_run = self.run_length(run);
                    break;
                }
                k = self.correct(block, k, Some(run), bit);
                if value != 0 && k <= last {
                    block[usize::from(self.order[k] & 63)] = value;
                }
                k += 1;
            }
        }
        if self.eob_run > 0 {
            self.correct(block, k, None, bit);
            self.eob_run -= 1;
        }
    }

    /// Reads the correction bits of coefficients with a history, from `k` to the one behind `zeros` without, or to the end of
    /// the band. Returns where it stopped.
    fn correct(&mut self, block: &mut Block, mut k: usize, zeros: Option<u8>, bit: i16) -> usize {
        let mut left = zeros.map(u32::from);
        while k <= self.band.1 {
            let coefficient = &mut block[usize::from(self.order[k] & 63)];
            if *coefficient != 0 {
                if self.bits.take_bit() && *coefficient & bit == 0 {
                    *coefficient = coefficient.wrapping_add(if *coefficient < 0 { -bit } else { bit });
                }
            } else if let Some(left) = &mut left {
                if *left == 0 {
                    break;
                }
                *left -= 1;
            }
            k += 1;
        }
        k
    }
}
