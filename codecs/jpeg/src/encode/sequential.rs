//! Writes the one scan of a sequential image (ITU-T T.81, annex F).

use super::bits::{BitSink, CodeWords, value_bits};
use super::blocks::{Component, in_mcus, indexed};
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

/// Rows of blocks that an MCU has at most.
const MAX_ROWS: usize = 4;

/// All symbols in their order.
pub(crate) fn symbols(components: &[Component], mut put: impl FnMut(Symbol)) {
    let mut last = [0; 4];
    // How many values of each row of blocks of the MCUs are behind.
    let mut done = [[0; MAX_ROWS]; 4];
    in_mcus(components, |number, row, column| {
        let component = &components[number];
        let (row, done) = (&component.rows[row], &mut done[number][row % component.sampling.1 % MAX_ROWS]);
        let (dc, mask) = (i32::from(row.dc[column]), row.masks[column]);
        let begin = if column == 0 { 0 } else { *done };
        *done = begin + mask.count_ones() as usize;
        let values = row.values.get(begin..*done).unwrap_or_default();
        let table = 2 * number.min(1);
        let difference = dc - last[number];
        last[number] = dc;
        let (count, bits) = value_bits(difference.unsigned_abs(), difference < 0);
        put(Symbol { table, symbol: count as usize, bits, count });
        let table = table + 1;
        let mut previous = 0;
        for (k, value) in indexed(mask, values) {
            let mut run = k - previous - 1;
            while run >= 16 {
                put(Symbol { table, symbol: ZERO_RUN, bits: 0, count: 0 });
                run -= 16;
            }
            let (count, bits) = value_bits(value.unsigned_abs().into(), value < 0);
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
