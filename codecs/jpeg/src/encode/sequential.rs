//! Writes the one scan of a sequential image (ITU-T T.81, annex F).

use super::bits::{BitSink, CodeWords, value_bits};
use super::blocks::{Component, in_mcus, take_lowest};
use super::statistics::ZERO_RUN;

/// The tables of a symbol: DC and AC of luma, DC and AC of all others.
pub(crate) const TABLES: usize = 4;

/// A symbol of a table, and the bits that follow it.
pub(crate) struct Symbol {
    pub(crate) table: usize,
    pub(crate) symbol: usize,
    bits: u32,
    count: u32,
}

/// All symbols in their order.
pub(crate) fn symbols(components: &[Component], mut put: impl FnMut(Symbol)) {
    let mut last = [0; 4];
    in_mcus(components, |_, _, number, index| {
        let (block, mask) = (&components[number].blocks[index], components[number].masks[index]);
        let table = 2 * number.min(1);
        let difference = i32::from(block[0]) - last[number];
        last[number] = i32::from(block[0]);
        let (count, bits) = value_bits(difference.unsigned_abs(), difference < 0);
        put(Symbol { table, symbol: count as usize, bits, count });
        let table = table + 1;
        let (mut rest, mut previous) = (mask, 0);
        while rest != 0 {
            let k = take_lowest(&mut rest);
            let mut run = k - previous - 1;
            while run >= 16 {
                put(Symbol { table, symbol: ZERO_RUN, bits: 0, count: 0 });
                run -= 16;
            }
            let (count, bits) = value_bits(block[k].unsigned_abs().into(), block[k] < 0);
            put(Symbol { table, symbol: run << 4 | count as usize, bits, count });
            previous = k;
        }
        if previous < 63 {
            put(Symbol { table, symbol: 0, bits: 0, count: 0 });
        }
    });
}

/// Writes the scan.
pub(crate) fn write(sink: &mut BitSink, components: &[Component], codes: &[CodeWords]) {
    symbols(components, |Symbol { table, symbol, bits, count }| codes[table].put(sink, symbol, bits, count));
    sink.finish();
}
