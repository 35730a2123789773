//! Blocks of progressive scans (T.81, G.2).

use super::HuffmanDecoder;
use super::bits::BitReader;
use super::sequential::difference;
use crate::coefficients::Block;
use crate::decode::packed::PackedRow;
use crate::lanes::{beyond, correct, nonzero, stay_bytes, take_lowest};

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
    pub(super) fn ac_first(&mut self, row: &mut PackedRow, column: usize) {
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
                row.set(column, k.min(63), entry.value() << self.low);
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
                row.set(column, k.min(63), (value << self.low) as i16);
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
    pub(super) fn ac_refine(&mut self, row: &mut PackedRow, column: usize) {
        let (first, last) = self.band;
        let band = u64::MAX >> (63 - last) & u64::MAX << first;
        if let Some(bytes) = row.bytes(column).filter(|bytes| stay_bytes(bytes, self.low)) {
            let history = nonzero(bytes) & band;
            let corrections = self.refinement(history, band, bytes, self.low);
            correct(bytes, history, corrections, self.low);
            return;
        }
        let (mut block, mut added) = (row.block(column, false), [0; 64]);
        let mut history = beyond(&block, &[0; 64]) & band;
        let mut corrections = self.refinement(history, band, &mut added, 0);
        for (coefficient, sign) in block.iter_mut().zip(added) {
            *coefficient |= i16::from(sign) << self.low;
        }
        while history != 0 {
            let coefficient = &mut block[take_lowest(&mut history) & 63];
            let missing = (corrections >> 63) as i16 & !(*coefficient >> self.low);
            let sign = *coefficient >> 15 | 1;
            *coefficient = coefficient.wrapping_add((missing * sign) << self.low);
            corrections <<= 1;
        }
        row.put(column, &mut block, false);
    }

    /// Reads such a bit of the coefficients of a band. Those of `history` are not zero: their corrections are returned, the first in the
    /// highest bit. Of the others, those that come to be 1 or -1 of bit `low` are written to `block`.
    fn refinement(&mut self, history: u64, band: u64, block: &mut [i8; 64], low: u32) -> u64 {
        let Some(table) = self.tables.first().and_then(|tables| tables.ac.as_ref()) else { return 0 };
        let mut bits = self.bits;
        let (first, last) = self.band;
        let zeros = band & !history;
        let count = zeros.count_ones() as usize;
        let places = if self.eob_run == 0 { places(zeros, last + 1, &self.byte_places) } else { [0; 72] };
        let mut corrections = Corrections::default();
        // The zeros before the next coefficient.
        let mut passed = 0;
        loop {
            // What is behind the band.
            let (mut own, mut sign) = (last + 1, 0);
            if self.eob_run == 0 {
                bits.refill();
                let symbol = table.take_symbol(&mut bits);
                self.bad_code |= symbol.is_none();
                let symbol = symbol.unwrap_or(0);
                let (run, size) = (symbol >> 4, symbol & 15);
                if size == 0 && run < 15 {
                    self.eob_run = run_length(&mut bits, run);
                    passed = count;
                } else {
                    sign = if size == 0 { 0 } else { 2 * bits.take(1) as i8 - 1 };
                    // The zero behind the run, if the band does not end before.
                    passed = (passed + usize::from(run)).min(count);
                    own = places[passed & 127].into();
                }
            } else {
                passed = count;
            }
            // Whatever else is before it has a history.
            corrections.take_to((own - first - passed) as u32, &mut bits);
            if own <= last {
                block[own & 63] = sign << low;
            }
            if own >= last {
                break;
            }
            passed += 1;
        }
        self.eob_run = self.eob_run.saturating_sub(1);
        self.bits = bits;
        if corrections.count == 0 { 0 } else { corrections.bits << (64 - corrections.count) }
    }
}

/// Where the bits of each byte are that are set.
pub(super) type BytePlaces = [[u8; 8]; 256];

/// Made as it is needed: it takes less time than a download of it.
pub(super) fn byte_places() -> BytePlaces {
    std::array::from_fn(|byte| {
        let (mut places, mut mask, mut count) = ([0; 8], byte as u64, 0);
        while mask != 0 {
            places[count & 7] = take_lowest(&mut mask) as u8;
            count += 1;
        }
        places
    })
}

/// Where the bits of a mask are that are set, at most 63, and `end` behind the last of them.
#[inline(always)]
fn places(mask: u64, end: usize, of_bytes: &BytePlaces) -> [u8; 72] {
    let (mut places, mut count) = ([0; 72], 0);
    for (index, byte) in mask.to_le_bytes().into_iter().enumerate() {
        let within = u64::from_le_bytes(of_bytes[usize::from(byte)]);
        let all = within + 0x0808_0808_0808_0808 * index as u64;
        if let Some(to) = places[count & 63..].first_chunk_mut() {
            *to = all.to_le_bytes();
        }
        count += byte.count_ones() as usize;
    }
    places[count & 63] = end as u8;
    places
}

/// The correction bits of a block, of coefficients with a history in their order.
#[derive(Default)]
struct Corrections {
    bits: u64,
    /// At most 63.
    count: u32,
}

impl Corrections {
    /// Reads so many that they are `count`.
    #[inline(always)]
    fn take_to(&mut self, count: u32, bits: &mut BitReader<'_>) {
        let mut missing = count - self.count;
        if missing > 32 {
            bits.refill();
            self.bits = self.bits << 32 | u64::from(bits.take(32));
            missing -= 32;
        }
        bits.refill();
        self.bits = self.bits << missing | u64::from(bits.take(missing));
        self.count = count;
    }
}

/// How many blocks end, this one included (G.1.2.2).
fn run_length(bits: &mut BitReader<'_>, category: u8) -> u32 {
    (1 << category) + bits.take(u32::from(category))
}
