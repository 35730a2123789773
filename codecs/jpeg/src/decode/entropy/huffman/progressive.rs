//! Blocks of progressive scans (T.81, G.2).

use super::HuffmanDecoder;
use super::bits::BitReader;
use super::sequential::difference;
use crate::coefficients::Block;

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
            let symbol = table.take_symbol(&mut bits);
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

    /// A further bit of a band of AC (G.1.2.3).
    pub(super) fn ac_refine(&mut self, block: &mut Block) {
        let Some(table) = self.tables.first().and_then(|tables| tables.ac.as_ref()) else { return };
        let mut bits = self.bits;
        let (mut k, last) = self.band;
        let band = Band { order: &self.order, last, bit: 1 << self.low };
        if self.eob_run == 0 {
            while k <= last {
                bits.refill();
                let symbol = table.take_symbol(&mut bits);
                self.bad_code |= symbol.is_none();
                let symbol = symbol.unwrap_or(0);
                let (run, size) = (symbol >> 4, symbol & 15);
                let mut value = 0;
                if size > 0 {
                    value = if bits.take(1) == 1 { band.bit } else { -band.bit };
                } else if run < 15 {
                    self.eob_run = run_length(&mut bits, run);
                    break;
                }
                k = band.correct(&mut bits, block, k, u32::from(run));
                if value != 0 && k <= last {
                    block[usize::from(self.order[k] & 63)] = value;
                }
                k += 1;
            }
        }
        if self.eob_run > 0 {
            // Most blocks have no history.
            if block[1..].iter().fold(0, |all, &coefficient| all | coefficient) != 0 {
                band.correct(&mut bits, block, k, u32::MAX);
            }
            self.eob_run -= 1;
        }
        self.bits = bits;
    }
}

/// How many blocks end, this one included (G.1.2.2).
fn run_length(bits: &mut BitReader<'_>, category: u8) -> u32 {
    (1 << category) + bits.take(u32::from(category))
}

/// The coefficients of a refinement.
struct Band<'a> {
    order: &'a [u8; 80],
    last: usize,
    bit: i16,
}

impl Band<'_> {
    /// Reads the correction bits of coefficients with a history, from `k` to the one behind `zeros` without, or to the end of
    /// the band. Returns where it stopped.
    #[inline(always)]
    fn correct(&self, bits: &mut BitReader<'_>, block: &mut Block, mut k: usize, mut zeros: u32) -> usize {
        while k <= self.last {
            let coefficient = &mut block[usize::from(self.order[k] & 63)];
            if *coefficient != 0 {
                if bits.take_bit() && *coefficient & self.bit == 0 {
                    let step = if *coefficient < 0 { -self.bit } else { self.bit };
                    *coefficient = coefficient.wrapping_add(step);
                }
            } else if zeros == 0 {
                break;
            } else {
                zeros -= 1;
            }
            k += 1;
        }
        k
    }
}
